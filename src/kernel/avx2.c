/* The AVX2 kernel: 32 bytes at a time. What it does with them is in stretches.h. */
#include <stdbool.h>
#include <string.h>

#include "compiler.h"

#if UTF8_X86
#include <immintrin.h>

#define AVX2 UTF8_TARGET("avx2")
#define KERNEL AVX2
enum { WIDTH = 32 };
typedef __m256i vector;

AVX2 UTF8_INLINE vector load(const uint8_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }

AVX2 UTF8_INLINE vector all_lanes(uint8_t byte) { return _mm256_set1_epi8((char)byte); }

AVX2 UTF8_INLINE vector both(vector x, vector y) { return _mm256_and_si256(x, y); }

AVX2 UTF8_INLINE vector either(vector x, vector y) { return _mm256_or_si256(x, y); }

AVX2 UTF8_INLINE vector differ(vector x, vector y) { return _mm256_xor_si256(x, y); }

AVX2 UTF8_INLINE vector average(vector x, vector y) { return _mm256_avg_epu8(x, y); }

AVX2 UTF8_INLINE vector high_half(vector x) { return both(_mm256_srli_epi16(x, 4), all_lanes(0x0F)); }

AVX2 UTF8_INLINE vector look_up(const uint8_t table[16], vector index) {
    const __m128i row = _mm_loadu_si128((const __m128i *)(const void *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), index);
}

AVX2 UTF8_INLINE bool is_ascii(vector x) { return _mm256_movemask_epi8(x) == 0; }

AVX2 UTF8_INLINE bool is_zero(vector x) { return _mm256_testz_si256(x, x); }

/* `precede` holds the 16 bytes before x, then the first 16 of x. */
#define before(x, precede, back) _mm256_alignr_epi8(x, precede, 16 - (back))

AVX2 UTF8_INLINE vector nothing_precedes(vector x) { return _mm256_permute2x128_si256(x, x, 0x08); }

AVX2 UTF8_INLINE vector preceding(const uint8_t *block, vector x) {
    const __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(block - 16));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(row), _mm256_castsi256_si128(x), 1);
}

/* The `count` (0..31) bytes at `data`, then zeros; no other byte is read. A masked load reads whole words and does not
 * touch the words that its mask leaves out. The last one to three bytes are the upper end of the last four. */
AVX2 UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    uint32_t rest = 0;
    if (count >= 4) {
        memcpy(&rest, data + count - 4, 4);
        rest = (uint32_t)((uint64_t)rest >> (8 * (4 - (count & 3))));
    } else if (count > 0) { /* first, middle and last of one to three bytes */
        const size_t middle = count / 2, last = count - 1;
        rest = data[0] | (uint32_t)data[middle] << (8 * middle) | (uint32_t)data[last] << (8 * last);
    }
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i words = _mm256_set1_epi32((int)(count / 4));
    const __m256i whole = _mm256_maskload_epi32((const int *)(const void *)data, _mm256_cmpgt_epi32(words, place));
    return _mm256_or_si256(whole, _mm256_and_si256(_mm256_cmpeq_epi32(words, place), _mm256_set1_epi32((int)rest)));
}

#include "stretches.h"

AVX2 static void lanes_avx2(const uint8_t *block, uint8_t *flags) {
    const objections found = judge_at(block);
    _mm256_storeu_si256((__m256i *)(void *)flags, verdict(&found));
}

const utf8_kernel utf8_avx2 = {"avx2", is_valid, first_error, lanes_avx2, 32};

#endif
