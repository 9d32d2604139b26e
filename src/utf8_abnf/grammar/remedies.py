"""Remedies: what to write in place of that which is not ABNF, for what people paste from other notations and pages."""

from __future__ import annotations

import re

ALTERNATIVE = "an alternative may not be empty; write [ … ] for an option"
COMMENT = "a comment begins with ;"
DEFINES = "ABNF defines a rule with =, where other notations write ::= or :="
HTTP_LIST = (
    'the list #item is an extension of HTTP (RFC 9110 section 5.6.1); write it out: item *( *" " "," *" " item )'
)
FIRST = 'a grammar begins with a rule, as in greeting = "hello"'
INDENT = "a continued line begins with white space"
LIST = "remove the sign of the list"
MARKDOWN = "ABNF has no Markdown in it; remove the lines of the fence"
NO_EXCEPTIONS = "ABNF has no exceptions; write the ranges of values that are left"
NUMBER = 'a number is %x41, %d65, %b1000001, %x41-5A or %x0D.0A, a string %s"abc" or %i"abc"'
PAGE = "the page of a document; `utf8-abnf grammar extract` takes the rules out"
RANGE = "a range is written with numbers: %x61-7A for a to z"
STRAIGHT = 'write strings between straight quotation marks, "'

# Characters beyond ASCII that word processors and web pages put in place of those of ABNF.
_PASTED = {
    **dict.fromkeys("“”„‟«»″＂", STRAIGHT),
    **dict.fromkeys("‘’‚‛´‹›′", 'write strings between straight double quotation marks, "'),
    **dict.fromkeys("‐‑‒–—−", "write the hyphen of ASCII, -"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", "write an ordinary space"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\u00ad\ufeff", "this character is invisible; remove it"),
    **dict.fromkeys("→⟶⇒←≔", "ABNF defines a rule with ="),
    **dict.fromkeys("…‥", "write a range as %x41-5A"),
    **dict.fromkeys("•·‣◦", LIST),
    **dict.fromkeys("\u2028\u2029\u0085", "write an ordinary line end"),
}
_FULL_WIDTH = range(0xFF01, 0xFF5F)  # those of ASCII, in the width of Japanese and Chinese characters

# What stands where the name of a rule is expected; the line is matched from its first character.
_RULE = (
    (r"```|~~~", MARKDOWN),
    (r"<[A-Za-z][^>]*>[ \t]*:*=", "names of rules have no angle brackets"),
    (r"\d+[.:)|]?[ \t]+[A-Za-z][\w-]*[ \t]*=", "remove the numbers of the lines"),
    (r"\d", "the name of a rule begins with a letter"),
    (r"#|//|--|\(\*|/\*|<!--", COMMENT),
    (r"(>|\|)[ \t]*[A-Za-z][\w-]*[ \t]*=", "remove the sign before each line"),
    (r"[-+][A-Za-z][\w-]*[ \t]*=", "remove the signs of the patch"),
    (r"[-*+][ \t]", LIST),
    (r"\*\*|__|`", "ABNF has no Markdown in it; remove the signs around the name"),
    (r"&[#\w]+;|</?\w+>", "this is HTML; paste the text of the page"),
)
# What stands behind a name where = is expected.
_DEFINED_AS = (
    (r"::?=|:|←", DEFINES),
    (r"[-=]*>", "ABNF defines a rule with ="),
    (r"_", "rule names consist of letters, digits and hyphens"),
    (r"""["'%\[(<*\d{]""", "write = after the name of the rule"),
)
# What stands where an element is expected, or the end of the line.
_ELEMENT = (
    (r"\|", "alternatives are separated by /"),
    (r"'", 'write strings in double quotes, as in "abc"'),
    (r"_", "rule names consist of letters, digits and hyphens"),
    (r"//", ALTERNATIVE),
    (r"/", ALTERNATIVE),
    (r"\)", "no ( is open here"),
    (r"\]", "no [ is open here"),
    (r"\{0?,1\}", "write [ … ] for an option"),
    (r"\{(?P<low>\d*),(?P<high>\d*)\}", "write {low}*{high} before the item"),
    (r"\{(?P<low>\d+)\}", "write {low} before the item"),
    (r"\{", "write [ … ] for an option and *item for a repetition"),
    (r"(?<=\])[+*]", "ABNF has no sets of characters as in [a-z]+; write 1*%x61-7A"),
    (r"""(?<=[\w")\]])\*""", "a repeat stands before its item: *item, 1*item"),
    (r"\*", "write one repeat, without white space after it: 2*4item, *item, 3item"),
    (r"(?<=U)\+(?P<hex>[0-9A-Fa-f]{4,6})", "write %x{hex} for the code point"),
    (r"\+", "write 1*item for one or more"),
    (r"\?", "write [ … ] for an option"),
    (r"#", HTTP_LIST),
    (r"`", MARKDOWN),
    (r"\\[ux]\{?(?P<hex>[0-9A-Fa-f]{2,6})", "write %x{hex} for the character"),
    (r"\\", "ABNF has no escapes; write a character as %x5C"),
    (r'(?<=\\")[^"\r\n]*"|"', 'a string ends at the next "; write DQUOTE, or %x22, for the quotation mark itself'),
    (r"&[#\w]+;", 'this is HTML; write the character itself, " for &quot; and < for &lt;'),
    (r"::?=|:", DEFINES),
    (r"=", "a rule begins in the same column as the first rule of the file, and a continued line is indented more"),
    (r"(?<=\[\w)-", RANGE),
    (r"(?<=\d)-(?=\d)", "write a repeat as 1*3item"),
    (r"(?<=\w)-|(?<=\")[ \t]*-[ \t]*(?=\")", RANGE),
    (r"-", NO_EXCEPTIONS),
    (r"\.\.|\.(?=\w)", "a range is written with a hyphen, %x41-5A"),
    (r"!|\^", f"ABNF has no negation; {NO_EXCEPTIONS.partition('; ')[2]}"),
    (r",", "write the items one after another, with white space between; alternatives are separated by /"),
    (r"[@$&~.]", 'strings stand in quotation marks: "{0}"'),
)


def for_character(char: str) -> str:
    """Return what to write instead of *char*, which is beyond ASCII."""
    if ord(char) in _FULL_WIDTH:
        return _PASTED.get(char, f"write {chr(ord(char) - 0xFEE0)} of ASCII")
    known = f"write %x{ord(char):X} for the code point" if char.isprintable() else "write %x… for other bytes"
    return _PASTED.get(char, known)


def for_rule(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, where the name of a rule is expected.

    >>> for_rule("<digit> ::= %x30-39", 0)
    'names of rules have no angle brackets'
    """
    return _first(_RULE, text, at) or (INDENT if re.sub(r";[^\n]*", "", text[:at]).strip() else FIRST)


def for_defined_as(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, behind a name at the beginning of a line; "" if unknown."""
    line = text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].rstrip()
    if re.search(r"\[Page \w+\]$|^RFC \d+ ", line.strip()):
        return PAGE
    if text.startswith(("=", "/"), at) or not line:
        return ""
    found = _first(_DEFINED_AS, text, at)
    return found or "a line of prose is a comment, which begins with ;" if text[at : at + 1].strip() else found


def for_element(text: str, at: int) -> str:
    """Return what to write instead of what stands at *at*, where an element or the end is expected; "" if unknown.

    >>> for_element("a = DIGIT{1,3}", 9)
    'write 1*3 before the item'
    """
    before = text[:at].rstrip(" \t")
    if text.startswith("=", at) and before.endswith("="):
        return "write one ="
    return _first(_ELEMENT, text, at)


def for_nothing(text: str, at: int) -> str:
    """Return what to write where nothing stands at *at*, the end of a line, although an element is expected."""
    before = text[:at].rstrip(" \t")
    if before.endswith("="):
        return 'write "" for the empty string'
    return "remove the /, or write the alternative behind it" if before.endswith("/") else ""


def _first(table: tuple[tuple[str, str], ...], text: str, at: int) -> str:
    for pattern, remedy in table:
        if found := re.compile(pattern).match(text, at):
            return remedy.format(found[0], **found.groupdict())
    return ""
