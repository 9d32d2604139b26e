# ruff: noqa: E501 -- one case, one line
"""The named cases that are well-formed: a line each, ``id | bytes | story | source``. ``61*63`` is 63 bytes 61."""

TABLE = """
# Nothing, one byte, and ASCII that programs take for something else
text/empty            |                      | the empty text: *( UTF8-char ) may be nothing at all | RFC 3629 section 4
ascii/first           | 00                   | NUL is a character like any other, not an end mark | RFC 3629 section 4, UTF8-1
ascii/A               | 41                   | the plainest text there is | the seeds, example 1
ascii/last            | 7F                   | DELETE, the last character of one byte | RFC 3629 section 4, UTF8-1
ascii/newline         | 0A                   | a line feed; harnesses that read lines lose it | line tools
ascii/crlf            | 0D 0A                | a line end of two bytes, which text modes rewrite | text-mode files
ascii/tab             | 09                   | a tab; XML and JSON treat controls in their own ways, UTF-8 does not | RFC 3629 section 4
ascii/ctrl-z          | 1A                   | Ctrl-Z ended text files under CP/M and Windows | text-mode files
ascii/escape          | 1B                   | ESC begins escape sequences on terminals; to UTF-8 it is a character | RFC 3629 section 4
ascii/eot             | 04                   | Ctrl-D ends input on a terminal, not in a buffer | terminal input
ascii/form-feed       | 0C                   | a control that JSON rejects unescaped | JSON harnesses
ascii/quote           | 22                   | a quotation mark; adapters that build JSON or SQL by hand trip | adapters
ascii/backslash       | 5C                   | a backslash; adapters that build source code trip | adapters
ascii/percent         | 25 63 30             | %c0 as text: nobody asked to decode percent escapes | double decoding
ascii/less-than       | 3C                   | markup to XML, a character to UTF-8 | adapters
ascii/hello           | 48 65 6C 6C 6F       | five characters of one byte | RFC 3629 section 4, UTF8-1
ascii/utf-7           | 2B 41 47 45 2D       | UTF-7 for "a": plain ASCII here, and not to be decoded | encoding guessers
ascii/json-escape     | 5C 75 64 38 30 30    | the text \\ud800: an escape of JSON, six characters here | JSON harnesses
ascii/nul-inside      | 61 00 62             | a NUL inside: functions for C strings stop before it | C strings
ascii/nul-first       | 00 61                | a NUL first: to a function for C strings the text is empty | C strings
ascii/nul-last        | 61 00                | a NUL last, which C strings do not count | C strings
ascii/nul-twice       | 00 00                | two NULs: the sign of UTF-16 or UTF-32 to encoding guessers | encoding guessers
ascii/utf-16-like     | 61 00 62 00          | ASCII in UTF-16LE is well-formed UTF-8 as well | encoding guessers
ascii/utf-16be-like   | 00 61 00 62          | ASCII in UTF-16BE is well-formed UTF-8 as well | encoding guessers
ascii/utf-32-like     | 61 00 00 00          | ASCII in UTF-32LE is well-formed UTF-8 as well | encoding guessers
# Characters of two bytes
two/first             | C2 80                | U+0080, the first of two bytes | RFC 3629 section 3
two/c1-control        | C2 85                | NEXT LINE, a C1 control; XML 1.0 allows it, some filters do not | RFC 3629 section 4, UTF8-2
two/nbsp              | C2 A0                | NO-BREAK SPACE; trimming code eats its A0 byte by byte | byte-wise trimming
two/copyright         | C2 A9                | © | the seeds, example 2
two/e-acute           | C3 A9                | é; in Latin-1 the same bytes are two letters | mojibake
two/y-diaeresis       | C3 BF                | ÿ, U+00FF, the last of Latin-1 and FF to code that narrows | byte overflow
two/first-lead-last   | C2 BF                | U+00BF, all tails of the first lead byte | RFC 3629 section 4, UTF8-2
two/lead-C3           | C3 80                | U+00C0, one past the first lead byte | RFC 3629 section 4, UTF8-2
two/beyond-latin-1    | C4 80                | U+0100, the first that does not fit a byte | byte overflow
two/combining         | 65 CC 81             | e and COMBINING ACUTE: two characters, and not to be composed | normalising decoders
two/combining-alone   | CC 81                | a combining mark with nothing to combine with | RFC 3629 section 4, UTF8-2
two/alpha             | CE B1                | α | RFC 3629 section 4, UTF8-2
two/cyrillic          | D0 96                | Ж | RFC 3629 section 4, UTF8-2
two/hebrew            | D7 90                | א, written from right to left | RFC 3629 section 4, UTF8-2
two/arabic            | D8 B9                | ع | RFC 3629 section 4, UTF8-2
two/last-lead-first   | DF 80                | U+07C0, the first of the last lead byte | RFC 3629 section 4, UTF8-2
two/last              | DF BF                | U+07FF, the last of two bytes | RFC 3629 section 3
two/twice             | C3 A9 C3 A9          | two characters, so that a state not reset shows | RFC 3629 section 4
two/then-ascii        | C2 80 7F             | the first of two bytes, then the last of one | RFC 3629 section 4
# Characters of three bytes, by the alternatives of UTF8-3
three/first           | E0 A0 80             | U+0800, the first of three bytes | RFC 3629 section 3
three/E0-last         | E0 BF BF             | U+0FFF, the last after E0 | RFC 3629 section 4, UTF8-3 alternative 1
three/E0-second-last  | E0 A0 BF             | U+083F: the lowest second byte, the highest third | RFC 3629 section 4, UTF8-3 alternative 1
three/devanagari      | E0 A4 85             | अ: Indic scripts live after E0 | RFC 3629 section 4, UTF8-3 alternative 1
three/thai            | E0 B8 81             | ก: all of Thai lives after E0 | RFC 3629 section 4, UTF8-3 alternative 1
three/E1-first        | E1 80 80             | U+1000, the first after E1 | RFC 3629 section 4, UTF8-3 alternative 2
three/E1-last         | E1 BF BF             | U+1FFF, the last after E1 | RFC 3629 section 4, UTF8-3 alternative 2
three/euro            | E2 82 AC             | € | RFC 3629 section 4, UTF8-3 alternative 2
three/line-separator  | E2 80 A8             | LINE SEPARATOR, which old JavaScript forbids in strings | JavaScript before 2019
three/right-to-left   | E2 80 AE             | RIGHT-TO-LEFT OVERRIDE: dangerous to show, well-formed to send | CVE-2021-42574
three/word-joiner     | E2 81 A0             | WORD JOINER, which took over from the BOM inside text | RFC 3629 section 6
three/ni              | E4 BD A0             | 你 | the seeds, example 3
three/hiragana        | E3 81 82             | あ | RFC 3629 section 4, UTF8-3 alternative 2
three/hangul          | EA B0 80             | 가 | RFC 3629 section 4, UTF8-3 alternative 2
three/EC-last         | EC BF BF             | U+CFFF, the last before ED | RFC 3629 section 4, UTF8-3 alternative 2
three/ED-first        | ED 80 80             | U+D000, the first after ED | RFC 3629 section 4, UTF8-3 alternative 3
three/hangul-last     | ED 9E A3             | 힣, the last Hangul syllable: rejecting all of ED loses Korean | too strict on surrogates
three/ED-last         | ED 9F BF             | U+D7FF, the last before the surrogates | RFC 3629 section 3
three/ED-9F-first     | ED 9F 80             | U+D7C0, the highest second byte, the lowest third | RFC 3629 section 4, UTF8-3 alternative 3
three/EE-first        | EE 80 80             | U+E000, the first after the surrogates, for private use | RFC 3629 section 4, UTF8-3 alternative 4
three/private-last    | EF A3 BF             | U+F8FF, the last for private use in three bytes | RFC 3629 section 4, UTF8-3 alternative 4
three/EE-last         | EE BF BF             | U+EFFF, the last after EE | RFC 3629 section 4, UTF8-3 alternative 4
three/EF-first        | EF 80 80             | U+F000, the first after EF | RFC 3629 section 4, UTF8-3 alternative 4
three/ligature        | EF AC 81             | ﬁ, which normalisation would take apart | normalising decoders
three/full-width      | EF BC A1             | full-width A, not the letter A | folding decoders
three/replacement     | EF BF BD             | U+FFFD itself: text that holds one has no error in it | replacement taken for an error
three/object          | EF BF BC             | U+FFFC, just before the replacement character | RFC 3629 section 4, UTF8-3 alternative 4
three/last            | EF BF BF             | U+FFFF, the last of three bytes, a noncharacter | RFC 3629 section 3
# Characters of four bytes, by the alternatives of UTF8-4
four/first            | F0 90 80 80          | U+10000, the first of four bytes | RFC 3629 section 3
four/F0-90-last       | F0 90 BF BF          | U+10FFF: the lowest second byte, the highest tails | RFC 3629 section 4, UTF8-4 alternative 1
four/gothic           | F0 90 8D 88          | 𐍈, a letter of four bytes, no emoji | RFC 3629 section 4, UTF8-4 alternative 1
four/clef             | F0 9D 84 9E          | 𝄞, which UTF-16 writes with two units | RFC 2781
four/grinning         | F0 9F 98 80          | 😀; storage for three bytes a character cuts the text here | CVE-2015-3438, MySQL utf8
four/han-extension    | F0 A0 80 80          | 𠀀, U+20000, a plane of its own | RFC 3629 section 4, UTF8-4 alternative 1
four/stump            | F0 A3 8E B4          | U+233B4, a tree stump, which the RFC's surrogate example would decode to | RFC 3629 section 3
four/F0-last          | F0 BF BF BF          | U+3FFFF, the last after F0 | RFC 3629 section 4, UTF8-4 alternative 1
four/F1-first         | F1 80 80 80          | U+40000, the first after F1, not assigned but well-formed | RFC 3629 section 4, UTF8-4 alternative 2
four/F1-last          | F1 BF BF BF          | U+7FFFF, the last after F1 | RFC 3629 section 4, UTF8-4 alternative 2
four/F2               | F2 80 80 80          | U+80000, in the middle of the planes | RFC 3629 section 4, UTF8-4 alternative 2
four/F3-first         | F3 80 80 80          | U+C0000, the first after F3 | RFC 3629 section 4, UTF8-4 alternative 2
four/tag              | F3 A0 81 BF          | CANCEL TAG, U+E007F, as in flags of regions | RFC 3629 section 4, UTF8-4 alternative 2
four/variation        | F3 A0 87 AF          | the last variation selector, U+E01EF | RFC 3629 section 4, UTF8-4 alternative 2
four/private-15       | F3 B0 80 80          | U+F0000, private use in plane 15 | RFC 3629 section 4, UTF8-4 alternative 2
four/F3-last          | F3 BF BF BF          | U+FFFFF, the last after F3 | RFC 3629 section 4, UTF8-4 alternative 2
four/F4-first         | F4 80 80 80          | U+100000, the first after F4 | RFC 3629 section 4, UTF8-4 alternative 3
four/F4-8F-first      | F4 8F 80 80          | U+10F000: the highest second byte after F4 | RFC 3629 section 4, UTF8-4 alternative 3
four/private-16       | F4 8F BF BD          | U+10FFFD, the last for private use | RFC 3629 section 4, UTF8-4 alternative 3
four/last             | F4 8F BF BF          | U+10FFFF, the last of all | RFC 3629 section 3
four/twice            | F0 9F 98 80 F0 9F 98 80 | two characters of four bytes: counters to be set back | state not reset
four/then-one         | F0 90 80 80 41       | one byte after four: a length kept from before shows | state not reset
four/then-two         | F4 8F BF BF C2 80    | two bytes after four | state not reset
four/then-three       | F1 80 80 80 E0 A0 80 | E0 after four bytes: its second byte's range is its own | state not reset
four/family           | F0 9F 91 A9 E2 80 8D F0 9F 91 A7 | one picture of three characters, joined by U+200D | RFC 3629 section 4
four/flag             | F0 9F 87 AF F0 9F 87 B5 | one flag of two characters | RFC 3629 section 4
# Noncharacters are well-formed (Unicode corrigendum 9); decoders that reject them are wrong
nonchar/FDD0          | EF B7 90             | U+FDD0, the first noncharacter of the block in Arabic | Unicode corrigendum 9
nonchar/FDEF          | EF B7 AF             | U+FDEF, the last of that block | Unicode corrigendum 9
nonchar/FDCF          | EF B7 8F             | U+FDCF, just before that block | Unicode corrigendum 9
nonchar/FDF0          | EF B7 B0             | U+FDF0, just after that block | Unicode corrigendum 9
nonchar/FFFE          | EF BF BE             | U+FFFE, a BOM with its bytes turned round, yet well-formed | Unicode corrigendum 9
nonchar/1FFFE         | F0 9F BF BE          | U+1FFFE | Unicode corrigendum 9
nonchar/1FFFF         | F0 9F BF BF          | U+1FFFF | Unicode corrigendum 9
nonchar/2FFFE         | F0 AF BF BE          | U+2FFFE | Unicode corrigendum 9
nonchar/2FFFF         | F0 AF BF BF          | U+2FFFF | Unicode corrigendum 9
nonchar/7FFFE         | F1 BF BF BE          | U+7FFFE | Unicode corrigendum 9
nonchar/FFFFE         | F3 BF BF BE          | U+FFFFE | Unicode corrigendum 9
nonchar/10FFFE        | F4 8F BF BE          | U+10FFFE | Unicode corrigendum 9
nonchar/10FFFF        | F4 8F BF BF 00       | U+10FFFF with a NUL after it | Unicode corrigendum 9
# The byte order mark: a character, whatever a protocol makes of it
bom/alone             | EF BB BF             | a BOM and nothing else: one character, or an empty text to those that strip it | RFC 3629 section 6
bom/example           | EF BB BF F0 A3 8E B4 | the RFC's example: a signature, then U+233B4 | RFC 3629 section 7
bom/then-ascii        | EF BB BF 61          | a signature before ASCII | RFC 3629 section 6
bom/twice             | EF BB BF EF BB BF    | the second is no signature, so even strippers keep it | RFC 3629 section 6
bom/inside            | 61 EF BB BF 62       | ZERO WIDTH NO-BREAK SPACE inside text | RFC 3629 section 6
bom/last              | 61 EF BB BF          | at the end, as when files are joined | RFC 3629 section 6
bom/newline           | EF BB BF 0A          | a signature on an empty line | RFC 3629 section 6
bom/almost            | EF BB BE             | U+FEFE: BOM but for its last byte | BOM tests that look at two bytes
bom/almost-first      | EF BA BF             | U+FEBF: BOM but for its second byte | BOM tests that look at one byte
# The RFC's own examples and the seeds'
rfc/not-identical     | 41 E2 89 A2 CE 91 2E | A≢Α. | RFC 3629 section 7
rfc/hangugeo          | ED 95 9C EA B5 AD EC 96 B4 | the Korean word for the Korean language | RFC 3629 section 7
rfc/nihongo           | E6 97 A5 E6 9C AC E8 AA 9E | the Japanese word for the Japanese language | RFC 3629 section 7
text/greeting         | 48 C3 A9 6C 6C 6F E2 82 AC F0 9F 98 80 | all four lengths in one text | RFC 3629 section 4
text/ascending        | 7F C2 80 E0 A0 80 F0 90 80 80 | lengths going up: the borders of section 3's table | RFC 3629 section 3
text/descending       | F0 90 80 80 E0 A0 80 C2 80 00 | lengths going down | RFC 3629 section 3
text/highest          | 7F DF BF EF BF BF F4 8F BF BF | the last character of each length | RFC 3629 section 3
text/tracks           | 00 C2 80 E0 A0 80 E1 80 80 ED 80 80 EE 80 80 F0 90 80 80 F1 80 80 80 F4 80 80 80 | the first character of each alternative | RFC 3629 section 4
text/greek            | CE BA E1 BD B9 CF 83 CE BC CE B5 | κόσμε: two and three bytes in turn | Kuhn's first test line, in our words
# Sizes at which fast paths begin and end
size/7-ascii          | 61*7                 | one less than a 64-bit word | word-wise fast paths
size/8-ascii          | 61*8                 | exactly a 64-bit word | word-wise fast paths
size/9-ascii          | 61*9                 | a word and a byte | word-wise fast paths
size/15-ascii         | 61*15                | one less than an SSE register | 16-byte blocks
size/16-ascii         | 61*16                | exactly 16 bytes | PHP 8.4, SSE2 at exactly 16 bytes
size/17-ascii         | 61*17                | a register and a byte | 16-byte blocks
size/31-ascii         | 61*31                | one less than an AVX2 register | 32-byte blocks
size/32-ascii         | 61*32                | exactly an AVX2 register | 32-byte blocks
size/33-ascii         | 61*33                | and a byte | 32-byte blocks
size/63-ascii         | 61*63                | one less than a cache line | 64-byte blocks
size/64-ascii         | 61*64                | exactly a cache line | 64-byte blocks
size/65-ascii         | 61*65                | and a byte | 64-byte blocks
size/64-kib           | 61*65536             | one byte more than 16 bits can count | length in 16 bits
size/128-kib          | 61*131072            | more letters than String.fromCharCode.apply takes arguments | JavaScript engines
size/127-ascii        | 61*127               | lengths kept in a signed byte end here | length in 7 bits
size/128-ascii        | 61*128               | and here they overflow | length in 7 bits
size/255-ascii        | 61*255               | lengths kept in a byte end here | length in 8 bits
size/256-ascii        | 61*256               | and here they are 0 | length in 8 bits
size/257-ascii        | 61*257               | and here they are 1 | length in 8 bits
size/16-nul           | 00*16                | a block of NULs | zero blocks, bytestring pull request 621
size/64-nul           | 00*64                | four blocks of NULs | zero blocks, bytestring pull request 621
size/16-end-two       | 61*14 C3 A9          | a character that ends with the block of 16 | 16-byte blocks
size/16-across-two    | 61*15 C3 A9          | a character across the border of 16 bytes | 16-byte blocks
size/16-across-three  | 61*14 E2 82 AC       | three bytes across that border, one beyond | 16-byte blocks
size/16-across-three-b | 61*15 E2 82 AC      | three bytes across that border, two beyond | 16-byte blocks
size/32-across-three  | 61*31 E2 82 AC       | three bytes across the border of 32 bytes | 32-byte blocks
size/32-across-four   | 61*30 F0 9F 98 80    | four bytes across the border of 32 bytes, two and two | 32-byte blocks
size/64-across-two    | 61*63 C3 A9          | a lead byte in the last lane of 64 | 64-byte blocks
size/64-across-three  | 61*62 E2 82 AC       | three bytes across the border of 64 bytes | 64-byte blocks
size/64-across-four-1 | 61*63 F0 9F 98 80    | four bytes, one before the border | 64-byte blocks
size/64-across-four-2 | 61*62 F0 9F 98 80    | two before | 64-byte blocks
size/64-across-four-3 | 61*61 F0 9F 98 80    | three before | 64-byte blocks
size/64-end-four      | 61*60 F0 9F 98 80    | four bytes that end with the block | 64-byte blocks
size/64-then-ascii    | 61*60 F0 9F 98 80 61*64 | and a block of ASCII after it | carry between blocks
size/64-last-lead     | 61*61 E2 82 AC 61*63 | three bytes that end with the block, then ASCII | carry between blocks
size/128-mixed        | 61*125 E2 82 AC 61*10 | a character at the end of the second block | two blocks in a loop
# The corners of every alternative: one byte at the other end of its range
corner/E0-BF-80       | E0 BF 80             | the highest second byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 1
corner/E1-BF-80       | E1 BF 80             | the highest second byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 2
corner/E1-80-BF       | E1 80 BF             | the highest third byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 2
corner/EC-80-BF       | EC 80 BF             | the lowest second byte among the highest | RFC 3629 section 4, UTF8-3 alternative 2
corner/EC-BF-80       | EC BF 80             | the lowest third byte among the highest | RFC 3629 section 4, UTF8-3 alternative 2
corner/ED-80-BF       | ED 80 BF             | the highest third byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 3
corner/EE-BF-80       | EE BF 80             | the highest second byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 4
corner/EE-80-BF       | EE 80 BF             | the highest third byte among the lowest | RFC 3629 section 4, UTF8-3 alternative 4
corner/EF-80-BF       | EF 80 BF             | the lowest second byte among the highest | RFC 3629 section 4, UTF8-3 alternative 4
corner/EF-BF-80       | EF BF 80             | the lowest third byte among the highest | RFC 3629 section 4, UTF8-3 alternative 4
corner/F0-BF-80-80    | F0 BF 80 80          | the highest second byte among the lowest | RFC 3629 section 4, UTF8-4 alternative 1
corner/F0-90-80-BF    | F0 90 80 BF          | the highest fourth byte among the lowest | RFC 3629 section 4, UTF8-4 alternative 1
corner/F0-BF-BF-80    | F0 BF BF 80          | the lowest fourth byte among the highest | RFC 3629 section 4, UTF8-4 alternative 1
corner/F1-BF-80-80    | F1 BF 80 80          | the highest second byte among the lowest | RFC 3629 section 4, UTF8-4 alternative 2
corner/F1-80-80-BF    | F1 80 80 BF          | the highest fourth byte among the lowest | RFC 3629 section 4, UTF8-4 alternative 2
corner/F3-80-BF-BF    | F3 80 BF BF          | the lowest second byte among the highest | RFC 3629 section 4, UTF8-4 alternative 2
corner/F3-BF-BF-80    | F3 BF BF 80          | the lowest fourth byte among the highest | RFC 3629 section 4, UTF8-4 alternative 2
corner/F4-80-80-BF    | F4 80 80 BF          | the highest fourth byte among the lowest | RFC 3629 section 4, UTF8-4 alternative 3
corner/F4-80-BF-BF    | F4 80 BF BF          | the lowest second byte among the highest | RFC 3629 section 4, UTF8-4 alternative 3
corner/F4-8F-BF-80    | F4 8F BF 80          | the lowest fourth byte among the highest | RFC 3629 section 4, UTF8-4 alternative 3
"""
