"""The play page as one HTML file, made from the template, style and modules in ``page/`` and the data.

The modules of ``page/`` are ordinary JavaScript modules. A browser does not load modules from ``file://``, so they are
joined into one here, each after those it imports. All their declarations need different names; this is checked.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files

from utf8_abnf.language.catalogue import LANGUAGES
from utf8_abnf.teaching.play.data import page_data

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_IMPORT = re.compile(r'^import [^;]*? from "\./(\w+)\.js";\n', re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def page(language: str = "en") -> str:
    """Return the page as text. It opens in *language*, a key of ``LANGUAGES``; readers can choose another in the page.

    The content security policy forbids all requests. ``ValueError`` for another language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"the page has the languages {', '.join(LANGUAGES)}, not {language!r}")
    data = page_data()
    needs = " / ".join(f'<span lang="{each}">{data["strings"][each]["page.noscript"]}</span>' for each in LANGUAGES)
    made = f"{data['automaton']['grammar']}, sha256 {data['automaton']['sha256'][:12]}"
    parts = {
        "policy": POLICY,
        "style": _text("style.css"),
        "made": made,
        "noscript": f"<p>{needs}</p>",
        # Inside <script> only "</" and "<!--" could end or change the element.
        "data": json.dumps({"language": language, **data}, ensure_ascii=False).replace("<", "\\u003c"),
        "script": script("main"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _text("page.html"))


def script(*entries: str) -> str:
    """Return the modules *entries* and all modules that they import as one module."""
    order: list[str] = []
    seen: set[str] = set()
    for entry in entries:
        _visit(entry, order, seen)
    declared: dict[str, str] = {}
    joined = []
    for name in order:
        text = _text(f"{name}.js")
        for each in _DECLARED.findall(text):
            assert declared.setdefault(each, name) == name, f"{each} is declared in {declared[each]}.js and {name}.js"
        joined.append(f"// ---- {name}.js\n" + re.sub(r"^export ", "", _IMPORT.sub("", text), flags=re.MULTILINE))
    return "\n".join(joined)


def _visit(name: str, order: list[str], seen: set[str]) -> None:
    if name in seen:
        return
    seen.add(name)
    for imported in _IMPORT.findall(_text(f"{name}.js")):
        _visit(imported, order, seen)
    order.append(name)


def _text(name: str) -> str:
    return (files(__package__) / "page" / name).read_text("utf-8")
