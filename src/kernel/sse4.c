/* The SSE4.1 kernel: 16 bytes at a time, for x86 processors without AVX2. What it does with them is in stretches.h. */
#include <stdbool.h>

#include "compiler.h"

#if UTF8_X86
#include <immintrin.h>

#define SSE4 UTF8_TARGET("sse4.1")
#define KERNEL SSE4
enum { WIDTH = 16, BLOCK = 64, SHORT = 15, BACK = 3 };
typedef __m128i vector;

SSE4 UTF8_INLINE vector load(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

SSE4 UTF8_INLINE vector all_lanes(uint8_t byte) { return _mm_set1_epi8((char)byte); }

SSE4 UTF8_INLINE vector both(vector x, vector y) { return _mm_and_si128(x, y); }

SSE4 UTF8_INLINE vector either(vector x, vector y) { return _mm_or_si128(x, y); }

SSE4 UTF8_INLINE vector differ(vector x, vector y) { return _mm_xor_si128(x, y); }

SSE4 UTF8_INLINE vector average(vector x, vector y) { return _mm_avg_epu8(x, y); }

SSE4 UTF8_INLINE vector high_half(vector x) { return both(_mm_srli_epi16(x, 4), all_lanes(0x0F)); }

SSE4 UTF8_INLINE vector look_up(const uint8_t table[16], vector index) { return _mm_shuffle_epi8(load(table), index); }

SSE4 UTF8_INLINE bool is_ascii(vector x) { return _mm_movemask_epi8(x) == 0; }

SSE4 UTF8_INLINE bool is_zero(vector x) { return _mm_testz_si128(x, x); }

SSE4 UTF8_INLINE uint64_t not_zero(vector x) {
    return 0xFFFF ^ (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128()));
}

#define before(x, precede, back) _mm_alignr_epi8(x, precede, 16 - (back))

#include "sixteen.h"

SSE4 UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    const utf8_sixteen bytes = utf8_load_short(data, count);
    return _mm_set_epi64x((long long)bytes.high, (long long)bytes.low);
}

#include "stretches.h"

SSE4 static void lanes_sse4(const uint8_t *block, uint8_t *flags) {
    _mm_storeu_si128((__m128i *)(void *)flags, judge_at(block));
}

const utf8_kernel utf8_sse4 = {"sse4", is_valid, first_error, lanes_sse4, 16, first_lane};

#endif
