/* The AVX2 kernel: 32 bytes at a time. What it does with them is in stretches.h. */
#include <stdbool.h>

#include "compiler.h"

#if UTF8_X86
#include <immintrin.h>

#include "short.h"
#include "wide.h"

#define AVX2 UTF8_TARGET("avx2")
#define KERNEL AVX2
enum { WIDTH = 32, BLOCK = 64, SHORT = 31, BACK = 3 };
typedef __m256i vector;

AVX2 UTF8_INLINE vector load(const uint8_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }

AVX2 UTF8_INLINE vector all_lanes(uint8_t byte) {
    const uint8_t *const all = utf8_all(byte);
    return all != NULL ? load(all) : _mm256_set1_epi8((char)byte);
}

AVX2 UTF8_INLINE vector both(vector x, vector y) { return _mm256_and_si256(x, y); }

AVX2 UTF8_INLINE vector either(vector x, vector y) { return _mm256_or_si256(x, y); }

AVX2 UTF8_INLINE vector differ(vector x, vector y) { return _mm256_xor_si256(x, y); }

AVX2 UTF8_INLINE vector average(vector x, vector y) { return _mm256_avg_epu8(x, y); }

AVX2 UTF8_INLINE vector high_half(vector x) { return both(_mm256_srli_epi16(x, 4), all_lanes(0x0F)); }

AVX2 UTF8_INLINE vector look_up(const uint8_t table[32], vector index) {
    return _mm256_shuffle_epi8(load(table), index);
}

AVX2 UTF8_INLINE bool is_ascii(vector x) { return _mm256_movemask_epi8(x) == 0; }

AVX2 UTF8_INLINE bool is_zero(vector x) { return _mm256_testz_si256(x, x); }

AVX2 UTF8_INLINE uint64_t not_zero(vector x) {
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
}

/* `precede` holds the 16 bytes before x, then the first 16 of x. */
#define before(x, precede, back) _mm256_alignr_epi8(x, precede, 16 - (back))

AVX2 UTF8_INLINE __m128i load_half(const uint8_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

AVX2 UTF8_INLINE vector halves(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

AVX2 UTF8_INLINE vector nothing_precedes(vector x) { return halves(_mm_setzero_si128(), _mm256_castsi256_si128(x)); }

AVX2 UTF8_INLINE vector preceding(const uint8_t *block, vector x) {
    return halves(load_half(block - 16), _mm256_castsi256_si128(x));
}

AVX2 UTF8_INLINE vector before_block(const uint8_t *block) { return load(block - 3); }

/* The `count` (0..31) bytes at `data`, then zeros; no other byte is read. */
AVX2 UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    const utf8_sixteen rest = utf8_load_short(data + (count & 16), count & 15);
    const __m128i half = _mm_set_epi64x((long long)rest.high, (long long)rest.low);
    return count < 16 ? _mm256_inserti128_si256(all_lanes(0), half, 0) : halves(load_half(data), half);
}

#include "half_bytes.h"
#include "stretches.h"

AVX2 static void lanes_avx2(const uint8_t *block, uint8_t *flags) {
    _mm256_storeu_si256((__m256i *)(void *)flags, judge_at(block));
}

const utf8_kernel utf8_avx2 = {"avx2", is_valid, first_error, lanes_avx2, 32, first_lane};

#endif
