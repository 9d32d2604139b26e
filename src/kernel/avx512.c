/* The AVX-512 kernel: 64 bytes at a time, one table of 128 entries for each of two byte roles (needs VBMI). What it does
 * with them is in stretches.h.
 *
 * A byte role is one look-up in 128 entries, index max(byte, 7F): all of ASCII falls on the last entry. So does FF, which
 * is therefore taken for ASCII here; the length test finds it, two lanes later.
 */
#include <stdbool.h>

#include "compiler.h"
#include "wide.h"

#if UTF8_X86
#include <immintrin.h>

#define AVX512 UTF8_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")
#define KERNEL AVX512
enum { WIDTH = 64, BLOCK = 128, SHORT = 64, BACK = 16, LATE = 2 };
typedef __m512i vector;

/* Sixteen entries: those for the bytes ending in 0..F. */
#define SIXTEEN(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x

enum { ABOVE = NO_TAIL | TOO_LARGE | BAD_8X };

/* What may be wrong given p1, the byte before. */
static const uint8_t possible_after[128] = {
    SIXTEEN(TWO_TAILS),                                                               /* 80..8F  UTF8-tail */
    SIXTEEN(TWO_TAILS),                                                               /* 90..9F */
    SIXTEEN(TWO_TAILS),                                                               /* A0..AF */
    SIXTEEN(TWO_TAILS),                                                               /* B0..BF */
    NO_TAIL | OVERLONG_2, NO_TAIL | OVERLONG_2,                                   /* C0, C1 begin nothing */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* C2..DF  UTF8-2 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    SIXTEEN(NO_TAIL),
    NO_TAIL | OVERLONG_3,                                                         /* E0      UTF8-3 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* E1..EC */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL | SURROGATE,                                                          /* ED */
    NO_TAIL, NO_TAIL,                                                             /* EE, EF */
    NO_TAIL | BAD_8X,                                                             /* F0      UTF8-4 */
    NO_TAIL, NO_TAIL, NO_TAIL,                                                    /* F1..F3 */
    NO_TAIL | TOO_LARGE,                                                          /* F4 */
    ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE,         /* F5..FE begin nothing */
    LONE_TAIL,                                                                    /* 00..7F  UTF8-1, and FF */
};

/* What may be wrong given b0, the byte itself. */
static const uint8_t possible_at[128] = {
    SIXTEEN(AT_8X),                        /* 80..8F  UTF8-tail */
    SIXTEEN(AT_9X),                        /* 90..9F */
    SIXTEEN(AT_AX_BX),                        /* A0..AF */
    SIXTEEN(AT_AX_BX),                        /* B0..BF */
    SIXTEEN(NO_TAIL), SIXTEEN(NO_TAIL),             /* C0..FE  no tail */
    SIXTEEN(NO_TAIL), SIXTEEN(NO_TAIL),             /* ... with 00..7F and FF in the last place */
};

AVX512 UTF8_INLINE vector load(const uint8_t *at) { return _mm512_loadu_si512(at); }

AVX512 UTF8_INLINE vector all_lanes(uint8_t byte) { return _mm512_set1_epi8((char)byte); }

AVX512 UTF8_INLINE vector both(vector x, vector y) { return _mm512_and_si512(x, y); }

AVX512 UTF8_INLINE vector either(vector x, vector y) { return _mm512_or_si512(x, y); }

AVX512 UTF8_INLINE vector differ(vector x, vector y) { return _mm512_xor_si512(x, y); }

AVX512 UTF8_INLINE vector average(vector x, vector y) { return _mm512_avg_epu8(x, y); }

AVX512 UTF8_INLINE bool is_ascii(vector x) { return _mm512_movepi8_mask(x) == 0; }

AVX512 UTF8_INLINE bool is_zero(vector x) { return _mm512_test_epi8_mask(x, x) == 0; }

AVX512 UTF8_INLINE vector look_up(const uint8_t table[128], vector byte) {
    const vector index = _mm512_max_epu8(byte, all_lanes(0x7F)); /* only its low seven bits count */
    return _mm512_permutex2var_epi8(load(table), index, load(table + 64));
}

AVX512 UTF8_INLINE vector wrong_pairs(vector p1, vector b0) {
    return both(look_up(possible_after, p1), look_up(possible_at, b0));
}

AVX512 UTF8_INLINE vector top_and_rest(vector x, vector y) {
    return _mm512_ternarylogic_epi64(all_lanes(0x80), x, y, 0xCA); /* a ? b : c, bit by bit */
}

/* `precede` holds, for each 16 bytes of x, the 16 bytes before them. */
#define before(x, precede, back) _mm512_alignr_epi8(x, precede, 16 - (back))

AVX512 UTF8_INLINE vector nothing_precedes(vector x) { return _mm512_alignr_epi32(x, all_lanes(0), 12); }

/* Lanes that the mask leaves out are not read, and cause no page fault. */
AVX512 UTF8_INLINE vector preceding(const uint8_t *block, vector x) {
    const vector sixteen = _mm512_maskz_loadu_epi8(UINT64_C(0xFFFF) << 48, block - 64); /* the last of the 64 */
    return _mm512_alignr_epi32(x, sixteen, 12);
}

AVX512 UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    return _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)count), data);
}

#include "stretches.h"

AVX512 static void lanes_avx512(const uint8_t *block, uint8_t *flags) {
    const objections found = judge_at(block);
    _mm512_storeu_si512(flags, verdict(&found));
}

const utf8_kernel utf8_avx512 = {"avx512", is_valid, first_error, lanes_avx512, 64};

#endif
