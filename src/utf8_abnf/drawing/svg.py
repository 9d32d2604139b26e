"""Write SVG documents (``Pen``), the same to the byte on every machine.

Every picture of this package is written here, but for the tracks of railroads, whose shapes a library writes. So each
has ``role="img"``, a title and a description in words; it loads no script, font or anything else; it has its own
background, light or dark as the reader's system asks; whatever a colour shows, a shape or a word also shows; and all
text is escaped.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ADVANCE = 0.605  # of the font size, for one character: Menlo 0.602, DejaVu Sans Mono 0.602, Courier New 0.600
SIZE, SMALL = 14, 12  # px
MARGIN = 16

# Under the class of the root element, so that a picture inside a page does not change the page's style. Custom
# properties are not used, because several programs that draw SVG do not support them.
STYLE = """
.utf8-abnf text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:14px;\
fill:#1f2328;stroke:none}
.utf8-abnf .comment,.utf8-abnf .small{font-size:12px;fill:#57606a}
.utf8-abnf .strong{font-weight:bold}
.utf8-abnf .paper{fill:#fff}
.utf8-abnf .line,.utf8-abnf .line path{fill:none;stroke:#57606a;stroke-width:1.5;stroke-dasharray:none}
.utf8-abnf .solid{fill:#57606a;stroke:none}
.utf8-abnf .bytes{fill:#fff3d1;stroke:#8a6100;stroke-width:1.5}
.utf8-abnf .rule{fill:#e5f0fb;stroke:#0b5cad;stroke-width:1.5}
.utf8-abnf .words{fill:#f0f1f2;stroke:#57606a;stroke-width:1.5;stroke-dasharray:2 3}
.utf8-abnf .inner{fill:none;stroke:#0b5cad;stroke-width:1.5}
.utf8-abnf .cell{fill:#fff;stroke:#8c959f}
.utf8-abnf .fixed{fill:#e3e6e9;stroke:#8c959f}
.utf8-abnf .extra{stroke:#a40e26;stroke-width:2.5;stroke-dasharray:9 5}
.utf8-abnf .missing{stroke:#0b5cad;stroke-width:2.5;stroke-dasharray:2 4}
@media (prefers-color-scheme:dark){
.utf8-abnf text{fill:#e6edf3}
.utf8-abnf .comment,.utf8-abnf .small{fill:#a5afb9}
.utf8-abnf .paper{fill:#15181c}
.utf8-abnf .line,.utf8-abnf .line path{stroke:#a5afb9}
.utf8-abnf .solid{fill:#a5afb9}
.utf8-abnf .bytes{fill:#3b300f;stroke:#d9aa2b}
.utf8-abnf .rule{fill:#11304f;stroke:#6cb2f7}
.utf8-abnf .words{fill:#24292f;stroke:#a5afb9}
.utf8-abnf .inner{stroke:#6cb2f7}
.utf8-abnf .cell{fill:#15181c;stroke:#7d8790}
.utf8-abnf .fixed{fill:#333a42;stroke:#7d8790}
.utf8-abnf .extra{stroke:#ff8f9c}
.utf8-abnf .missing{stroke:#6cb2f7}
}
@media (forced-colors:active){
.utf8-abnf text,.utf8-abnf .small,.utf8-abnf .comment,.utf8-abnf .solid{fill:CanvasText}
.utf8-abnf .paper,.utf8-abnf .bytes,.utf8-abnf .rule,.utf8-abnf .words,.utf8-abnf .cell,.utf8-abnf .fixed{fill:Canvas}
.utf8-abnf .line,.utf8-abnf .line path,.utf8-abnf .bytes,.utf8-abnf .rule,.utf8-abnf .words,.utf8-abnf .inner,\
.utf8-abnf .cell,.utf8-abnf .fixed{stroke:CanvasText}
}
"""

Value = int | float | str
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text: str) -> str:
    """Return *text* escaped for XML, in ASCII; characters that XML does not allow (controls, surrogates) are U+FFFD."""
    return escape(_NO_XML.sub("\ufffd", text)).encode("ascii", "xmlcharrefreplace").decode("ascii")


def text_width(text: str, size: int = SIZE) -> int:
    """Return how many px *text* takes in a monospaced font of *size* px, rounded up."""
    return -int(-len(text) * size * ADVANCE // 1)


def number(value: float) -> str:
    """Return a coordinate as text, with at most one decimal."""
    tenths = round(value * 10)
    whole, rest = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}" + (f".{rest}" if rest else "")


class Pen:
    """Shapes of one document; x and y are px from the left and the top. *kind* is a class of ``STYLE``."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, kind: str, *, round_by: float = 0) -> None:
        """Draw a rectangle, its corners rounded by *round_by*."""
        attributes: dict[str, Value] = {"class": kind, "x": x, "y": y, "width": width, "height": height}
        self._lines.append(_element("rect", attributes | ({"rx": round_by} if round_by else {})))

    def circle(self, x: float, y: float, radius: float, kind: str) -> None:
        """Draw a circle around *x*, *y*."""
        self._lines.append(_element("circle", {"class": kind, "cx": x, "cy": y, "r": radius}))

    def path(self, kind: str, *steps: Value) -> None:
        """Draw a path: *steps* are SVG's letters and numbers, as in ``"M", 0, 0, "h", 10``."""
        spelt = " ".join(step if isinstance(step, str) else number(step) for step in steps)
        self._lines.append(_element("path", {"class": kind, "d": spelt}))

    def text(self, x: float, y: float, text: str, kind: str = "", *, anchor: str = "middle") -> None:
        """Write *text* on the base line *y*; *anchor* is the part of it at *x*: ``start``, ``middle`` or ``end``."""
        attributes: dict[str, Value] = {"class": kind} if kind else {}
        attributes |= {"x": x, "y": y} | ({} if anchor == "start" else {"text-anchor": anchor})
        self._lines.append(_element("text", attributes, text))

    def head(self, x: float, y: float, direction: str, size: float = 7) -> None:
        """Draw the head of an arrow, with its point at *x*, *y*; *direction* is left, right, up or down."""
        along, across = size, size * 0.55
        dx, dy = {"right": (-1, 0), "left": (1, 0), "down": (0, -1), "up": (0, 1)}[direction]
        one = (dx * along + dy * across, dy * along + dx * across)
        other = (dx * along - dy * across, dy * along - dx * across)
        self.path("solid", "M", x, y, "L", x + one[0], y + one[1], "L", x + other[0], y + other[1], "z")

    def markup(self, markup: str) -> None:
        """Add the shapes that a library wrote as *markup*, with all text escaped."""
        self._lines.append(markup.encode("ascii", "xmlcharrefreplace").decode("ascii"))

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """Put the shapes drawn within ``with`` into a group with a *title*."""
        self._lines.append(f"<g><title>{plain(title)}</title>")
        yield
        self._lines.append("</g>")

    def document(self, width: float, height: float, *, title: str, description: str) -> str:
        """Return everything drawn as one SVG document of that size, in px."""
        width, height = -int(-width // 1), -int(-height // 1)
        head: dict[str, Value] = {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "utf8-abnf",
            "role": "img",
            "width": width,
            "height": height,
            "viewBox": f"0 0 {number(width)} {number(height)}",
        }
        lines = [
            _element("svg", head, close=False),
            f"<title>{plain(title)}</title>",
            f"<desc>{plain(description)}</desc>",
            f"<style>{STYLE}</style>",
            _element("rect", {"class": "paper", "width": width, "height": height, "rx": 6}),
            *self._lines,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


def _element(name: str, attributes: dict[str, Value], text: str | None = None, *, close: bool = True) -> str:
    spelt = "".join(
        f' {key}="{plain(value) if isinstance(value, str) else number(value)}"' for key, value in attributes.items()
    )
    if text is not None:
        return f"<{name}{spelt}>{plain(text)}</{name}>"
    return f"<{name}{spelt}/>" if close else f"<{name}{spelt}>"
