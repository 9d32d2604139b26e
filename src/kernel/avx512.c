/* The AVX-512 kernel: 64 bytes at a time, which look things up in tables of 64 entries by the low six bits of each byte
 * (needs VBMI). What it does with them is in stretches.h.
 */
#include <stdbool.h>

#include "compiler.h"
#include "short.h"
#include "wide.h"

#if UTF8_X86
#include <immintrin.h>

#define AVX512 UTF8_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")
#define KERNEL AVX512
enum { WIDTH = 64, BLOCK = 128, SHORT = 64, BACK = 16 };
typedef __m512i vector;

enum { ABOVE = NO_TAIL | TOO_LARGE | BAD_8X };

/* What may be wrong after p1, the byte before, if it is C0..FF, by its low six bits. */
static const uint8_t after_lead[64] = {
    NO_TAIL | OVERLONG_2, NO_TAIL | OVERLONG_2,                                   /* C0, C1 begin nothing */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* C2..DF  UTF8-2 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL | OVERLONG_3,                                                         /* E0      UTF8-3 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* E1..EC */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL | SURROGATE,                                                          /* ED */
    NO_TAIL, NO_TAIL,                                                             /* EE, EF */
    NO_TAIL | BAD_8X,                                                             /* F0      UTF8-4 */
    NO_TAIL, NO_TAIL, NO_TAIL,                                                    /* F1..F3 */
    NO_TAIL | TOO_LARGE,                                                          /* F4 */
    ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE,  /* F5..FF begin nothing */
};

/* What may be wrong at b0, the byte itself, by its high four bits. A look-up takes two more bits of the index, which do
 * not matter. */
static const uint8_t at_high[64] = {TWICE(TWICE(
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,           /* 00..3F  UTF8-1 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,           /* 40..7F */
    AT_8X, AT_9X, AT_AX_BX, AT_AX_BX,             /* 80..BF  UTF8-tail */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL            /* C0..FF  leads */
))};

AVX512 UTF8_INLINE vector load(const uint8_t *at) { return _mm512_loadu_si512(at); }

AVX512 UTF8_INLINE vector all_lanes(uint8_t byte) {
    const uint8_t *const all = utf8_all(byte);
    return all != NULL ? load(all) : _mm512_set1_epi8((char)byte);
}

AVX512 UTF8_INLINE vector both(vector x, vector y) { return _mm512_and_si512(x, y); }

AVX512 UTF8_INLINE vector either(vector x, vector y) { return _mm512_or_si512(x, y); }

AVX512 UTF8_INLINE vector differ(vector x, vector y) { return _mm512_xor_si512(x, y); }

AVX512 UTF8_INLINE vector average(vector x, vector y) { return _mm512_avg_epu8(x, y); }

AVX512 UTF8_INLINE bool is_ascii(vector x) { return _mm512_movepi8_mask(x) == 0; }

AVX512 UTF8_INLINE uint64_t not_zero(vector x) { return _mm512_test_epi8_mask(x, x); }

AVX512 UTF8_INLINE bool is_zero(vector x) { return not_zero(x) == 0; }

/* Only leads have entries. After any other byte, a tail byte has to be the third or fourth of a character (TWO_TAILS).
 * That is enough after ASCII too. If a lead stands before that ASCII byte, the ASCII byte is objected to. */
AVX512 UTF8_INLINE vector wrong_pairs(vector p1, vector b0) {
    const __mmask64 lead = _mm512_cmpge_epu8_mask(p1, all_lanes(0xC0));
    const vector after = _mm512_mask_permutexvar_epi8(all_lanes(TWO_TAILS), lead, p1, load(after_lead));
    const vector high = _mm512_srli_epi16(b0, 4); /* above those four bits, some of the next byte */
    return both(after, _mm512_permutexvar_epi8(high, load(at_high)));
}

/* `precede` holds, for each 16 bytes of x, the 16 bytes before them. */
#define before(x, precede, back) _mm512_alignr_epi8(x, precede, 16 - (back))

AVX512 UTF8_INLINE vector nothing_precedes(vector x) { return _mm512_alignr_epi32(x, all_lanes(0), 12); }

/* Lanes that the mask leaves out are not read, and cause no page fault. */
AVX512 UTF8_INLINE vector preceding(const uint8_t *block, vector x) {
    const vector sixteen = _mm512_maskz_loadu_epi8(UINT64_C(0xFFFF) << 48, block - 64); /* the last of the 64 */
    return _mm512_alignr_epi32(x, sixteen, 12);
}

/* The four bytes before a block, then zeros. A vector that begins with them would lie in two cache lines. */
AVX512 UTF8_INLINE vector before_block(const uint8_t *block) {
    return _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)utf8_load_short(block - 4, 4).low));
}

AVX512 UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    return _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)count), data);
}

#include "stretches.h"

AVX512 static void lanes_avx512(const uint8_t *block, uint8_t *flags) {
    _mm512_storeu_si512(flags, judge_at(block));
}

const utf8_kernel utf8_avx512 = {"avx512", is_valid, first_error, lanes_avx512, 64, first_lane};

#endif
