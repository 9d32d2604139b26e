# ruff: noqa: E501 -- one case, one line
"""The named cases that are ill-formed: a line each, ``id | bytes | story | source``. ``61*63`` is 63 bytes 61."""

TABLE = """
# Tail bytes with no first byte
lone/80               | 80                   | the lowest tail byte alone | RFC 3629 section 4, UTF8-tail
lone/8F               | 8F                   | the highest tail byte that F4 allows, alone | RFC 3629 section 4, UTF8-tail
lone/90               | 90                   | the lowest tail byte that F0 allows, alone | RFC 3629 section 4, UTF8-tail
lone/9F               | 9F                   | the highest tail byte that ED allows, alone | RFC 3629 section 4, UTF8-tail
lone/A0               | A0                   | Latin-1's no-break space: the commonest stray byte | mojibake
lone/A9               | A9                   | © in Latin-1 | mojibake
lone/BF               | BF                   | the highest tail byte alone | RFC 3629 section 4, UTF8-tail
lone/85               | 85                   | NEXT LINE in Latin-1, an ellipsis in Windows-1252 | mojibake
lone/two              | 80 BF                | two stray bytes: two errors, not one | Unicode 3.9, maximal subparts
lone/three            | 80 BF 80             | three stray bytes, as many tails as F1 wants | RFC 3629 section 4, UTF8-tail
lone/four             | 80 BF 80 BF          | four stray bytes | RFC 3629 section 4, UTF8-tail
lone/seven            | 80 BF 80 BF 80 BF 80 | seven stray bytes | RFC 3629 section 4, UTF8-tail
lone/all              | 80 88 90 98 A0 A8 B0 B8 | stray bytes of all kinds | RFC 3629 section 4, UTF8-tail
lone/after-ascii      | 61 80                | a tail byte after ASCII, which wants none | RFC 3629 section 4, UTF8-1
lone/after-nul        | 00 80                | a tail byte after NUL, where C strings have ended | C strings
lone/before-ascii     | 80 61                | an error first: the text after it is fine | Unicode 3.9, maximal subparts
lone/after-two        | C2 A9 80             | a tail byte too many after two bytes | RFC 3629 section 4, UTF8-2
lone/after-three      | E2 82 AC 80          | a tail byte too many after three bytes | RFC 3629 section 4, UTF8-3
lone/after-four       | F0 9F 98 80 80       | a tail byte too many after four bytes | state not reset
lone/after-four-three | F0 9F 98 80 80 80 80 | three too many: a counter that is not set back takes them | state not reset
lone/after-bom        | EF BB BF 80          | a tail byte straight after the BOM | RFC 3629 section 6
lone/before-bom       | 80 EF BB BF          | and before it | RFC 3629 section 6
lone/latin-1          | E9                   | é in Latin-1: a first byte of three with nothing after it | mojibake
lone/latin-1-word     | 63 61 66 E9          | café in Latin-1 | mojibake
lone/latin-1-inside   | E9 74 E9             | été in Latin-1 | mojibake
lone/windows-1252     | 93 61 94             | quotation marks of Windows-1252 | mojibake
lone/shift-jis        | 93 FA 96 7B          | Japan in Shift_JIS | encoding guessers
lone/euc-jp           | C6 FC CB DC          | Japan in EUC-JP | encoding guessers
lone/gbk              | D6 D0 CE C4          | Chinese in GBK | encoding guessers
lone/koi8-r           | ED C9 D2             | a Russian word in KOI8-R | encoding guessers
# First bytes with too little after them: cut off by the end
cut/C2                | C2                   | the lowest first byte of two, alone | RFC 3629 section 4, UTF8-2
cut/C3                | C3                   | a first byte of two, alone | RFC 3629 section 4, UTF8-2
cut/DF                | DF                   | the highest first byte of two, alone | RFC 3629 section 4, UTF8-2
cut/E0                | E0                   | three bytes, cut after one | RFC 3629 section 4, UTF8-3 alternative 1
cut/E0-A0             | E0 A0                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 1
cut/E0-BF             | E0 BF                | the same with the highest second byte | RFC 3629 section 4, UTF8-3 alternative 1
cut/E1                | E1                   | three bytes, cut after one | RFC 3629 section 4, UTF8-3 alternative 2
cut/E1-80             | E1 80                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 2
cut/E4-BD             | E4 BD                | 你 without its last byte | the seeds, example of a truncated sequence
cut/EC-BF             | EC BF                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 2
cut/ED                | ED                   | three bytes, cut after one | RFC 3629 section 4, UTF8-3 alternative 3
cut/ED-80             | ED 80                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 3
cut/ED-9F             | ED 9F                | the same with the highest second byte | RFC 3629 section 4, UTF8-3 alternative 3
cut/EE                | EE                   | three bytes, cut after one | RFC 3629 section 4, UTF8-3 alternative 4
cut/EE-80             | EE 80                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 4
cut/EF-BF             | EF BF                | three bytes, cut after two | RFC 3629 section 4, UTF8-3 alternative 4
cut/bom               | EF BB                | a BOM without its last byte | RFC 3629 section 6
cut/bom-first         | EF                   | a BOM's first byte | RFC 3629 section 6
cut/F0                | F0                   | four bytes, cut after one | RFC 3629 section 4, UTF8-4 alternative 1
cut/F0-90             | F0 90                | four bytes, cut after two | RFC 3629 section 4, UTF8-4 alternative 1
cut/F0-90-80          | F0 90 80             | four bytes, cut after three | RFC 3629 section 4, UTF8-4 alternative 1
cut/F0-9F-98          | F0 9F 98             | 😀 without its last byte, as fixed-size fields leave it | truncation by bytes
cut/F1                | F1                   | four bytes, cut after one | RFC 3629 section 4, UTF8-4 alternative 2
cut/F1-80             | F1 80                | four bytes, cut after two | RFC 3629 section 4, UTF8-4 alternative 2
cut/F1-80-80          | F1 80 80             | four bytes, cut after three | RFC 3629 section 4, UTF8-4 alternative 2
cut/F3-BF-BF          | F3 BF BF             | the highest bytes, cut after three | RFC 3629 section 4, UTF8-4 alternative 2
cut/F4                | F4                   | four bytes, cut after one | RFC 3629 section 4, UTF8-4 alternative 3
cut/F4-80             | F4 80                | four bytes, cut after two | RFC 3629 section 4, UTF8-4 alternative 3
cut/F4-8F-BF          | F4 8F BF             | four bytes, cut after three | RFC 3629 section 4, UTF8-4 alternative 3
cut/after-text        | 61 62 E2 82          | text that ends within a character | truncation by bytes
cut/after-two         | C3 A9 C3             | a whole character, then half of one | truncation by bytes
cut/after-bom         | EF BB BF E2 82       | a signature, then two bytes of three | RFC 3629 section 6
cut/after-four        | F0 9F 98 80 F0 9F 98 | a whole character, then three quarters of one | state not reset
# First bytes with too little after them: something else comes
missing/C2-a          | C2 61                | ASCII where a tail belongs; consuming it hides an a | Unicode TR 36 section 3.1
missing/C2-nul        | C2 00                | NUL where a tail belongs: reading past a C string's end | C strings
missing/C3-quote      | C3 22                | a quotation mark swallowed by the first byte before it | Unicode TR 36 section 3.1
missing/E0-gt         | E0 3E                | a > swallowed, so that a tag does not end | Unicode TR 36 section 3.1
missing/C3-paren      | C3 28                | a parenthesis where a tail belongs | RFC 3629 section 4, UTF8-2
missing/E2-paren-A1   | E2 28 A1             | ASCII in the second place, a tail in the third | RFC 3629 section 4, UTF8-3
missing/E2-82-paren   | E2 82 28             | ASCII in the third place | RFC 3629 section 4, UTF8-3
missing/F0-28-8C-BC   | F0 28 8C BC          | ASCII in the second place of four | RFC 3629 section 4, UTF8-4
missing/F0-90-28-BC   | F0 90 28 BC          | ASCII in the third place of four | RFC 3629 section 4, UTF8-4
missing/F0-9F-98-28   | F0 9F 98 28          | ASCII in the fourth place | RFC 3629 section 4, UTF8-4
missing/C2-C2         | C2 C2                | a first byte where a tail belongs | RFC 3629 section 4, UTF8-2
missing/C2-C2-80      | C2 C2 80             | the second first byte is right: one error, then U+0080 | Unicode 3.9, maximal subparts
missing/E1-C2-80      | E1 C2 80             | three bytes broken off by a character of two | Unicode 3.9, maximal subparts
missing/E1-80-C2-80   | E1 80 C2 80          | broken off later: E1 80 is one error | Unicode 3.9, maximal subparts
missing/E1-E1-80-80   | E1 E1 80 80          | three bytes broken off by a character of three | Unicode 3.9, maximal subparts
missing/F1-E1-80-80   | F1 E1 80 80          | four bytes broken off by a character of three | Unicode 3.9, maximal subparts
missing/F1-80-E1-80-80 | F1 80 E1 80 80      | the same one byte later | Unicode 3.9, maximal subparts
missing/F1-80-80-E1-80-80 | F1 80 80 E1 80 80 | the same two bytes later | Unicode 3.9, maximal subparts
missing/F1-80-80-FF   | F1 80 80 FF          | four bytes broken off by a byte that is never right | RFC 3629 section 4
missing/E1-80-F5      | E1 80 F5             | three bytes broken off by F5 | RFC 3629 section 4
missing/F0-90-ED      | F0 90 ED 80 80       | four bytes broken off by U+D000 | Unicode 3.9, maximal subparts
missing/lead-space-all | C2 20 C3 20 DF 20   | each first byte of two and a space, as in Kuhn's list | Kuhn's test of lonely first bytes, in our words
missing/three-space   | E1 20 E2 20 EF 20    | first bytes of three and a space | Kuhn's test of lonely first bytes, in our words
missing/four-space    | F1 20 F2 20 F4 20    | first bytes of four and a space | Kuhn's test of lonely first bytes, in our words
missing/C2-80-C2      | C2 80 C2             | one character right, the next cut | RFC 3629 section 4, UTF8-2
missing/newline       | E2 82 0A AC          | a line feed inside a character: line-wise readers differ | line tools
missing/E2-nul-AC     | E2 00 AC             | a NUL inside a character | C strings
missing/cut-pieces    | C2 E0 A0 F0 90 80 E1 80 F1 80 80 | five cut sequences in a row: five errors | Kuhn's concatenated sequences, in our words
missing/tail-far      | E2 61 82 AC          | the tails come one byte late | RFC 3629 section 4, UTF8-3
missing/bom-A         | EF BB 41             | most of a BOM, then a letter: whoever looks for a BOM may eat it | RFC 3629 section 6
missing/swapped       | 82 E2 AC             | the bytes of € in another order | RFC 3629 section 4, UTF8-3
missing/backwards     | AC 82 E2             | the bytes of € backwards | RFC 3629 section 4, UTF8-3
# Overlong forms: the same character in more bytes than it needs
overlong/C0-80        | C0 80                | NUL in two bytes: what Java writes to keep C strings whole | RFC 3629 section 3
overlong/nul-3        | E0 80 80             | NUL in three bytes | RFC 3629 section 10
overlong/nul-4        | F0 80 80 80          | NUL in four bytes | RFC 3629 section 10
overlong/nul-5        | F8 80 80 80 80       | NUL in five bytes | RFC 2279, five bytes
overlong/nul-6        | FC 80 80 80 80 80    | NUL in six bytes | RFC 2279, six bytes
overlong/slash-2      | C0 AF                | / in two bytes: the way out of the web server's folder | CVE-2000-0884, IIS
overlong/slash-3      | E0 80 AF             | / in three bytes | RFC 3629 section 10
overlong/slash-4      | F0 80 80 AF          | / in four bytes | RFC 3629 section 10
overlong/slash-5      | F8 80 80 80 AF       | / in five bytes | RFC 2279, five bytes
overlong/slash-6      | FC 80 80 80 80 AF    | / in six bytes | RFC 2279, six bytes
overlong/slash-loose  | C0 2F                | an overlong / whose tail lost its top bit, which IIS took too | CVE-2000-0884, IIS
overlong/backslash-2  | C1 9C                | \\ in two bytes: the other way out of the folder | CVE-2000-0884, IIS
overlong/dot-2        | C0 AE                | . in two bytes; two of them make .. | CVE-2008-2938, Tomcat
overlong/dots-rfc     | 2F C0 AE 2E 2F       | /../ with one dot in two bytes: the RFC's own warning | RFC 3629 section 10
overlong/dots-path    | C0 AE C0 AE 2F       | ../ with both dots in two bytes | CVE-2008-2938, Tomcat
overlong/path         | 2E 2E C0 AF 2E 2E    | ..⁄.. with the slash in two bytes | CVE-2000-0884, IIS
overlong/webdav       | 2F C0 AF 70          | an overlong / in a protected path | CVE-2009-1535, IIS WebDAV
overlong/less-2       | C0 BC                | < in two bytes, past a filter for tags | CVE-2010-3870, PHP utf8_decode
overlong/quote-2      | C0 A2                | a quotation mark in two bytes, past an escaping function | CVE-2010-3870, PHP utf8_decode
overlong/apostrophe-2 | C0 A7                | an apostrophe in two bytes, past an escaping function | CVE-2010-3870, PHP utf8_decode
overlong/newline-2    | C0 8A                | a line feed in two bytes, past a filter for headers | RFC 3629 section 10
overlong/space-2      | C0 A0                | a space in two bytes | RFC 3629 section 10
overlong/A-2          | C1 81                | A in two bytes: only C0 was shut out | C1 forgotten
overlong/a-2          | C1 A1                | a in two bytes | C1 forgotten
overlong/delete-2     | C1 BF                | the highest that C1 could say, U+007F | RFC 3629 section 4
overlong/C0-BF        | C0 BF                | the highest that C0 could say, U+003F | RFC 3629 section 4
overlong/C1-80        | C1 80                | the lowest that C1 could say, U+0040 | RFC 3629 section 4
overlong/C0-alone     | C0                   | C0 alone is wrong at once, not incomplete | RFC 3629 section 4
overlong/C1-alone     | C1                   | C1 alone is wrong at once, not incomplete | RFC 3629 section 4
overlong/C0-a         | C0 61                | C0, then ASCII: one error, and the a stays | Unicode 3.9, maximal subparts
overlong/E0-80-80     | E0 80 BF             | the lowest second byte after E0 | RFC 3629 section 4, UTF8-3 alternative 1
overlong/E0-81-81     | E0 81 81             | A in three bytes | RFC 3629 section 10
overlong/E0-82-80     | E0 82 80             | U+0080 in three bytes | RFC 3629 section 3
overlong/E0-9F-BF     | E0 9F BF             | U+07FF in three bytes: the highest that is overlong | RFC 3629 section 3
overlong/E0-9F-80     | E0 9F 80             | U+07C0 in three bytes | RFC 3629 section 4, UTF8-3 alternative 1
overlong/E0-8F-BF     | E0 8F BF             | second byte 8F, a border for F4, not here | RFC 3629 section 4, UTF8-3 alternative 1
overlong/E0-90-80     | E0 90 80             | second byte 90: right after F0, wrong after E0 | RFC 3629 section 4, UTF8-3 alternative 1
overlong/E0-80-cut    | E0 80                | wrong at its second byte already, cut or not | RFC 3629 section 4, UTF8-3 alternative 1
overlong/F0-80-80     | F0 80 80 BF          | the lowest second byte after F0 | RFC 3629 section 4, UTF8-4 alternative 1
overlong/F0-82-82-AC  | F0 82 82 AC          | € in four bytes | RFC 3629 section 3
overlong/F0-8F-BF-BF  | F0 8F BF BF          | U+FFFF in four bytes: the highest that is overlong | simdjson issue 1187
overlong/F0-8F-80-80  | F0 8F 80 80          | U+F000 in four bytes | RFC 3629 section 4, UTF8-4 alternative 1
overlong/F0-80-cut    | F0 80                | wrong at its second byte already | RFC 3629 section 4, UTF8-4 alternative 1
overlong/F0-80-80-cut | F0 80 80             | three bytes, wrong since the second | RFC 3629 section 4, UTF8-4 alternative 1
overlong/F0-surrogate | F0 8D A0 80          | U+D800 in four bytes: overlong and a surrogate | RFC 3629 section 3
overlong/F8-max       | F8 87 BF BF BF       | U+1FFFFF in five bytes | Kuhn's maximal overlong sequences, in our words
overlong/FC-max       | FC 83 BF BF BF BF    | U+3FFFFFF in six bytes | Kuhn's maximal overlong sequences, in our words
overlong/bom-4        | F0 8F BB BF          | a BOM in four bytes | RFC 3629 section 6
# Surrogates
surrogate/first       | ED A0 80             | U+D800, the lowest | the seeds, example 2
surrogate/high-last   | ED AF BF             | U+DBFF, the last of the first half | RFC 3629 section 3
surrogate/DB7F        | ED AD BF             | U+DB7F, the last first half before private use | RFC 3629 section 3
surrogate/DB80        | ED AE 80             | U+DB80, the first for private use | RFC 3629 section 3
surrogate/low-first   | ED B0 80             | U+DC00, the first of the second half | RFC 3629 section 3
surrogate/BE          | ED BE 80             | U+DF80 | RFC 3629 section 3
surrogate/last        | ED BF BF             | U+DFFF, the highest | RFC 3629 section 3
surrogate/A0-BF       | ED A0 BF             | U+D83F: the lowest second byte, the highest third | RFC 3629 section 4, UTF8-3 alternative 3
surrogate/BF-80       | ED BF 80             | U+DFC0: the highest second byte, the lowest third | RFC 3629 section 4, UTF8-3 alternative 3
surrogate/escape      | ED B2 80             | U+DC80, which Python's surrogateescape makes of 80 | Python PEP 383
surrogate/rfc-pair    | ED A1 8C ED BE B4    | the pair that a naive decoder makes U+233B4 of | RFC 3629 section 3
surrogate/pair-first  | ED A0 80 ED B0 80    | U+10000 as a pair | CESU-8, Unicode TR 26
surrogate/pair-last   | ED AF BF ED BF BF    | U+10FFFF as a pair | CESU-8, Unicode TR 26
surrogate/pair-emoji  | ED A0 BD ED B8 80    | 😀 as a pair, as Oracle's UTF8 and Java store it | CESU-8, Unicode TR 26
surrogate/pair-turned | ED B0 80 ED A0 80    | the halves in the wrong order: wrong for CESU-8 too | CESU-8, Unicode TR 26
surrogate/high-high   | ED A0 80 ED A0 80    | two first halves | CESU-8, Unicode TR 26
surrogate/low-low     | ED B0 80 ED B0 80    | two second halves | CESU-8, Unicode TR 26
surrogate/high-ascii  | ED A0 80 61          | a first half, then ASCII | lone surrogates from JavaScript
surrogate/low-ascii   | ED B0 80 61          | a second half, then ASCII | lone surrogates from JavaScript
surrogate/inside      | 61 ED A0 80 62       | a first half in the midst of text | lone surrogates from JavaScript
surrogate/cut-2       | ED A0                | wrong at its second byte: not incomplete | RFC 3629 section 4, UTF8-3 alternative 3
surrogate/cut-2-high  | ED BF                | the same with the highest second byte | RFC 3629 section 4, UTF8-3 alternative 3
surrogate/pair-cut    | ED A0 80 ED B0       | a pair without its last byte | CESU-8, Unicode TR 26
surrogate/pair-space  | ED A0 80 20 ED B0 80 | halves with a space between | lone surrogates from JavaScript
surrogate/after-D7FF  | ED 9F BF ED A0 80    | the last character before them, then the first of them | RFC 3629 section 3
surrogate/before-E000 | ED BF BF EE 80 80    | the last of them, then the first character after them | RFC 3629 section 3
surrogate/four-half   | ED A0 80 F0 90 80 80 | a first half, then a real character of four bytes | RFC 3629 section 3
# Above U+10FFFF
large/110000          | F4 90 80 80          | U+110000, the first that UTF-16 cannot say | RFC 3629 section 3
large/13FFFF          | F4 BF BF BF          | the highest that F4 could say | RFC 3629 section 4, UTF8-4 alternative 3
large/F4-90-BF-BF     | F4 90 BF BF          | the lowest wrong second byte, the highest tails | RFC 3629 section 4, UTF8-4 alternative 3
large/F4-9F           | F4 9F 80 80          | second byte 9F, a border for ED, not here | RFC 3629 section 4, UTF8-4 alternative 3
large/F4-A0           | F4 A0 80 80          | second byte A0, a border for E0, not here | RFC 3629 section 4, UTF8-4 alternative 3
large/F4-90-cut       | F4 90                | wrong at its second byte: not incomplete | RFC 3629 section 4, UTF8-4 alternative 3
large/F5-80-80-80     | F5 80 80 80          | F5 could only say more than the last character | the seeds, example 3
large/F5-alone        | F5                   | F5 alone is wrong at once | RFC 3629 section 4
large/F5-a            | F5 61                | F5, then ASCII: one error | Unicode 3.9, maximal subparts
large/F6              | F6 80 80 80          | U+180000 | RFC 3629 section 4
large/F7              | F7 BF BF BF          | U+1FFFFF, the highest of four bytes in RFC 2279 | RFC 2279
large/F7-alone        | F7                   | F7 alone is wrong at once | RFC 3629 section 4
large/overflow        | F7 B0 80 80          | a value whose high bits a 20-bit field loses | CVE-2009-5016, PHP utf8_decode
large/F8              | F8 88 80 80 80       | U+200000, the first of five bytes | RFC 2279, five bytes
large/FB              | FB BF BF BF BF       | U+3FFFFFF, the last of five bytes | RFC 2279, five bytes
large/FC              | FC 84 80 80 80 80    | U+4000000, the first of six bytes | RFC 2279, six bytes
large/FD              | FD BF BF BF BF BF    | U+7FFFFFFF, the last of RFC 2279 | RFC 2279, six bytes
large/FE-7            | FE 82 80 80 80 80 80 | seven bytes, as Perl writes what is above 31 bits | Perl's extended UTF-8
large/FF-13           | FF 80 87 80 80 80 80 80 80 80 80 80 80 | thirteen bytes, Perl's last resort | Perl's extended UTF-8
large/F8-cut          | F8 88 80 80          | five bytes without the last | RFC 2279, five bytes
large/FC-cut          | FC 84 80 80 80       | six bytes without the last | RFC 2279, six bytes
large/F8-alone        | F8                   | F8 alone | RFC 3629 section 4
large/FB-alone        | FB                   | FB alone | RFC 3629 section 4
large/FC-alone        | FC                   | FC alone | RFC 3629 section 4
large/FD-alone        | FD                   | FD alone | RFC 3629 section 4
large/FE              | FE                   | FE, in no form of UTF-8 ever defined | RFC 3629 section 1
large/FF              | FF                   | FF, in no form of UTF-8 ever defined; EOF to code that stores int in char | RFC 3629 section 1
large/FE-FF           | FE FF                | a BOM of UTF-16BE | RFC 3629 section 6
large/FF-FE           | FF FE                | a BOM of UTF-16LE | RFC 3629 section 6
large/utf-16be        | FE FF 00 61          | text of UTF-16BE with its BOM: not to be guessed | encoding guessers
large/utf-16le        | FF FE 61 00          | text of UTF-16LE with its BOM: not to be guessed | encoding guessers
large/utf-32be        | 00 00 FE FF 00 00 00 61 | text of UTF-32BE with its BOM | encoding guessers
large/utf-32le        | FF FE 00 00 61 00 00 00 | text of UTF-32LE with its BOM | encoding guessers
large/FF-tail         | FF 80                | FF and a tail byte: two errors | Unicode 3.9, maximal subparts
large/FE-FE-FF-FF     | FE FE FF FF          | four bytes that are never right: four errors | Kuhn's impossible bytes, in our words
large/telnet          | FF FB 01             | bytes of a telnet negotiation | binary data taken for text
large/ascii-FF        | 61 FF                | FF after ASCII | RFC 3629 section 4
large/nul-FF          | 00 FF                | FF after NUL, where C strings have ended | C strings
large/after-last      | F4 8F BF BF F4 90 80 80 | the last character, then the first beyond it | RFC 3629 section 3
# Several faults, to count U+FFFD by
count/unicode-3-8     | C0 AF E0 80 BF F0 81 82 41 | eight U+FFFD, then A | Unicode 3.9, table 3-8
count/unicode-3-9     | ED A0 80 ED BF BF ED AF 41 | eight U+FFFD, then A | Unicode 3.9, table 3-9
count/unicode-3-10    | F4 91 92 93 FF 41 80 BF 42 | five U+FFFD, A, two U+FFFD, B | Unicode 3.9, table 3-10
count/unicode-3-11    | E1 80 E2 F0 91 92 F1 BF 41 | four U+FFFD, then A | Unicode 3.9, table 3-11
count/chapter-5       | 61 F1 80 80 E1 80 C2 62 80 63 80 BF 64 | a, three U+FFFD, b, one, c, two, d | Unicode 5.2, conversion of ill-formed text
count/python-8271     | F0 80 80 41          | three U+FFFD and A, where Python before 3.3 gave one | Python issue 8271
count/six-bytes       | FC 84 80 80 80 80 41 | six U+FFFD, then A | Unicode 3.9, maximal subparts
count/two-cut         | E2 82 E2 82          | two U+FFFD: the first cut by a first byte, the second by the end | Unicode 3.9, maximal subparts
count/three-cut       | F0 9F 98 F0 9F 98    | two U+FFFD for three bytes each | Unicode 3.9, maximal subparts
count/good-after      | F0 9F 98 E2 82 AC    | one U+FFFD, then €: nothing of it may be eaten | swallowing decoders
count/good-after-one  | E2 C3 A9             | one U+FFFD, then é | swallowing decoders
count/ascii-after     | F0 9F 61 62          | one U+FFFD, then ab: skipping four bytes would eat them | swallowing decoders
count/tail-after      | C2 61 80             | U+FFFD, a, U+FFFD | Unicode 3.9, maximal subparts
count/real-and-error  | EF BF BD 80          | a real U+FFFD, then one for an error | replacement taken for an error
count/real-last       | 80 EF BF BD          | one for an error, then a real U+FFFD | replacement taken for an error
count/end-3           | 61 F0 90 80          | the end cuts three bytes: one U+FFFD | Unicode 3.9, maximal subparts
count/end-surrogate   | 61 ED A0             | the end cuts a surrogate: two U+FFFD | Unicode 3.9, maximal subparts
count/end-overlong    | 61 E0 80             | the end cuts an overlong form: two U+FFFD | Unicode 3.9, maximal subparts
count/alternating     | 61 80 62 81 63 82    | every second byte an error | Unicode 3.9, maximal subparts
count/FF-run          | FF*16                | sixteen errors in a row, one U+FFFD each | Unicode 3.9, maximal subparts
count/tail-run        | 80*64                | a block of stray bytes | Unicode 3.9, maximal subparts
count/lead-run        | E2*16                | a block of first bytes: sixteen errors | Unicode 3.9, maximal subparts
count/half-run        | F0 9F 98 F0 9F 98 F0 9F 98 F0 9F 98 | four cut characters: four U+FFFD | Unicode 3.9, maximal subparts
# What programs have got wrong
bug/tomcat-loop       | F0 9F 98 80 F0 9F    | characters of four bytes at a buffer's end sent a decoder round for ever | CVE-2018-1336, Tomcat
bug/libxml2-loop      | 3C 61 3E C3          | a first byte at the end of a document sent a parser round for ever | CVE-2007-6284, libxml2
bug/postgresql        | C8 27                | a first byte takes the apostrophe behind it along: SQL injection | CVE-2006-2313, PostgreSQL
bug/backslash-eaten   | E0 5C 27             | a first byte takes the backslash of an escaped apostrophe along | CVE-2006-2313, PostgreSQL
bug/63-spaces-FF      | 20*63 FF             | 63 spaces, then FF in the last lane of a block | simdjson issue 1169, simdutf issue 458
bug/15-spaces-FF      | 20*15 FF             | the same for blocks of 16 | simdjson issue 1169
bug/31-spaces-FF      | 20*31 FF             | the same for blocks of 32 | simdjson issue 1169
bug/64-spaces-FF      | 20*64 FF             | one byte further on | simdjson issue 1169
bug/127-spaces-FF     | 20*127 FF            | the last lane of the second block | simdjson issue 1169
bug/lead-then-ascii-16 | 61*15 C3 61*16      | a first byte ends the block, the next block is ASCII | simd-json issue 166
bug/lead-then-ascii-32 | 61*31 C3 61*32      | the same for blocks of 32 | simd-json issue 166
bug/lead-then-ascii-64 | 61*63 C3 61*64      | the same for blocks of 64 | simd-json issue 166
bug/E2-then-ascii-32  | 61*31 E2 61*32       | a first byte of three ends the block | simd-json issue 166
bug/E2-82-then-ascii-64 | 61*62 E2 82 61*64  | two bytes of three end the block | simd-json issue 166
bug/F0-then-ascii-64  | 61*61 F0 9F 98 61*64 | three bytes of four end the block | simd-json issue 166
bug/ascii-fast-path   | C3 61*64             | the fast path for ASCII skips a character that is not done | simdutf pull request 381
bug/ascii-fast-path-2 | E2 82 61*64          | the same with two bytes of three | simdutf pull request 381
bug/zero-block        | 00*31 C3 00*32       | rolling back before a block of zeros | bytestring issue 620
bug/zero-block-16     | 00*15 E2 82 00*16    | the same for blocks of 16, and two bytes | bytestring issue 620
bug/end-of-16         | 61*15 C3             | a first byte is the last of exactly 16 | last block
bug/end-of-32         | 61*30 E2 82          | two bytes of three are the last of exactly 32 | last block
bug/end-of-64         | 61*61 F0 9F 98       | three bytes of four are the last of exactly 64 | last block
bug/end-of-64-one     | 61*63 F0             | a first byte of four is the last of exactly 64 | last block
bug/end-of-128        | 61*127 C3            | a first byte is the last of two blocks | last block
bug/start-of-64       | 61*64 80             | a tail byte is the first of a block | carry between blocks
bug/start-of-16       | 61*16 BF             | a tail byte is the first of a block of 16 | carry between blocks
bug/start-of-32       | 61*32 A0             | a tail byte is the first of a block of 32 | carry between blocks
bug/tail-after-full   | 61*60 F0 9F 98 80 80 | a whole character ends the block, a tail too many begins the next | carry between blocks
bug/across-64-bad     | 61*63 E2 82          | three bytes across the border, cut after two | carry between blocks
bug/across-64-overlong | 61*63 E0 80 80      | E0 ends a block, its wrong second byte begins the next | carry between blocks
bug/across-64-surrogate | 61*63 ED A0 80     | ED ends a block, its wrong second byte begins the next | carry between blocks
bug/across-64-large   | 61*63 F4 90 80 80    | F4 ends a block, its wrong second byte begins the next | carry between blocks
bug/across-64-over-4  | 61*63 F0 8F BF BF    | F0 ends a block, its wrong second byte begins the next | carry between blocks
bug/across-16-overlong | 61*15 C0 80         | C0 ends a block of 16 | carry between blocks
bug/across-32-surrogate | 61*31 ED A0 80     | the same at 32 with ED | carry between blocks
bug/byte-length       | 61*256 80            | an error at offset 256: 0 to lengths in a byte | length in 8 bits
bug/byte-length-255   | 61*255 80            | an error at offset 255 | length in 8 bits
bug/after-127         | 61*127 80            | an error at offset 127, where signed bytes end | length in 7 bits
bug/after-128         | 61*128 FF            | an error at offset 128 | length in 7 bits
bug/late              | 61*300 FF            | an error past the first 256 bytes, where samplers stop | sampling
bug/late-1024         | 61*1024 80           | an error just past 1024 bytes, where guessers stop | sampling
bug/nul-then-bad      | 61 00 C0 80          | an overlong form behind a NUL | C strings
bug/utf-7-bad         | 2B 41 47 45 2D FF    | UTF-7 cannot excuse FF | encoding guessers
bug/double-encoded    | C3 83 C2             | UTF-8 taken for Latin-1, encoded again, and cut | mojibake
bug/signed-char       | 61 80 61             | 80 is negative where char is signed, and below 80 | signed char
bug/masked-tail       | C3 29                | a tail without its top bit: masked with 3F it looks right | tails not checked
bug/masked-tail-C0    | C3 E9                | a tail with a bit too many: masked with 3F it looks right | tails not checked
bug/third-tail        | E2 82 EC             | only the second byte was checked | tails not checked
bug/fourth-tail       | F0 9F 98 C0          | only the second and third were checked | tails not checked
bug/bom-swallowed     | EF BB BF FF          | an error after a BOM: its offset is 3, not 0 | RFC 3629 section 6
bug/bom-twice-bad     | EF BB BF EF BB       | a BOM, then most of one | RFC 3629 section 6
# The outer edges of every alternative: one byte is just outside, all the others just inside
edge/C2-7F            | C2 7F                | 7F is one below the lowest second byte after C2 | RFC 3629 section 4, UTF8-2
edge/DF-C0            | DF C0                | C0 is one above the highest second byte after DF | RFC 3629 section 4, UTF8-2
edge/E0-A0-7F         | E0 A0 7F             | 7F is one below the lowest third byte after E0 A0 | RFC 3629 section 4, UTF8-3 alternative 1
edge/E0-C0-BF         | E0 C0 BF             | C0 is one above the highest second byte after E0 | RFC 3629 section 4, UTF8-3 alternative 1
edge/E0-BF-C0         | E0 BF C0             | C0 is one above the highest third byte after E0 BF | RFC 3629 section 4, UTF8-3 alternative 1
edge/E1-7F-80         | E1 7F 80             | 7F is one below the lowest second byte after E1 | RFC 3629 section 4, UTF8-3 alternative 2
edge/E1-80-7F         | E1 80 7F             | 7F is one below the lowest third byte after E1 80 | RFC 3629 section 4, UTF8-3 alternative 2
edge/EC-C0-BF         | EC C0 BF             | C0 is one above the highest second byte after EC | RFC 3629 section 4, UTF8-3 alternative 2
edge/EC-BF-C0         | EC BF C0             | C0 is one above the highest third byte after EC BF | RFC 3629 section 4, UTF8-3 alternative 2
edge/ED-7F-80         | ED 7F 80             | 7F is one below the lowest second byte after ED | RFC 3629 section 4, UTF8-3 alternative 3
edge/ED-80-7F         | ED 80 7F             | 7F is one below the lowest third byte after ED 80 | RFC 3629 section 4, UTF8-3 alternative 3
edge/ED-9F-C0         | ED 9F C0             | C0 is one above the highest third byte after ED 9F | RFC 3629 section 4, UTF8-3 alternative 3
edge/EE-7F-80         | EE 7F 80             | 7F is one below the lowest second byte after EE | RFC 3629 section 4, UTF8-3 alternative 4
edge/EE-80-7F         | EE 80 7F             | 7F is one below the lowest third byte after EE 80 | RFC 3629 section 4, UTF8-3 alternative 4
edge/EF-C0-BF         | EF C0 BF             | C0 is one above the highest second byte after EF | RFC 3629 section 4, UTF8-3 alternative 4
edge/EF-BF-C0         | EF BF C0             | C0 is one above the highest third byte after EF BF | RFC 3629 section 4, UTF8-3 alternative 4
edge/F0-90-7F-80      | F0 90 7F 80          | 7F is one below the lowest third byte after F0 90 | RFC 3629 section 4, UTF8-4 alternative 1
edge/F0-90-80-7F      | F0 90 80 7F          | 7F is one below the lowest fourth byte after F0 90 80 | RFC 3629 section 4, UTF8-4 alternative 1
edge/F0-C0-BF-BF      | F0 C0 BF BF          | C0 is one above the highest second byte after F0 | RFC 3629 section 4, UTF8-4 alternative 1
edge/F0-BF-C0-BF      | F0 BF C0 BF          | C0 is one above the highest third byte after F0 BF | RFC 3629 section 4, UTF8-4 alternative 1
edge/F0-BF-BF-C0      | F0 BF BF C0          | C0 is one above the highest fourth byte after F0 BF BF | RFC 3629 section 4, UTF8-4 alternative 1
edge/F1-7F-80-80      | F1 7F 80 80          | 7F is one below the lowest second byte after F1 | RFC 3629 section 4, UTF8-4 alternative 2
edge/F1-80-7F-80      | F1 80 7F 80          | 7F is one below the lowest third byte after F1 80 | RFC 3629 section 4, UTF8-4 alternative 2
edge/F1-80-80-7F      | F1 80 80 7F          | 7F is one below the lowest fourth byte after F1 80 80 | RFC 3629 section 4, UTF8-4 alternative 2
edge/F3-C0-BF-BF      | F3 C0 BF BF          | C0 is one above the highest second byte after F3 | RFC 3629 section 4, UTF8-4 alternative 2
edge/F3-BF-C0-BF      | F3 BF C0 BF          | C0 is one above the highest third byte after F3 BF | RFC 3629 section 4, UTF8-4 alternative 2
edge/F3-BF-BF-C0      | F3 BF BF C0          | C0 is one above the highest fourth byte after F3 BF BF | RFC 3629 section 4, UTF8-4 alternative 2
edge/F4-7F-80-80      | F4 7F 80 80          | 7F is one below the lowest second byte after F4 | RFC 3629 section 4, UTF8-4 alternative 3
edge/F4-80-7F-80      | F4 80 7F 80          | 7F is one below the lowest third byte after F4 80 | RFC 3629 section 4, UTF8-4 alternative 3
edge/F4-80-80-7F      | F4 80 80 7F          | 7F is one below the lowest fourth byte after F4 80 80 | RFC 3629 section 4, UTF8-4 alternative 3
edge/F4-8F-C0-BF      | F4 8F C0 BF          | C0 is one above the highest third byte after F4 8F | RFC 3629 section 4, UTF8-4 alternative 3
edge/F4-8F-BF-C0      | F4 8F BF C0          | C0 is one above the highest fourth byte after F4 8F BF | RFC 3629 section 4, UTF8-4 alternative 3
"""
