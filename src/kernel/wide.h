/* What the wide kernels share: names for the errors of two neighbouring bytes, the check of a text's end, and prefetching.
 *
 * A kernel looks up the errors that are possible after p1, the byte before, and those that are possible at b0, the byte
 * itself. An error that both name is there. The comments show p1 in binary, then b0; `_` is any bit. tools/proof/walk
 * shows that the tables are those of the grammar.
 */
#ifndef UTF8_WIDE_H
#define UTF8_WIDE_H

#include "compiler.h"
#include "utf8_kernel.h"

#define TWICE(...) __VA_ARGS__, __VA_ARGS__ /* AVX2's look-ups want a table for each half of a vector */

/* Vectors whose bytes are all the same, to be loaded. */
#define IN_64_BYTES(byte) {TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(byte))))))}
UTF8_LOADED const uint8_t utf8_all_0F[64] = IN_64_BYTES(0x0F);
UTF8_LOADED const uint8_t utf8_all_1F[64] = IN_64_BYTES(0x1F);
UTF8_LOADED const uint8_t utf8_all_80[64] = IN_64_BYTES(0x80);
UTF8_LOADED const uint8_t utf8_all_C0[64] = IN_64_BYTES(0xC0);

/* One of these, or NULL for another byte. */
UTF8_INLINE const uint8_t *utf8_all(uint8_t byte) {
    if (byte == 0x0F) return utf8_all_0F;
    if (byte == 0x1F) return utf8_all_1F;
    if (byte == 0x80) return utf8_all_80;
    return byte == 0xC0 ? utf8_all_C0 : NULL;
}

enum {
    /* How many bytes ahead to prefetch: from memory (of AVX-512 on Zen 5, 2048 and 16384 gain a quarter less, 8192 a little
     * less), and from the second cache (of AVX-512 on a Xeon, 10 % from 16 KiB on; 256 to 2048 are the same). */
    UTF8_FAR_AHEAD = 10240,
    UTF8_NEAR_AHEAD = 512,

    NO_TAIL = 1 << 0,    /* 11______ 0_______, 11______ 11______   no tail byte after the lead of UTF8-2, -3 or -4 */
    LONE_TAIL = 1 << 1,  /* 0_______ 10______                      a tail byte after UTF8-1 */
    OVERLONG_2 = 1 << 2, /* 1100000_ 10______ = C0, C1 80..BF      UTF8-1 is enough */
    OVERLONG_3 = 1 << 3, /* 11100000 100_____ = E0 80..9F          UTF8-2 or less is enough */
    SURROGATE = 1 << 4,  /* 11101101 101_____ = ED A0..BF          U+D800..U+DFFF */
    BAD_8X = 1 << 5,     /* 11110000 1000____ = F0 80..8F          UTF8-3 or less is enough, and */
                         /* 11110101 1000____ = F5..FF 80..8F      above U+10FFFF */
    TOO_LARGE = 1 << 6,  /* 11110100 1001____ = F4..FF 90..BF      above U+10FFFF */
    TWO_TAILS = 1 << 7,  /* 10______ 10______                      right only two bytes after E0..FF or three after F0..FF */

    /* What may be wrong at a tail byte, by its high four bits. */
    AT_8X = LONE_TAIL | TWO_TAILS | OVERLONG_2 | OVERLONG_3 | BAD_8X,
    AT_9X = LONE_TAIL | TWO_TAILS | OVERLONG_2 | OVERLONG_3 | TOO_LARGE,
    AT_AX_BX = LONE_TAIL | TWO_TAILS | OVERLONG_2 | SURROGATE | TOO_LARGE,
};

/* Whether the text that ends at `end` (three bytes at least, otherwise well-formed) ends within a character. */
static inline bool utf8_cut_off(const uint8_t *end) {
    return (end[-1] >= 0xC0) | (end[-2] >= 0xE0) | (end[-3] >= 0xF0); /* leads of UTF8-2 up, UTF8-3 up, UTF8-4 */
}

/* Prefetch the cache lines of the `count` bytes that lie `ahead` bytes behind `block`, for a later turn. A prefetch never
 * faults, so it may go beyond the end. */
UTF8_INLINE void utf8_fetch(const uint8_t *block, uintptr_t count, uintptr_t ahead) {
    const uintptr_t start = (uintptr_t)block + ahead; /* a number: a pointer may not lie beyond the text */
    for (uintptr_t i = 0; i < count; i += 64) utf8_prefetch(start + i);
}

#endif
