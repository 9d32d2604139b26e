"""XML and HTML tools: xmllint (libxml2), xmlwf (Expat), SAXCount (Xerces-C++), rxp and tidy read each input as text.

``<`` ``>`` ``&`` are written as references. XML 1.0 has no C0 controls but tab, LF and CR, and neither U+FFFE nor
U+FFFF: such an input is not judged.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from utf8_abnf.decoders.batch import Each, Tool, row

NO_CHAR = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
REFUSES = "what is no Char of XML 1.0: C0 controls, U+FFFE, U+FFFF"
DIRECT = "{ printf '<a>'; cat; printf '</a>'; }"


def document(data: bytes) -> bytes | None:
    r"""Return an XML document with *data* as the text of its element; None where XML has no such characters.

    >>> document(b"1<2"), document(b"\0")
    (b'<a>1&lt;2</a>', None)
    """
    if NO_CHAR.search(data):
        return None
    return b"<a>%b</a>" % escape(data.decode("latin-1")).encode("latin-1")


def paragraph(data: bytes) -> bytes:
    """Return *data* as a paragraph of HTML on one line, its controls as references."""
    return b"<p>" + b"".join(b"&#%d;" % byte if byte < 32 or byte in b"&<>" else bytes([byte]) for byte in data)


class Xmllint(Tool):
    """libxml2's parser."""

    def __init__(self) -> None:
        super().__init__(("xmllint", "--noout", "--nonet"), rb"^(\d+):\d+: parser error", wrap=document)


class Xmlwf(Tool):
    """Expat's parser."""

    def __init__(self) -> None:
        super().__init__(("xmlwf", "-k"), rb"^(\d+):\d+:\d+: ", wrap=document)


class Xerces(Tool):
    """The SAX parser of Xerces-C++, which is given a list of files."""

    def __init__(self) -> None:
        command = ("sh", "-c", 'printf "%s\\n" "$@" >list; SAXCount -l list', "sh")
        super().__init__(command, rb"Error at file [^,\n]*?(\d+), line", wrap=document)


class Rxp(Each):
    """RXP, a process for each document."""

    def __init__(self) -> None:
        super().__init__(("rxp", "-s"), wrap=document)


class Tidy(Tool):
    """HTML Tidy: every input a line of one document."""

    def __init__(self) -> None:
        command = ("tidy", "-q", "-e", "-utf8", "--show-errors", "9999999")
        super().__init__(
            command,
            rb"^line (\d+) column .* invalid UTF-8 bytes",
            wrap=paragraph,
            in_lines="page.html",
            first=b"<!DOCTYPE html><title></title>",
        )


DECODERS = (
    row(
        "xmllint",
        "xmllint --noout: libxml2 parses <a>…</a>",
        "xml_tools:Xmllint",
        "xmllint --version",
        "apt:libxml2-utils",
        f"{DIRECT} | xmllint --noout -",
        refuses=REFUSES,
        version=("xmllint", "--version"),
    ),
    row(
        "xmlwf",
        "xmlwf: Expat parses <a>…</a>",
        "xml_tools:Xmlwf",
        "xmlwf -v",
        "apt:expat",
        f"{DIRECT} | xmlwf || exit 1",
        refuses=REFUSES,
        version=("xmlwf", "-v"),
    ),
    row(
        "xerces-c",
        "SAXCount: Xerces-C++ parses <a>…</a>",
        "xml_tools:Xerces",
        "command -v SAXCount",
        "apt:libxerces-c-samples",
        f"! {DIRECT} | StdInParse 2>&1 | grep -q Error",
        refuses=REFUSES,
        version=("dpkg-query", "-W", "libxerces-c-samples"),
    ),
    row(
        "rxp",
        "rxp -s: RXP parses <a>…</a>",
        "xml_tools:Rxp",
        "command -v rxp",
        "apt:rxp",
        f"{DIRECT} | rxp -s",
        refuses=REFUSES,
        version=("dpkg-query", "-W", "rxp"),
    ),
    row(
        "tidy",
        "tidy -utf8: does it find invalid UTF-8 bytes in <p>…?",
        "xml_tools:Tidy",
        "tidy -v",
        "apt:tidy",
        "! { printf '<p>'; cat; } | tidy -q -e -utf8 2>&1 | grep -q 'invalid UTF-8'",
        version=("tidy", "-v"),
    ),
)
