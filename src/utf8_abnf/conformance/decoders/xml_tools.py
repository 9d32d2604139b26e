"""Adapters of XML and HTML tools, which read each input as text: SAXCount and tidy.

These rows need code because the input becomes a document. ``<`` ``>`` ``&`` are written as references. XML 1.0 has
neither C0 controls except tab, LF and CR, nor U+FFFE and U+FFFF: such an input is not judged.
"""

from __future__ import annotations

import re
from functools import partial
from xml.sax.saxutils import escape

from utf8_abnf.conformance.decoders.batch import Tool

NO_CHAR = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")


def document(data: bytes) -> bytes | None:
    r"""Return an XML document with *data* as the text of its element; None when it has characters that XML forbids.

    >>> document(b"1<2"), document(b"\0")
    (b'<a>1&lt;2</a>', None)
    """
    if NO_CHAR.search(data):
        return None
    return b"<a>%b</a>" % escape(data.decode("latin-1")).encode("latin-1")


def paragraph(data: bytes) -> bytes:
    """Return *data* as a paragraph of HTML on one line, its controls as references."""
    return b"<p>" + b"".join(b"&#%d;" % byte if byte < 32 or byte in b"&<>" else bytes([byte]) for byte in data)


# The SAX parser of Xerces-C++ is given a list of files; every input of HTML Tidy is a line of one document.
SAXCOUNT = ("sh", "-c", 'printf "%s\\n" "$@" >list; SAXCount -l list', "sh")
TIDY = ("tidy", "-q", "-e", "-utf8", "--show-errors", "9999999")
OF_A_LINE = rb"^line (\d+) column .* invalid UTF-8 bytes"
HEAD = b"<!DOCTYPE html><title></title>"
Xerces = partial(Tool, SAXCOUNT, rb"Error at file [^,\n]*?(\d+), line", wrap=document)
Tidy = partial(Tool, TIDY, OF_A_LINE, wrap=paragraph, in_lines="page.html", first=HEAD)
