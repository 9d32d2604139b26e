"""The families of real texts: a hundred short words and signs as people write them, and long runs of them.

Some decoders treat characters that belong together as a unit: a letter with its marks, the jamo of a syllable, an emoji
with its joiners. What they do there shows only in text that has such units. The words are everyday words and signs,
written here as code points so that no editor composes or decomposes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block, listed
from utf8_abnf.conformance.suite.long_text import CUT, FAULTS, turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite.plan import Plan

MAX_RUN = 5 << 10  # characters: the last borders are those of counters of 8, 9 and 10 bits

#   name                  code points
TABLE = """
hangul/syllables        D55C AE00
hangul/jamo-lvt         1112 1161 11AB 1100 1173 11AF
hangul/jamo-lv          1102 1161
hangul/old-jamo         1112 119E 11AB
hangul/compatibility    3131 314F 3134
hangul/half-width       FFA1 FFC2 FFA4
hangul/with-tone        1106 116E 11AF 302E
keycap/one              31 FE0F 20E3
keycap/hash             23 FE0F 20E3
keycap/plain            39 20E3
flag/de                 1F1E9 1F1EA
flag/jp-then-fr         1F1EF 1F1F5 1F1EB 1F1F7
flag/half               1F1F8
flag/scotland           1F3F4 E0067 E0062 E0073 E0063 E0074 E007F
flag/rainbow            1F3F3 FE0F 200D 1F308
zwj/family              1F468 200D 1F469 200D 1F467 200D 1F466
zwj/astronaut           1F469 1F3FD 200D 1F680
zwj/couple              1F469 200D 2764 FE0F 200D 1F468
zwj/shrug               1F937 1F3FB 200D 2642 FE0F
zwj/polar-bear          1F43B 200D 2744 FE0F
zwj/leading             200D 1F469
zwj/trailing            1F469 200D
emoji/thumb-dark        1F44D 1F3FF
emoji/heart-text        2764 FE0E
emoji/heart-colour      2764 FE0F
emoji/tone-alone        1F3FE
emoji/sun               2600 FE0F
nfd/cafe                63 61 66 65 301
nfd/resume              72 65 301 73 75 6D 65 301
nfd/angstrom            41 30A 6E 67 73 74 72 6F 308 6D
nfd/vietnamese          56 69 65 323 302 74
nfd/vietnamese-o        6F 31B 301
nfd/korean              1109 1165 110B 116E 11AF
nfd/japanese            304B 3099 304D 309A
nfd/greek               3B1 313 301 345
nfd/cyrillic            438 306 43E 433
nfd/many-marks          61 300 301 302 303 304 308
nfc/cafe                63 61 66 E9
nfc/vietnamese          56 69 1EC7 74
singleton/angstrom      212B
singleton/ohm           2126
latin/german            53 74 72 61 DF 65
latin/turkish           49 131 130 69
latin/icelandic         FE 6F 72 73
latin/polish            141 F3 64 17A
latin/ligature          FB01 6E 64
latin/full-width        FF35 FF34 FF26 FF0D FF18
latin/yoruba            1ECC 300 73 1ECD 301
latin/mathematical      1D400 1D504 1D7D8
latin/click             1C3 58 F3 F5
greek/word              39B 3CC 3B3 3BF 3C2
greek/polytonic         1F84 3BD 3B8 3C1 3C9 3C0 3BF 3C2
cyrillic/word           41C 438 440
cyrillic/ukrainian      407 436 430 43A
cyrillic/old            A64B 483 2DE0
armenian/word           532 561 580 565 582
georgian/word           10D2 10D0 10DB 10D0 10E0
hebrew/word             5E9 5DC 5D5 5DD
hebrew/points           5E9 5C1 5B8 5DC 5D5 5B9 5DD
hebrew/presentation     FB2A FB2B
arabic/word             633 644 627 645
arabic/vowels           645 64F 62D 64E 645 651 64E 62F
arabic/zwnj             645 6CC 200C 62E 648 627 647 645
arabic/kashida          62D 640 640 628
arabic/presentation     FDFA FEFB
syriac/word             72B 720 721 710
thaana/word             78B 7A8 788 7AC 780 7A8
nko/word                7D2 7DE 7CF
devanagari/word         928 92E 938 94D 924 947
devanagari/conjunct     915 94D 937 924 94D 930
devanagari/zwj          930 94D 200D
devanagari/nukta        915 93C
bengali/word            9AC 9BE 982 9B2 9BE
gurmukhi/word           A17 A41 A30 A2E A41 A16 A40
gujarati/word           A97 AC1 A9C AB0 ABE AA4 AC0
tamil/word              BA4 BAE BBF BB4 BCD
telugu/word             C24 C46 C32 C41 C17 C41
kannada/word            C95 CA8 CCD CA8 CA1
malayalam/chillu        D05 D35 D7B
sinhala/word            DC1 DCA 200D DBB DD3
thai/word               E20 E32 E29 E32 E44 E17 E22
thai/marks              E19 E49 E33
lao/word                EA5 EB2 EA7
tibetan/stack           F56 F7C F51 F0B F61 FB2 FB1
myanmar/word            1019 103C 1014 103A 1019 102C
khmer/word              1781 17D2 1798 17C2 179A
ethiopic/word           12A0 121B 122D 129B
cherokee/word           13E3 13B3 13A9
canadian/word           1403 14C4 1483 144E 1450 1466
mongolian/word          182E 1823 1829 182D 1823 182F 180E 1820
tai/word                1A48 1A6B 1A60
hiragana/word           3072 3089 304C 306A
katakana/word           30AB 30BF 30AB 30CA 30FC
katakana/half-width     FF76 FF9E
kanji/word              6F22 5B57
kanji/variant           845B E0100
kanji/extension         20BB7 91CE 5BB6
chinese/simplified      6C49 5B57
bopomofo/word           3105 3106 02CA
yi/word                 A188 A320
runic/word              16A0 16A2 16A6
gothic/word             10332 1033F 10344
cuneiform/sign          12000 12157
hieroglyph/joined       13080 13430 13081
musical/note            1D158 1D165 1D16E
braille/word            2803 2817
private/use             E000 F8FF F0000
bidi/isolates           2067 5D0 2069 202B 62 202C
space/unusual           A0 2003 202F 3000 2060 FEFF
"""


def texts() -> dict[str, str]:
    """Return the texts by their names.

    >>> len(texts()), texts()["greek/word"]
    (109, 'Λόγος')
    """
    rows = (line.split() for line in TABLE.strip().splitlines())
    return {name: "".join(chr(int(point, 16)) for point in points) for name, *points in rows}


def real_texts(_: Plan) -> Iterator[Block]:
    """Yield each text, and each with one fault at each border of its characters, or one character cut short."""
    for name, text in texts().items():
        cases = {name: text.encode()}
        for border in range(len(text) + 1):
            before, after = text[:border].encode(), text[border:].encode()
            for number, fault in enumerate(FAULTS):
                cases[f"{name}/{border}/fault-{number}"] = before + fault + after
            if border and text[border - 1] > "\x7f":
                cases[f"{name}/{border}/cut"] = before[:-1] + after
        yield listed(cases)


def long_runs(_: Plan) -> Iterator[Block]:
    """Yield a letter and a long run of each text and of each of its characters, well-formed and with faults behind it.

    A decoder may keep what belongs together in a buffer, count it, or call itself for each part of it.
    """
    repeated = texts() | {f"U+{ord(each):04X}": each for text in texts().values() for each in text}
    for number, (name, text) in enumerate(repeated.items()):
        run = ("e" + text * (MAX_RUN // len(text))).encode()
        yield Block(((run,), (b"", *turns(number, FAULTS, 2), *turns(number, CUT, 1))), names=((name,), None))
