"""GNU libunistring: u8_check, and u8_mbtoucr with u8_mbtouc."""

from utf8_abnf.decoders.compiled import from_python, header, library
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, argument: str, direct: str = "") -> Decoder:
    return library(
        f"libunistring-{name}",
        about,
        source="unistring.c",
        argument=argument,
        install="apt:libunistring-dev",
        flags="-lunistring",
        probe=header("unistr.h"),
        direct=direct,
    )


DECODERS = (
    _row("u8-check", "u8_check", "u8_check", from_python("not l.u8_check(d, n)", "libunistring.so.2")),
    _row("u8-mbtoucr", "u8_mbtoucr for each character, and u8_mbtouc for mode r", "u8_mbtoucr"),
)
