"""The usual mistake in the code behind a class of wrong verdicts: what a programmer looks for first."""

from __future__ import annotations

from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, TRUNCATED

#                    first bytes  what is accepted wrongly if it begins so
OF_LEADS = (
    (range(0xC0, 0xC2), "`c >= 0xC0` or `(c & 0xE0) == 0xC0`: the first bytes of two begin at C2"),
    (range(0xE0, 0xE1), "no look at the second byte after E0: it is A0..BF"),
    (range(0xED, 0xEE), "no look at the second byte after ED: it is 80..9F"),
    (range(0xF0, 0xF1), "no look at the second byte after F0: it is 90..BF"),
    (range(0xF4, 0xF5), "`c <= 0xF4` without a look at the second byte: after F4 it is 80..8F"),
    (range(0xF5, 0xF8), "`(c & 0xF8) == 0xF0`: the first bytes of four end at F4"),
    (range(0xF8, 0x100), "a table of RFC 2279, which had five and six bytes"),
)
OF_CODES = {
    LONE_TAIL: "`c < 0xC0` is taken for ASCII: only `c < 0x80` is",
    MISSING_TAIL: "the tails are counted, and not held against `(c & 0xC0) == 0x80`",
    TRUNCATED: "the loop ends with the input, and nobody asks whether tails are still to come",
}
#                    begins with      what is rejected wrongly
OF_REJECTED = (
    ("00", "a C string, which ends at NUL: take the length from the caller"),
    ("EF BB BF", "a BOM is taken for an error: it is a character"),
    ("EF BF BE", "noncharacters are taken for errors: they are characters"),
    ("EF BF BF", "noncharacters are taken for errors: they are characters"),
    ("EF B7 90", "noncharacters are taken for errors: they are characters"),
    ("ED 80 80", "ED is taken for a surrogate: only ED A0..BF are"),
    ("F0 90 80 80", "no branch for four bytes, as in MySQL's `utf8`"),
)


def usual_mistake(example: bytes, *, accepted: bool) -> str:
    """Return the usual mistake of code that judges *example* wrongly, "" where there is none.

    >>> usual_mistake(bytes.fromhex("F4 90 80 80"), accepted=True)
    '`c <= 0xF4` without a look at the second byte: after F4 it is 80..8F'
    """
    if not accepted:
        return next((text for shown, text in OF_REJECTED if example == bytes.fromhex(shown)), "")
    error = plan().oracle.ill_formed(example)
    if error is None or error.start:
        return ""
    if error.code in OF_CODES:
        return OF_CODES[error.code]
    return next((text for leads, text in OF_LEADS if example[0] in leads), "")
