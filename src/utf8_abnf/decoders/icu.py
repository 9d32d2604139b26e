"""ICU: its converters for UTF-8 and CESU-8, u_strFromUTF8, and the macro U8_NEXT."""

from utf8_abnf.decoders.compiled import from_c, library
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, argument: str, claim: str = "UTF-8", direct: str = "") -> Decoder:
    return library(
        f"icu-{name}",
        about,
        source="icu.c",
        argument=argument,
        install="apt:libicu-dev",
        module="icu-uc",
        claim=claim,
        direct=direct,
    )


CESU_8 = from_c(
    'UErrorCode e = 0; UConverter *c = ucnv_open("CESU-8", &e); UChar o[99999]; '
    "ucnv_setToUCallBack(c, UCNV_TO_U_CALLBACK_STOP, 0, 0, 0, &e); ucnv_toUChars(c, o, 99999, d, n, &e); r = e <= 0;",
    "unicode/ucnv.h",
    module="icu-uc",
)

DECODERS = (
    _row("ucnv", "ucnv_toUnicode that STOPs; the offset by ucnv_getInvalidChars; SUBSTITUTE for mode r", "UTF-8"),
    _row("ucnv-cesu-8", "ucnv_open('CESU-8'), ucnv_toUnicode that STOPs", "CESU-8", "CESU-8 (UTR 26)", CESU_8),
    _row("u-strfromutf8", "u_strFromUTF8, and u_strFromUTF8WithSub for mode r", "u_strFromUTF8"),
    _row("u8-next", "the macro U8_NEXT, and U8_NEXT_OR_FFFD for mode r", "U8_NEXT"),
)
