"""Texts for each error code, to translate from: its reasons, advice, history and attacks.

The texts stand as they are printed in English.
"""

from __future__ import annotations

from typing import NamedTuple

from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, OVERLONG, SURROGATE, TOO_LARGE, TRUNCATED


class Reason(NamedTuple):
    """Why a sequence whose first byte lies in *low*..*high* has its code."""

    low: int
    high: int
    text: str


# fmt: off
REASONS = {
    OVERLONG: (
        Reason(0xC0, 0xC1, "C0 and C1 would encode U+0000..U+007F, which UTF8-1 writes in one byte"),
        Reason(0xE0, 0xE0, "E0 80..9F would encode U+0000..U+07FF, which take one or two bytes"),
        Reason(0xF0, 0xF0, "F0 80..8F would encode U+0000..U+FFFF, which take one to three bytes"),
    ),
    SURROGATE: (
        Reason(0xED, 0xED, "ED A0..BF would encode U+D800..U+DFFF, the surrogates of UTF-16"),
    ),
    TOO_LARGE: (
        Reason(0xF4, 0xF4, "F4 90..BF would encode U+110000..U+13FFFF, above the last code point U+10FFFF"),
        Reason(0xF5, 0xF7, "F5..F7 would begin code points from U+140000 up, above the last one, U+10FFFF"),
        Reason(0xF8, 0xFB, "F8..FB began the five-byte sequences of RFC 2279, all overlong or above U+10FFFF"),
        Reason(0xFC, 0xFD, "FC and FD began the six-byte sequences of RFC 2279, all overlong or above U+10FFFF"),
        Reason(0xFE, 0xFF, "FE and FF have never been part of UTF-8; they begin the byte order mark of UTF-16"),
    ),
    LONE_TAIL: (
        Reason(0x80, 0xBF, "80..BF (UTF8-tail) can only continue a character, and no character is open here"),
    ),
    MISSING_TAIL: (
        Reason(0xC2, 0xDF, "C2..DF begin a character of two bytes: one UTF8-tail has to follow"),
        Reason(0xE0, 0xEF, "E0..EF begin a character of three bytes: two UTF8-tail have to follow"),
        Reason(0xF0, 0xF4, "F0..F4 begin a character of four bytes: three UTF8-tail have to follow"),
    ),
    TRUNCATED: (
        Reason(0xC2, 0xDF, "the input ends inside a character of two bytes"),
        Reason(0xE0, 0xEF, "the input ends inside a character of three bytes"),
        Reason(0xF0, 0xF4, "the input ends inside a character of four bytes"),
    ),
}
# fmt: on

SECTION_3 = "RFC 3629 section 3"
SECTION_4 = "RFC 3629 section 4"
SECTION = {
    OVERLONG: SECTION_3,
    SURROGATE: SECTION_3,
    TOO_LARGE: SECTION_3,
    LONE_TAIL: SECTION_4,
    MISSING_TAIL: SECTION_4,
    TRUNCATED: SECTION_4,
}

ADVICE = {
    OVERLONG: "use an encoder that writes each character in its shortest form, as the standard asks",
    SURROGATE: "the writing program must join pairs of UTF-16 first; this may be CESU-8 or WTF-8 under the wrong name",
    TOO_LARGE: "is this UTF-8 at all? Look whether it is binary or in another encoding (UTF-16, Latin-1)",
    LONE_TAIL: "look for a cut inside a character, or for a byte of another encoding such as Windows-1252",
    MISSING_TAIL: "probably a byte of another encoding such as Windows-1252, or bytes were lost here",
    TRUNCATED: "get the rest of the input, or cut it between characters: before a byte that is not 80..BF",
}


class Entry(NamedTuple):
    """What ``explain CODE`` says of an error code."""

    title: str
    example: str  # bytes in hex
    ranges: tuple[str, ...]
    meaning: str
    history: str
    attack: str
    advice: str
    read: str


ENTRIES = {
    OVERLONG: Entry(
        title="more bytes than the character needs",
        example="C0 80",
        ranges=("C0, C1 at the start of a character", "E0 followed by 80..9F", "F0 followed by 80..8F"),
        meaning="Every character has exactly one form in UTF-8, the shortest. The grammar leaves the longer ones out:"
        " UTF8-2 begins at C2, and after E0 and F0 the second byte begins at A0 and 90.",
        history="RFC 2279 (1998) only warned of these forms. RFC 3629 (2003) made rejecting "
        "them a MUST and wrote a grammar in which they do not exist. Java's modified UTF-8 still writes "
        "U+0000 as C0 80.",
        attack="A filter looks for the bytes 2F 2E 2E 2F (/../) and does not find them; a lax decoder behind it then"
        " reads 2F C0 AE 2E 2F as /../. Web servers were broken into this way in 2001 (RFC 3629 section 10). "
        "C0 80 smuggles a NUL past a check and ends a C string early.",
        advice="Reject it; never decode first and check afterwards. Where Java wrote the data, use "
        "String.getBytes(UTF_8) in place of DataOutputStream.writeUTF.",
        read="RFC 3629 sections 3 and 10; Unicode 3.9, table 3-7",
    ),
    SURROGATE: Entry(
        title="a surrogate of UTF-16, encoded as if it were a character",
        example="ED A0 80",
        ranges=("ED followed by A0..BF",),
        meaning="U+D800..U+DFFF are not characters: UTF-16 uses them in pairs for the characters above U+FFFF. UTF-8 "
        "encodes the character itself, in four bytes. So in UTF8-3 only 80..9F may follow ED.",
        history="Programs that turned 16-bit units into UTF-8 one by one wrote six bytes where four are correct. "
        "Unicode documented that practice as CESU-8 (Technical Report 26), for internal use only. WTF-8 keeps"
        " lone surrogates of JavaScript strings and Windows file names. Python 2 accepted surrogates as "
        "UTF-8.",
        attack="One character gets two forms: F0 A3 8E B4 and ED A1 8C ED BE B4 are both decoded as U+233B4, and a "
        "filter that knows only one of them lets the other pass. A lone surrogate that was accepted once "
        "makes a correct encoder fail later: a single bad name stops a whole export.",
        advice="Reject it, or decode as CESU-8 on purpose where the source says that it is CESU-8. When encoding, "
        "join pairs first.",
        read="RFC 3629 section 3; Unicode Technical Report 26; Unicode 3.9, D92",
    ),
    TOO_LARGE: Entry(
        title="a code point above U+10FFFF, or a byte with which no character begins",
        example="F4 90 80 80",
        ranges=("F4 followed by 90..BF", "F5..FF at the start of a character"),
        meaning="Code points end at U+10FFFF, the last one that UTF-16 can represent. UTF-8 encodes it as F4 8F BF "
        "BF, so no character begins with bytes above F4 8F.",
        history="RFC 2279 had sequences of up to six bytes, for U+0000..U+7FFFFFFF. RFC 3629 removed the longer ones "
        "in 2003, to match UTF-16. FE and FF have never been part of UTF-8: they mark the byte order of "
        "UTF-16.",
        attack="A decoder that returns such a number breaks the programs that use it: they read tables of 0x110000 "
        "entries past their end, write six bytes into buffers for four (RFC 3629 section 10), or cut off the "
        "high bits on the way to UTF-16 and get another, allowed character.",
        advice="Reject it. In a file, a byte F5..FF most often means that the file is not UTF-8 but UTF-16, Latin-1 "
        "or binary.",
        read="RFC 3629 sections 3, 10 and 12; RFC 2279 section 2",
    ),
    LONE_TAIL: Entry(
        title="a byte that can only continue a character, where no character is open",
        example="80",
        ranges=("80..BF at the start of a character",),
        meaning="80..BF are UTF8-tail: each of them belongs to a first byte before it. This one has no first byte, or"
        " it comes after a character that was already complete.",
        history="First bytes and tails never have the same value. This is UTF-8's oldest property: a reader that "
        "starts in the middle of a text can find the next character.",
        attack="A program that silently deletes such bytes can join parts in which a filter before it found nothing "
        "wrong: `<scr`, 80, `ipt>` becomes a tag (Unicode Technical Report 36 section 3.5). Replace them with"
        " U+FFFD, never delete them.",
        advice="Look a few bytes back: a text was cut inside a character, or has bytes of Windows-1252, whose "
        "quotation marks and dashes are 91..97. `utf8-abnf check` says whether the whole file can be converted.",
        read="RFC 3629 sections 3 and 4; Unicode Technical Report 36 section 3",
    ),
    MISSING_TAIL: Entry(
        title="a character that another byte interrupts",
        example="E4 BD 22",
        ranges=("after a first byte C2..F4 and perhaps some tails, a byte outside 80..BF",),
        meaning="The first byte says how many UTF8-tail follow. Before all of them came, a byte came that is not a "
        "tail. The sequence up to that byte is ill-formed; the byte itself is read as the start of the next "
        "character.",
        history="Latin-1 text that is read as UTF-8 fails in this way: é is E9, and the space or letter after it is "
        "not a tail. For years, decoders replaced such a sequence by different numbers of U+FFFD; Unicode and"
        " the Web now replace each maximal subpart by one.",
        attack="A decoder that takes the announced number of bytes without checking them swallows the byte that "
        "interrupts: in E4 BD 22 the quotation mark disappears, and an attribute in HTML stays open for the "
        "attacker's text.",
        advice="Convert the ill-formed bytes from the encoding that they really have, most often Windows-1252. "
        "`utf8-abnf check` says whether the whole file can be converted. Otherwise bytes were lost in transport.",
        read="RFC 3629 section 4; Unicode 3.9, on U+FFFD and maximal subparts; WHATWG Encoding, UTF-8 decoder",
    ),
    TRUNCATED: Entry(
        title="the input ends inside a character",
        example="F0 9F 98",
        ranges=("the beginning of a character, then the end of input",),
        meaning="More bytes could complete the last sequence and make it a character. As a whole input it is "
        "ill-formed; as one piece of a stream it is only unfinished.",
        history="The causes are buffers of fixed size, database columns whose length is counted in bytes, and log "
        "lines cut at a limit. Stream decoders keep the unfinished bytes for the next piece: see "
        "IncrementalValidator.",
        attack="Where two such values are joined, the open character of the first swallows the beginning of the "
        "second, even a quotation mark or a separator.",
        advice="Cut between characters: go back over at most three bytes 80..BF. In a stream, feed the pieces to "
        "IncrementalValidator and call finish() once, at the end.",
        read="RFC 3629 section 4; Unicode 3.9, maximal subpart",
    ),
}

# What accepting it opens the door to, in one line; ENTRIES has the whole story.
RISK = {
    OVERLONG: "one character has two forms: a filter that looks for the short one misses the other",
    SURROGATE: "one character has two forms, and correct encoders cannot write the decoded text again",
    TOO_LARGE: "the number does not fit into tables, buffers or UTF-16 text",
    LONE_TAIL: "deleting such a byte joins the text on its two sides: `<scr` 80 `ipt>`",
    MISSING_TAIL: "skipping the announced number of bytes swallows a quotation mark or a separator",
    TRUNCATED: "when other text is appended, the open character swallows its beginning",
}
