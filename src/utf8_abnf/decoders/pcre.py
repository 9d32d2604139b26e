"""PCRE2 and its predecessor: the check of a subject that precedes each match in UTF mode."""

from utf8_abnf.decoders.compiled import library
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, argument: str, version: str) -> Decoder:
    return library(
        name,
        about,
        source="pcre.c",
        argument=argument,
        install="apt:libpcre2-dev apt:libpcre3-dev",
        module="libpcre2-8 libpcre",
        version=("pkg-config", "--modversion", version),
    )


DECODERS = (
    _row("pcre2-match", "pcre2_match with PCRE2_UTF, and pcre2_get_startchar", "pcre2_match", "libpcre2-8"),
    _row("pcre-exec", "pcre_exec with PCRE_UTF8, and ovector[0]", "pcre_exec", "libpcre"),
)
