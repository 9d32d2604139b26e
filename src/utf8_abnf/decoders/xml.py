"""XML: the parsers of libxml2 and expat, and libxml2's xmlCheckUTF8 and xmlGetUTF8Char."""

from utf8_abnf.decoders.compiled import from_python, library
from utf8_abnf.decoders.decoder import Decoder

CHAR = "controls, U+FFFE and U+FFFF are no XML 1.0 Char; < & ] are markup"


def _libxml2(name: str, about: str, argument: str, refuses: str, direct: str) -> Decoder:
    return library(
        f"libxml2-{name}",
        about,
        source="xml.c",
        argument=argument,
        install="apt:libxml2-dev",
        module="libxml-2.0",
        refuses=refuses,
        direct=direct,
    )


def _by_parser(python: str) -> str:
    return f"""python3 -c "import sys; d = b'<a>' + sys.stdin.buffer.read() + b'</a>'; {python}" 2> /dev/null"""


# It takes a length that it changes, and gives the next character or -1.
GET_CHAR = """python3 -c "import ctypes, sys
d = sys.stdin.buffer.read(); l = ctypes.CDLL('libxml2.so.2')
while d:
    n = ctypes.c_int(len(d))
    if l.xmlGetUTF8Char(d, ctypes.byref(n)) < 0: sys.exit(1)
    d = d[n.value:]\""""

DECODERS = (
    _libxml2(
        "check-utf8",
        "xmlCheckUTF8",
        "xmlCheckUTF8",
        "NUL ends a C string",
        from_python("l.xmlCheckUTF8(d)", "libxml2.so.2"),
    ),
    _libxml2("get-utf8-char", "xmlGetUTF8Char for each character", "xmlGetUTF8Char", "", GET_CHAR),
    _libxml2(
        "parser",
        "xmlReadMemory of an element with the data as its text, xmlParseChunk for mode s",
        "xmlReadMemory",
        CHAR,
        "(printf '<a>'; cat; printf '</a>') | xmllint --noout - 2> /dev/null",
    ),
    library(
        "expat-parser",
        "XML_Parse of an element with the data as its text, and XML_GetCurrentByteIndex",
        source="expat.c",
        argument="XML_Parse",
        install="apt:libexpat1-dev",
        module="expat",
        refuses=CHAR,
        direct=_by_parser("from xml.parsers import expat; expat.ParserCreate('UTF-8').Parse(d, True)"),
    ),
)
