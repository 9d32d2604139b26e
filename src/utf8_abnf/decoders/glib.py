"""GLib: g_utf8_validate and g_utf8_make_valid, g_utf8_to_ucs4, g_utf8_get_char_validated, g_convert."""

from utf8_abnf.decoders.compiled import from_python, library
from utf8_abnf.decoders.decoder import Decoder

NUL = "NUL: g_utf8_validate refuses it, and to the others it ends the text, as their documentation says"


def _row(name: str, about: str, argument: str, call: str, refuses: str = NUL) -> Decoder:
    return library(
        f"glib-{name}",
        about,
        source="glib.c",
        argument=argument,
        install="apt:libglib2.0-dev",
        module="glib-2.0",
        refuses=refuses,
        direct=from_python(call, "libglib-2.0.so.0") if call else "",
    )


DECODERS = (
    _row(
        "utf8-validate",
        "g_utf8_validate_len and its end, and g_utf8_make_valid for mode r",
        "g_utf8_validate_len",
        "l.g_utf8_validate_len(d, n, None)",
    ),
    _row("utf8-to-ucs4", "g_utf8_to_ucs4, and its items_read", "g_utf8_to_ucs4", "l.g_utf8_to_ucs4(d, n, 0, 0, 0)"),
    _row(
        "utf8-get-char-validated",
        "g_utf8_get_char_validated for each character",
        "g_utf8_get_char_validated",
        "",
    ),
    _row(
        "convert",
        "g_convert to UTF-16LE, and its bytes_read",
        "g_convert",
        "l.g_convert(d, n, b'UTF-16LE', b'UTF-8', 0, 0, 0)",
        "",
    ),
)
