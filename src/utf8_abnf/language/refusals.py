"""Texts about characters that a profile refuses, for ``check --profile``, to translate from.

The texts stand as they are printed in English; ``catalogue.say`` prints them in other languages. A
test shows that the rows of each profile are what its grammar refuses.
"""

from __future__ import annotations

from typing import NamedTuple

NUL = "PROFILE-NUL"
CONTROL = "PROFILE-CONTROL"
NONCHARACTER = "PROFILE-NONCHARACTER"
FOUR_BYTES = "PROFILE-FOUR-BYTES"
REPLACED = "PROFILE-REPLACED"
CHARACTER = "PROFILE-CHARACTER"

CODES = (NUL, CONTROL, NONCHARACTER, FOUR_BYTES, REPLACED, CHARACTER)

TITLES = {
    NUL: "the character U+0000, which many programs take for the end of a text",
    CONTROL: "a control character that the target does not take as it is",
    NONCHARACTER: "a noncharacter: one of the 66 code points that Unicode keeps for internal use",
    FOUR_BYTES: "a character of four bytes, above U+FFFF, such as an emoji",
    REPLACED: "U+FFFD, which a decoder wrote in place of ill-formed bytes",
    CHARACTER: "a character that a grammar of your own refuses",
}

REMOVE_NUL = "look for the program that wrote it: binary data, UTF-16, or a field of fixed length that NUL fills up"
REMOVE_CONTROL = "remove it, or write it as an escape where the format has one"
REMOVE_NONCHARACTER = "remove it or replace it by U+FFFD; look for a program that used it as a mark and left it there"


class Refusal(NamedTuple):
    """Why a profile refuses the characters from *low* to *high*, and what to do."""

    low: int
    high: int
    code: str
    why: str
    fix: str


_JSON_NUL = "RFC 8259 does not allow U+0000 to stand in a JSON text as it is"
_JSON_CONTROL = (
    "in a JSON text, all control characters below U+0020 have to be escaped; only TAB, LF and CR can also stand "
    "between strings, as white space"
)
_JSON_FIX = "write it as an escape, such as \\u0000, in the string where it stands"
_XML_NUL = "no XML document can have U+0000, not even as a character reference"
_XML_NONCHARACTER = "U+FFFE and U+FFFF are not in the production Char of XML, not even as character references"
_NONCHARACTER = "Unicode keeps this code point for internal use and assigns no character to it"

# fmt: off
# By profile; "" is a grammar of the user's. The first row that has the character counts.
REFUSALS = {
    "postgresql": (
        Refusal(0x00, 0x00, NUL,
            "PostgreSQL cannot store U+0000 in text, varchar or char; it says: invalid byte sequence for encoding "
            '"UTF8": 0x00',
            "remove it before the import, or use a column of the type bytea"),
    ),
    "redshift": (
        Refusal(0x00, 0x10FFFF, NONCHARACTER,
            "Amazon Redshift does not count it as a valid character; COPY has refused it with the error 1220, and "
            "replaces it where ACCEPTINVCHARS is set",
            "remove it or replace it, or let COPY replace it: ACCEPTINVCHARS"),
    ),
    "mysql-utf8mb3": (
        Refusal(0x00, 0x10FFFF, FOUR_BYTES,
            "utf8mb3, which MySQL and MariaDB once called utf8, has characters of at most three bytes",
            "change the column to utf8mb4: ALTER TABLE … CONVERT TO CHARACTER SET utf8mb4"),
    ),
    "xml-1.0": (
        Refusal(0x00, 0x00, NUL, _XML_NUL, REMOVE_NUL),
        Refusal(0x01, 0x1F, CONTROL,
            "of the controls below U+0020, XML 1.0 has TAB, LF and CR only, also as character references",
            "remove it, or encode the data, for example in base64"),
        Refusal(0xFFFE, 0xFFFF, NONCHARACTER, _XML_NONCHARACTER, REMOVE_NONCHARACTER),
    ),
    "xml-1.1": (
        Refusal(0x00, 0x00, NUL, _XML_NUL, REMOVE_NUL),
        Refusal(0x01, 0x9F, CONTROL,
            "XML 1.1 has this control only as a character reference (production RestrictedChar)",
            "write it as a character reference, such as &#x1B;"),
        Refusal(0xFFFE, 0xFFFF, NONCHARACTER, _XML_NONCHARACTER, REMOVE_NONCHARACTER),
    ),
    "json": (
        Refusal(0x00, 0x00, NUL, _JSON_NUL, _JSON_FIX),
        Refusal(0x01, 0x1F, CONTROL, _JSON_CONTROL, _JSON_FIX),
    ),
    "i-json": (
        Refusal(0x00, 0x00, NUL, _JSON_NUL, _JSON_FIX),
        Refusal(0x01, 0x1F, CONTROL, _JSON_CONTROL, _JSON_FIX),
        Refusal(0x20, 0x10FFFF, NONCHARACTER,
            "RFC 7493 section 2.1 does not allow noncharacters in the names and strings of I-JSON",
            REMOVE_NONCHARACTER),
    ),
    "unicode-assignables": (
        Refusal(0x00, 0x00, NUL, "RFC 9839 counts U+0000 among the legacy controls", REMOVE_NUL),
        Refusal(0x01, 0x9F, CONTROL,
            "RFC 9839 counts all controls but TAB, LF and CR among the legacy controls",
            REMOVE_CONTROL),
        Refusal(0xA0, 0x10FFFF, NONCHARACTER, _NONCHARACTER, REMOVE_NONCHARACTER),
    ),
    "noncharacters": (Refusal(0x00, 0x10FFFF, NONCHARACTER, _NONCHARACTER, REMOVE_NONCHARACTER),),
    "replacement": (
        Refusal(0xFFFD, 0xFFFD, REPLACED,
            "bytes were ill-formed here before, and a program has replaced them: the text is well-formed, but what "
            "stood here is lost",
            "go back to the source and convert it from its real encoding; U+FFFD does not say what it replaced"),
    ),
    "": (
        Refusal(0x00, 0x10FFFF, CHARACTER,
            "the grammar does not derive this character",
            "remove or replace it, or change the grammar"),
    ),
}

# fmt: on

# The document that says it, by profile.
SOURCES = {
    "postgresql": "PostgreSQL documentation, section 8.3",
    "redshift": "Amazon Redshift Database Developer Guide, “Multibyte character load errors”",
    "mysql-utf8mb3": "MySQL 8.0 Reference Manual, “The utf8mb3 Character Set”",
    "xml-1.0": "XML 1.0 section 2.2",
    "xml-1.1": "XML 1.1 section 2.2",
    "json": "RFC 8259 section 7",
    "i-json": "RFC 7493 section 2.1",
    "unicode-assignables": "RFC 9839 section 4.3",
    "noncharacters": "The Unicode Standard, section 23.7",
    "replacement": "The Unicode Standard, section 3.9",
    "": "",
}

# The first line of a diagnostic, after file, line, column and code; and what stands below the bytes.
IS_REFUSED = "{character} at offset {offset} is refused by the profile {profile}"
MARKED = "refused: {character}"
