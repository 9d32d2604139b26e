"""Suggest corrections for text that is not ABNF, as people paste it from other notations and pages."""

from __future__ import annotations

import re
import unicodedata

from utf8_abnf.language import syntax_errors as messages
from utf8_abnf.language.catalogue import Message

# Characters beyond ASCII that word processors and web pages put in place of those of ABNF.
PASTED = {
    **dict.fromkeys("“”„‟«»″＂", messages.STRAIGHT),
    **dict.fromkeys("‘’‚‛´‹›′", messages.STRAIGHT_DOUBLE),
    **dict.fromkeys("‐‑‒–—−", messages.HYPHEN),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", messages.SPACE),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\u00ad\ufeff", messages.INVISIBLE),
    **dict.fromkeys("→⟶⇒←≔", messages.DEFINES_ARROW),
    **dict.fromkeys("…‥", messages.RANGE_LIKE),
    **dict.fromkeys("•·‣◦", messages.LIST),
    **dict.fromkeys("\u2028\u2029\u0085", messages.LINE_END),
}
EMPTY = "εϵλΛ∅"  # as textbooks write it
_FULL_WIDTH = range(0xFF01, 0xFF5F)  # those of ASCII, in the width of Japanese and Chinese characters

# What stands where the name of a rule is expected; the line is matched from its first character.
RULE = (
    (r"```|~~~", messages.MARKDOWN),
    (r"<[A-Za-z][^>]*>[ \t]*:*=", messages.NO_BRACKETS),
    (r"\d+[.:)|]?[ \t]+[A-Za-z][\w-]*[ \t]*=", messages.NO_NUMBERS),
    (r"\d", messages.BEGINS_WITH_LETTER),
    (r"#(?=[\s\S]*^(```|~~~)[ \t]*abnf\b)", messages.MARKDOWN),
    (r"#|//|--|\(\*|/\*|<!--", messages.COMMENT),
    (r"(>|\|)[ \t]*[A-Za-z][\w-]*[ \t]*=", messages.NO_SIGN),
    (r"[-+][A-Za-z][\w-]*[ \t]*=", messages.NO_PATCH),
    (r"[-*+][ \t]", messages.LIST),
    (r"\*\*|__|`", messages.MARKDOWN_NAME),
    (r"&[#\w]+;|</?\w+>", messages.HTML_PAGE),
)
# What stands behind a name where = is expected.
DEFINED_AS = (
    (r"::?=|:|←", messages.DEFINES),
    (r"[-=]*>", messages.DEFINES_ARROW),
    (r"_", messages.NAME_LETTERS),
    (r"""["'%\[(<*\d{]""", messages.EQUALS),
)
# What stands where an element is expected, or the end of the line.
ELEMENT = (
    (r"\|", messages.SLASH),
    (r"'", messages.DOUBLE),
    (r"_", messages.NAME_LETTERS),
    (r"//", messages.ALTERNATIVE),
    (r"/", messages.ALTERNATIVE),
    (r"\)", messages.NO_ROUND),
    (r"\]", messages.NO_SQUARE),
    (r"\{0?,1\}", messages.OPTION),
    (r"\{(?P<low>\d*),(?P<high>\d*)\}", messages.REPEAT_BETWEEN),
    (r"\{(?P<low>\d+)\}", messages.REPEAT_EXACTLY),
    (r"\{", messages.OPTION_OR_REPETITION),
    (r"(?<=\])[+*]", messages.NO_SETS),
    (r"""(?<=[\w")\]])\*""", messages.REPEAT_BEFORE),
    (r"\*", messages.REPEAT_ONE),
    (r"(?<=U)\+(?P<hex>[0-9A-Fa-f]{4,6})", messages.CODE_POINT),
    (r"\+", messages.REPEAT_PLUS),
    (r"\?", messages.OPTION),
    (r"#", messages.HTTP_LIST),
    (r"`", messages.MARKDOWN),
    (r"\\[ux]\{?(?P<hex>[0-9A-Fa-f]{2,6})", messages.CHARACTER),
    (r"\\", messages.NO_ESCAPES),
    (r'(?<=\\")[^"\r\n]*"|(?<=")"', messages.NO_QUOTE),
    (r"&[#\w]+;", messages.HTML_CHARACTER),
    (r"::?=|:", messages.DEFINES),
    (r"=", messages.SAME_COLUMN),
    (r"(?<=\[\w)-", messages.RANGE),
    (r"(?<=\d)-(?=\d)", messages.REPEAT_HYPHEN),
    (r"(?<=[0-9A-Fa-f])-%|(?<=%[xX][0-9A-Fa-f]{2}[ \t])-[ \t]*(%[xX])?[0-9A-Fa-f]{2}", messages.ONE_RANGE),
    (r"(?<=\w)-|(?<=\")[ \t]*-[ \t]*(?=\")", messages.RANGE),
    (r"-", messages.NO_EXCEPTIONS),
    (r"\.\.|\.(?=\w)", messages.RANGE_HYPHEN),
    (r"!|\^", messages.NO_NEGATION),
    (r",", messages.NO_COMMA),
    (r"[@$&~.]", messages.QUOTED),
    (r"[\w(\[<%\"]", messages.WHITE_SPACE),
)
# A value that ends in the wrong place, and what follows: a range in a series, a series behind a range, hexadecimals.
CUT_VALUE = re.compile(r"%(?P<base>[xXdDbB])[0-9A-Fa-f]+(?:\.[0-9A-Fa-f]+)*(?:-[0-9A-Fa-f]+)?$")
REST = re.compile(r"[0-9A-Fa-f.-]+")


def for_character(text: str, at: int) -> str:
    """Return what to write instead of the character at *at*, which is beyond ASCII."""
    char = text[at]
    if (plain := full_width(char)) is not None:
        return Message(PASTED.get(char, messages.OF_ASCII), character=plain)
    before = text[text.rfind("\n", 0, at) + 1 : at]
    if before.count('"') % 2 == 0:
        if char in EMPTY:
            return Message(messages.EMPTY_STRING)
        if (digit := unicodedata.decimal(char, None)) is not None:
            return Message(messages.OF_ASCII, character=str(digit))
        if char.isalpha() and not before[:1].isspace() and "=" not in before:
            return Message(messages.LETTERS)
    known = messages.CODE_POINT if char.isprintable() else messages.OTHER_BYTES
    if "\x80" <= char <= "\xff" and char.isprintable():  # in a grammar of its own, %xE4 would be a byte
        known = messages.BYTES_OR_CODE_POINT
    return Message(
        PASTED.get(char, known), hex=f"{ord(char):X}", bytes=char.encode("utf-8", "replace").hex(".").upper()
    )


def full_width(char: str) -> str | None:
    """Return the character of ASCII that *char* is in full width, None if it is none."""
    return chr(ord(char) - 0xFEE0) if char and ord(char) in _FULL_WIDTH else None


def for_rule(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, where the name of a rule is expected."""
    is_first = not re.sub(r";[^\n]*", "", text[:at]).strip()
    return _first(RULE, text, at) or Message(messages.FIRST if is_first else messages.INDENT)


def for_defined_as(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, behind a name at the beginning of a line; "" if unknown."""
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].rstrip()
    if re.search(r"\[Page \w+\]$|^RFC \d+ ", line.strip()):
        return Message(messages.PAGE)
    if text.startswith(("=", "/"), at) or not line:
        return ""
    found = _first(DEFINED_AS, text, at)
    return found or Message(messages.PROSE_COMMENT) if text[at : at + 1].strip() else found


def for_element(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, where an element or the end is expected; "" if unknown."""
    before = text[:at].rstrip(" \t")
    if text.startswith("=", at) and before.endswith("="):
        return Message(messages.ONE_EQUALS)
    if CUT_VALUE.search(text[:at]) and text[at : at + 1].isalnum():
        return _for_value(before, text, at)
    return _for_value(before, text, at) or _first(ELEMENT, text, at)


def _for_value(before: str, text: str, at: int) -> str:
    """Return what to write instead of a value of which *before* has a part, and *text* from *at* on the rest."""
    value, rest = CUT_VALUE.search(before), REST.match(text, at)
    if not (value and rest) or len(before) < at:
        return ""
    base, digits = value["base"], value[0][2:] + rest[0]
    if base in "dD" and re.search("[A-Fa-f]", rest[0]):
        return Message(messages.IN_HEX, digits=digits)
    if "." in digits and re.fullmatch(r"[0-9A-Fa-f]+([-.][0-9A-Fa-f]+)+", digits):
        parts = re.findall(r"[^.-]+-[^.]+|[^.-]+(?:\.[^.-]+(?![^.]*-))*", digits)  # ranges, and series between them
        return Message(messages.NO_MIX, instead=" ".join(f"%{base}{part}" for part in parts))
    return Message(messages.NUMBER) if re.match("-[0-9A-Fa-f]", rest[0]) else ""


def for_nothing(text: str, at: int) -> str:
    """Return what to write where nothing stands at *at*, the end of a line, although an element is expected."""
    before = text[:at].rstrip(" \t")
    if before.endswith("="):
        return Message(messages.EMPTY_STRING)
    return Message(messages.NO_SLASH) if before.endswith("/") else ""


def _first(table: tuple[tuple[str, str], ...], text: str, at: int) -> str:
    for pattern, remedy in table:
        if found := re.compile(pattern, re.MULTILINE).match(text, at):
            return Message(remedy, found=found[0], **found.groupdict())
    return ""
