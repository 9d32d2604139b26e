"""The C library: mbrtowc in a UTF-8 locale, and iconv(3), called from a small C program compiled for the purpose."""

from utf8_abnf.decoders.decoder import Decoder

BUILD = ("{program}", "-O2", "-o", "{output}", "{source}")


def _row(name: str, about: str, argument: str) -> Decoder:
    return Decoder(name, about, "cc", ("{binary}", argument), source="libc.c", build=BUILD)


DECODERS = (
    _row("libc-mbrtowc", "mbrtowc in the locale C.UTF-8", "mbrtowc"),
    _row("libc-iconv-utf-8", "iconv_open('UTF-8', 'UTF-8')", "UTF-8"),
    _row("libc-iconv-utf-16", "iconv_open('UTF-16LE', 'UTF-8')", "UTF-16LE"),
    _row("libc-iconv-ucs-4", "iconv_open('UCS-4LE', 'UTF-8')", "UCS-4LE"),
)
