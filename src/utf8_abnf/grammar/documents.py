"""Split the text of an RFC, RFC XML or Markdown into a ``Document`` of passages: numbered lines and their kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

from utf8_abnf.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Iterator

ABNF = "abnf"

_FOOTER = re.compile(r"\[Page [0-9ivxlc]+\]$", re.IGNORECASE)
_HEADER = re.compile(r"(?:RFC|Internet-Draft)\b.*[0-9]{4}$")
_NUMBER = re.compile(r"(?:Appendix )?([0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)*)\.?[ \t]+[A-Z]")
_XML = re.compile(r"\s*<(?:\?xml|!DOCTYPE|!--|rfc\b|section\b|sourcecode\b)")
_FENCE = re.compile(r"([ \t>]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$")
_TITLE = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_WORD = re.compile(r"[A-Za-z0-9_+-]+")
_FOLDED = re.compile(r"([ \t]*).*NOTE: '(\\{1,2})' line wrapping per RFC 8792")


class Line(NamedTuple):
    """A line of a document, without its line end; *number* counts from 1. *page*: it is the first one of a page."""

    number: int
    text: str
    page: bool = False


class Problem(NamedTuple):
    """What a reader of the document has to know: the number of a line, and a sentence about it."""

    line: int
    message: str


class Passage(NamedTuple):
    """Some lines of a document. *words* say what they are, as in ``abnf`` or ``abnf-example host``; () for prose."""

    words: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The passages of a document, and what is missing in it."""

    passages: list[Passage] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_document(text: str, section: str | None = None, *, file: str = "<text>") -> Document:
    r"""Return the passages of *text*, which is RFC XML, Markdown or, by default, the text of an RFC without its pages.

    Of XML they are the elements ``sourcecode`` and ``artwork``, with the words of ``type`` and ``name``; of Markdown
    the blocks between fences, with the words behind the fence, and what is indented by four columns. A text is Markdown
    if a word behind a fence begins with ``abnf``. Lines that are folded as in RFC 8792 are joined. *section* (``"4"``,
    ``"B.1"``; in Markdown also a title) limits the search to that section and its subsections. ``GrammarError`` if
    there is no such section, or if XML cannot be read.

    >>> read_document("A rule:\n~~~ abnf\na = b\n~~~\n").passages[0]
    Passage(words=('abnf',), lines=(Line(number=3, text='a = b', page=False),))
    """
    found = _read(text.removeprefix("\ufeff"), section, file)
    return Document([Passage(words, tuple(_unfolded(lines))) for words, lines in found.passages], found.problems)


def _read(text: str, section: str | None, file: str) -> Document:
    if _XML.match(text):
        return _xml(text, section, file)
    lines = [Line(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    fences = (_FENCE.match(line.text) for line in lines)
    if any(fence and any(word.lower().startswith(ABNF) for word in _WORD.findall(fence[3])) for fence in fences):
        return _markdown(lines, section, file)
    lines = _without_pages(lines)
    return Document([Passage((), tuple(_section(lines, section, file) if section else lines))])


def _unfolded(lines: tuple[Line, ...]) -> Iterator[Line]:
    """Join the lines that are folded (RFC 8792 sections 7 and 8), from the note that says so to the figure's end."""
    margin, mark, begun = "", "", None
    for line in lines:
        if found := _FOLDED.match(line.text):
            margin, mark = found[1], found[2]
            continue
        if mark and line.text.strip() and not line.text.startswith(margin):
            mark = ""
        text = line.text
        if begun:
            rest = text.lstrip(" ")
            line = begun._replace(text=begun.text + (rest.removeprefix("\\") if len(mark) == 2 else rest))
        begun = line._replace(text=line.text[:-1]) if mark and line.text.endswith("\\") else None
        if not begun:
            yield line
    if begun:
        yield begun


def _no_section(section: str, file: str) -> GrammarError:
    message = f"there is no section {section}; a heading begins in the first column, as in  4.  Syntax"
    return GrammarError(message, file=file)


# -- the text of an RFC


def _without_pages(lines: list[Line]) -> list[Line]:
    """Return *lines* without those between pages: footers, form feeds, headers, blank lines."""
    kept: list[Line] = []
    between = False
    for line in lines:
        shown = line.text.strip(" \t\r\f")
        if "\f" in line.text or _FOOTER.search(shown):
            between = True
            while kept and not kept[-1].text:
                kept.pop()
        if between and (not shown or _FOOTER.search(shown) or _HEADER.match(shown)):
            continue
        kept.append(Line(line.number, line.text.replace("\f", "").rstrip(" \t\r"), page=between))
        between = False
    return kept


def _section(lines: list[Line], section: str, file: str) -> list[Line]:
    headings = [(at, match[1]) for at, line in enumerate(lines) if (match := _NUMBER.match(line.text))]
    inside = [each for each in headings if each[1] == section]
    if not inside:
        raise _no_section(section, file)
    start = inside[0][0]
    after = (at for at, number in headings if at > start and not number.startswith(f"{section}."))
    return lines[start + 1 : next(after, len(lines))]


# -- Markdown


def _markdown(lines: list[Line], section: str | None, file: str) -> Document:
    document = Document()
    wanted = 0 if section is None else -1  # the level of the section's title; 0: all, -1: it has not begun
    seen = section is None
    indented: list[Line] = []
    rest = iter(lines)
    for line in rest:
        title, fence = _TITLE.match(line.text), _FENCE.match(line.text)
        if title and section:
            level = len(title[1])
            number = found_number[1] if (found_number := _NUMBER.match(title[2])) else ""
            if wanted < 0 and section in {title[2], number}:
                wanted, seen = level, True
            elif wanted >= level and not number.startswith(f"{section}."):
                wanted = -1
        elif fence:
            block = _fenced(line, fence, rest, document)
            if wanted >= 0:
                document.passages.append(block)
        if wanted >= 0:  # a block indented by four columns is code in Markdown
            kept = line.text.startswith(("    ", "\t")) and not fence
            indented.append(line if kept else Line(line.number, ""))
    if not seen:
        raise _no_section(section or "", file)
    document.passages.append(Passage((), tuple(indented)))
    return document


def _fenced(opening: Line, fence: re.Match[str], rest: Iterator[Line], found: Document) -> Passage:
    inside: list[Line] = []
    closing = re.compile(rf"[ \t>]*{fence[2][0]}{{{len(fence[2])},}}[ \t]*$")
    for line in rest:
        if closing.match(line.text):
            break
        margin = len(fence[1])
        text = line.text[margin:] if not line.text[:margin].strip(" \t>") else line.text.lstrip()
        inside.append(Line(line.number, text))
    else:
        found.problems.append(Problem(opening.number, "this fence is not closed"))
    return Passage(tuple(_WORD.findall(fence[3])), tuple(inside))


# -- RFC XML


def _xml(text: str, section: str | None, file: str) -> Document:
    reader = _XmlReader(section)
    try:
        reader.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        message = f"not well-formed XML: {expat.ErrorString(error.code)}"
        raise GrammarError(message, file=file, line=error.lineno, column=error.offset + 1) from None
    if section and section not in reader.sections:
        raise _no_section(section, file)
    return reader.found


class _XmlReader:
    """Collects the code of RFC XML (RFC 7991) in the sections that are wanted."""

    def __init__(self, section: str | None) -> None:
        self.found = Document()
        self.sections: set[str] = set()
        self._wanted = section
        self._back = False
        self._counts = [0]
        self._words: tuple[str, ...] | None = None  # of the element that is being read
        self._lines: list[Line] = []
        self.parser: Any = expat.ParserCreate("utf-8")
        self.parser.ExternalEntityRefHandler = self._outside
        self.parser.SkippedEntityHandler = lambda name, is_parameter: self._skipped(name)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def _number(self) -> str:
        first, *rest = self._counts[:-1] or [0]
        return ".".join([chr(64 + first) if self._back and 0 < first < 27 else str(first), *map(str, rest)])

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "back":
            self._back, self._counts = True, [0]
        elif tag == "section":
            self._counts[-1] += 1
            self._counts.append(0)
            self.sections.add(self._number())
        elif tag in {"sourcecode", "artwork"}:
            self._words = tuple(_WORD.findall(attributes.get("type", ""))) + tuple(attributes.get("name", "").split())
            self._lines = [Line(self.parser.CurrentLineNumber, "")]
            if attributes.get("src") and self._is_wanted():
                file = attributes["src"]
                self._problem(f"the text of this element is in another file, {file}, which is not read")

    def _end(self, tag: str) -> None:
        if tag == "section":
            self._counts.pop()
        elif tag in {"sourcecode", "artwork"} and self._words is not None:
            if self._is_wanted():
                first = 1 if len(self._lines) > 1 and not self._lines[0].text.strip() else 0
                last = len(self._lines) - (len(self._lines) > first and not self._lines[-1].text.strip())
                lines = [each._replace(text=each.text.rstrip("\r")) for each in self._lines[first:last]]
                self.found.passages.append(Passage(self._words, tuple(lines)))
            self._words = None

    def _is_wanted(self) -> bool:
        number = self._number()
        return self._wanted is None or number == self._wanted or number.startswith(f"{self._wanted}.")

    def _text(self, data: str) -> None:
        if self._words is None:
            return
        number = self.parser.CurrentLineNumber
        first, *more = data.split("\n")
        self._lines[-1] = Line(self._lines[-1].number if self._lines[-1].text else number, self._lines[-1].text + first)
        self._lines += [Line(number + by, text) for by, text in enumerate(more, 1)]

    def _outside(self, context: str | None, *rest: str | None) -> int:
        if context:
            self._skipped(context)
        return 1

    def _skipped(self, name: str) -> None:
        if self._words is not None and self._is_wanted():
            self._problem(f"the entity &{name}; is not defined in this document")

    def _problem(self, message: str) -> None:
        self.found.problems.append(Problem(self.parser.CurrentLineNumber, message))
