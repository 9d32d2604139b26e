"""Says what a class of wrong verdicts means: the broken rule, the reason, what an attacker gains, the usual mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.standard import cut_utf8, first_ill_formed, first_piece, promised
from utf8_abnf.conformance.naming.places import AS_A_WHOLE, AT_THE_END
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, OVERLONG, SURROGATE, TOO_LARGE, TRUNCATED, describe

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton


class Meaning(NamedTuple):
    """What a report says about a class of deviations."""

    rule: str
    section: str
    why: str
    security: str


REASONS = {
    OVERLONG: ("RFC 3629 section 3", "a longer form than the character needs"),
    SURROGATE: ("RFC 3629 section 3", "U+D800..U+DFFF are the surrogates of UTF-16, not characters"),
    TOO_LARGE: ("RFC 3629 section 3", "nothing above U+10FFFF is a character"),
    LONE_TAIL: ("RFC 3629 section 4", "no character begins with a tail byte"),
    MISSING_TAIL: ("RFC 3629 section 4", "a tail byte is missing"),
    TRUNCATED: ("RFC 3629 section 4", "the input ends within a character"),
}

RISKS = {
    OVERLONG: "a second spelling of a character slips past every check that looks for the first (RFC 3629 section 10)",
    SURROGATE: "the text cannot become UTF-16 and back: other systems will refuse it, or read it as other text",
    TOO_LARGE: "what comes behind may overflow a table or a 21-bit field, or turn it into another character",
    LONE_TAIL: "broken text passes as whole: two programs will disagree on what it says",
    MISSING_TAIL: "the byte after a cut character may be swallowed, a quote or '<' among them (Unicode TR36 3.1)",
    TRUNCATED: "a reader may run past the end of the buffer, or join the rest with what comes next",
}

# Inputs of special importance: the report says so when a class contains one of them.
ACCEPTED_RISKS = (
    (b"\xc0\xaf", "C0 AF is '/': paths such as ..%C0%AF.. get past a filter (RFC 3629 section 10, CVE-2000-0884)"),
    (b"\xe0\x80\xaf", "E0 80 AF is '/': paths get past a filter"),
    (b"\xf0\x80\x80\xaf", "F0 80 80 AF is '/': paths get past a filter"),
    (b"\xc0\x80", "C0 80 is NUL: a string ends where the check did not see its end"),
    (b"\xe0\x80\x80", "E0 80 80 is NUL: a string ends where the check did not see its end"),
)
UNREAD_RISK = "what follows is not checked: an attacker can put anything there"
UNREAD = "the decoder stops reading here, and accepts whatever follows"
SWALLOWED = (b'\xc2"', b'\xe2\x82"', b'\xe2""', b'\xf0\x9f\x98"', b'\xf1"""')  # cut characters that take in a quote
REJECTED_RISKS = (
    (b"\x00", "NUL is a character like any other (UTF8-1): data after it may never be checked"),
    (b"\xef\xbb\xbf", "EF BB BF, the byte order mark, is well-formed (RFC 3629 section 6)"),
    (b"\xef\xbf\xbe", "noncharacters are well-formed (Unicode 3.9 D92; corrigendum 9)"),
)


def meaning(word: bytes, language: Automaton, *, accepted: bool, rest_is_unread: bool = False) -> Meaning:
    """Return what it means that *word*, and all of *language*, is accepted wrongly or, if not *accepted*, rejected.

    *rest_is_unread*: the decoder accepts *word* whatever comes behind it.

    >>> from utf8_abnf.conformance.naming.words import words_of
    >>> meaning(bytes.fromhex("C3 A9 E0 80 80"), words_of([[0xE0], [0x80], [0x80]]), accepted=True).why
    'UTF8-OVERLONG: a longer form than the character needs'
    >>> swallowed = words_of([range(0xC0, 0xE0), range(256)])
    >>> meaning(bytes.fromhex("C0 00"), swallowed, accepted=True).security.endswith(RISKS[MISSING_TAIL])
    True
    """
    known = ACCEPTED_RISKS if accepted else REJECTED_RISKS
    risks = [text for risky, text in known if language.accepts(risky)]
    at = first_ill_formed(word) if accepted else len(word)
    if (error := describe(word[at : at + 4], at)) is not None:
        section, why = REASONS[error.code]
        if rest_is_unread:
            return Meaning(error.rule, section, f"{error.code}: {why}", UNREAD_RISK)
        if accepted and error.code != MISSING_TAIL and any(map(language.accepts, SWALLOWED)):
            risks.append(RISKS[MISSING_TAIL])
        return Meaning(error.rule, section, f"{error.code}: {why}", "; ".join([RISKS[error.code], *risks]))
    if accepted:
        return Meaning("", "", "", "")
    if not word:
        return Meaning("UTF8-octets", "RFC 3629 section 4", "the empty input has no character that could be wrong", "")
    lengths = sorted({len(piece) for piece, good in cut_utf8(word) if good})
    rule = f"UTF8-{lengths[-1]}"
    security = "; ".join(["well-formed text is refused, lost or read as other text", *risks])
    return Meaning(rule, "RFC 3629 section 4", "every one of these is a character", security)


# -- the usual mistake in the code -------------------------------------------------------------------------------------

#                    first bytes  what is accepted wrongly if it begins so
OF_LEADS = (
    (range(0xC0, 0xC2), "`c >= 0xC0` or `(c & 0xE0) == 0xC0`: the first bytes of two begin at C2"),
    (range(0xE0, 0xE1), "no look at the second byte after E0: it is A0..BF"),
    (range(0xED, 0xEE), "no look at the second byte after ED: it is 80..9F"),
    (range(0xF0, 0xF1), "no look at the second byte after F0: it is 90..BF"),
    (range(0xF4, 0xF5), "`c <= 0xF4` without a look at the second byte: after F4 it is 80..8F"),
    (range(0xF5, 0xF8), "`(c & 0xF8) == 0xF0`: the first bytes of four end at F4"),
    (range(0xF8, 0xFE), "a table of RFC 2279, which had five and six bytes"),
)
PLACES_OF_CUTS = {TRUNCATED: (AT_THE_END, AS_A_WHOLE)}
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


def usual_mistake(example: bytes, where: str, *, accepted: bool, rest_is_unread: bool = False) -> str:
    """Return the usual mistake of code that judges *example* wrongly *where* a class says, "" where there is none.

    A class that holds only at some places shows no such mistake, except cut characters at the end of the input. First
    bytes show one only in whole sequences. *rest_is_unread* is as in ``meaning``.

    >>> usual_mistake(bytes.fromhex("F4 90 80 80"), "", accepted=True)
    '`c <= 0xF4` without a look at the second byte: after F4 it is 80..8F'
    """
    if rest_is_unread:
        return UNREAD
    if not accepted:
        return next((text for shown, text in OF_REJECTED if example == bytes.fromhex(shown)), "")
    error = plan().oracle.ill_formed(example)
    if error is None or error.start or where not in PLACES_OF_CUTS.get(error.code, ("",)):
        return ""
    if error.code in OF_CODES:
        return OF_CODES[error.code]
    is_whole = len(first_piece(example)) == len(example) == promised(example[0])
    return next((text for leads, text in OF_LEADS if is_whole and example[0] in leads), "")
