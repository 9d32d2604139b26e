/* The intrinsics that the kernels use, in plain C, for a model checker: included in place of the compiler's header.
 *
 * Each is written from its description in Intel's intrinsics guide, byte by byte, as simply as it goes.
 * tests/test_proof_model.py compares every one of them with the processor's own instruction on random operands.
 */
#ifndef UTF8_MODEL_IMMINTRIN_H
#define UTF8_MODEL_IMMINTRIN_H

#include <stdint.h>

typedef struct { uint8_t b[16]; } __m128i;
typedef struct { uint8_t b[32]; } __m256i;
typedef struct { uint8_t b[64]; } __m512i;
typedef uint64_t __mmask64;

#define MODEL static inline
#define EACH(bytes) for (int i = 0; i < (bytes); i++)

/* What both widths have, with the names of either. T: the vector, N: its bytes, P: the prefix, S: the suffix of "all bits". */
#define BYTEWISE(T, N, P, S)                                                                                              \
    MODEL T P##_set1_epi8(char x) { T r; EACH(N) r.b[i] = (uint8_t)x; return r; }                                         \
    MODEL T P##_setzero_##S(void) { T r; EACH(N) r.b[i] = 0; return r; }                                                  \
    MODEL T P##_and_##S(T x, T y) { T r; EACH(N) r.b[i] = x.b[i] & y.b[i]; return r; }                                    \
    MODEL T P##_or_##S(T x, T y) { T r; EACH(N) r.b[i] = x.b[i] | y.b[i]; return r; }                                     \
    MODEL T P##_xor_##S(T x, T y) { T r; EACH(N) r.b[i] = x.b[i] ^ y.b[i]; return r; }                                    \
    MODEL T P##_andnot_##S(T x, T y) { T r; EACH(N) r.b[i] = (uint8_t)~x.b[i] & y.b[i]; return r; }                       \
    MODEL T P##_max_epu8(T x, T y) { T r; EACH(N) r.b[i] = x.b[i] > y.b[i] ? x.b[i] : y.b[i]; return r; }                 \
    MODEL T P##_avg_epu8(T x, T y) { T r; EACH(N) r.b[i] = (uint8_t)((x.b[i] + y.b[i] + 1) >> 1); return r; }             \
    MODEL T P##_shuffle_epi8(T x, T y) { /* within each 16 bytes; bit 7 of the index gives 0 */                           \
        T r; EACH(N) r.b[i] = y.b[i] & 0x80 ? 0 : x.b[(i & ~15) | (y.b[i] & 15)]; return r; }                             \
    MODEL T P##_srli_epi16(T x, unsigned n) { /* 16-bit lanes, low byte first */                                          \
        T r; EACH(N / 2) { unsigned w = (unsigned)(x.b[2 * i] | x.b[2 * i + 1] << 8) >> n;                                \
            r.b[2 * i] = (uint8_t)w; r.b[2 * i + 1] = (uint8_t)(w >> 8); } return r; }                                    \
    MODEL T P##_alignr_epi8(T x, T y, int n) { /* within each 16 bytes: y below x, moved down by n <= 16 */               \
        T r; EACH(N) r.b[i] = (i & 15) + n < 16 ? y.b[i + n] : x.b[i + n - 16]; return r; }

BYTEWISE(__m256i, 32, _mm256, si256)
BYTEWISE(__m512i, 64, _mm512, si512)

MODEL __m256i _mm256_loadu_si256(const __m256i *at) { __m256i r; EACH(32) r.b[i] = ((const uint8_t *)at)[i]; return r; }
MODEL __m512i _mm512_loadu_si512(const void *at) { __m512i r; EACH(64) r.b[i] = ((const uint8_t *)at)[i]; return r; }
MODEL void _mm256_storeu_si256(__m256i *at, __m256i x) { EACH(32) ((uint8_t *)at)[i] = x.b[i]; }
MODEL void _mm512_storeu_si512(void *at, __m512i x) { EACH(64) ((uint8_t *)at)[i] = x.b[i]; }
MODEL __m128i _mm_loadu_si128(const __m128i *at) { __m128i r; EACH(16) r.b[i] = ((const uint8_t *)at)[i]; return r; }

MODEL __m256i _mm256_broadcastsi128_si256(__m128i x) { __m256i r; EACH(32) r.b[i] = x.b[i & 15]; return r; }
MODEL uint32_t word_of(__m256i x, int n) {
    return x.b[4 * n] | (uint32_t)x.b[4 * n + 1] << 8 | (uint32_t)x.b[4 * n + 2] << 16 | (uint32_t)x.b[4 * n + 3] << 24; }
MODEL __m256i of_words(const uint32_t w[8]) { __m256i r; EACH(32) r.b[i] = (uint8_t)(w[i / 4] >> (8 * (i % 4))); return r; }
MODEL __m256i _mm256_set1_epi32(int x) { uint32_t w[8]; EACH(8) w[i] = (uint32_t)x; return of_words(w); }
MODEL __m256i _mm256_setr_epi32(int a, int b, int c, int d, int e, int f, int g, int h) {
    const uint32_t w[8] = {(uint32_t)a, (uint32_t)b, (uint32_t)c, (uint32_t)d, (uint32_t)e, (uint32_t)f, (uint32_t)g, (uint32_t)h};
    return of_words(w); }
MODEL __m256i _mm256_cmpgt_epi32(__m256i x, __m256i y) {
    uint32_t w[8]; EACH(8) w[i] = (int32_t)word_of(x, i) > (int32_t)word_of(y, i) ? ~UINT32_C(0) : 0; return of_words(w); }
MODEL __m256i _mm256_cmpeq_epi32(__m256i x, __m256i y) {
    uint32_t w[8]; EACH(8) w[i] = word_of(x, i) == word_of(y, i) ? ~UINT32_C(0) : 0; return of_words(w); }
MODEL __m256i _mm256_maskload_epi32(const int *at, __m256i mask) { /* a word whose mask has bit 31 clear is not read */
    __m256i r; EACH(32) r.b[i] = mask.b[i | 3] & 0x80 ? ((const uint8_t *)at)[i] : 0; return r; }
MODEL int _mm256_movemask_epi8(__m256i x) { uint32_t r = 0; EACH(32) r |= (uint32_t)(x.b[i] >> 7) << i; return (int)r; }
MODEL int _mm256_testz_si256(__m256i x, __m256i y) { uint8_t r = 0; EACH(32) r |= x.b[i] & y.b[i]; return r == 0; }
MODEL __m256i _mm256_permute2x128_si256(__m256i x, __m256i y, int n) { /* a half by two bits, bit 3 gives 0 */
    __m256i r; EACH(32) { const int which = n >> (i < 16 ? 0 : 4); const int at = (which & 1) * 16 + (i & 15);
        r.b[i] = which & 8 ? 0 : which & 2 ? y.b[at] : x.b[at]; } return r; }
MODEL __m256i _mm256_inserti128_si256(__m256i x, __m128i y, int n) { EACH(16) x.b[16 * n + i] = y.b[i]; return x; }
MODEL __m256i _mm256_castsi128_si256(__m128i x) { __m256i r; EACH(32) r.b[i] = i < 16 ? x.b[i] : 0; return r; }
MODEL __m128i _mm256_castsi256_si128(__m256i x) { __m128i r; EACH(16) r.b[i] = x.b[i]; return r; }

MODEL __m512i _mm512_maskz_loadu_epi8(__mmask64 k, const void *at) { /* a byte that is masked out is not read */
    __m512i r; EACH(64) r.b[i] = k >> i & 1 ? ((const uint8_t *)at)[i] : 0; return r; }
MODEL __mmask64 _mm512_movepi8_mask(__m512i x) { __mmask64 r = 0; EACH(64) r |= (__mmask64)(x.b[i] >> 7) << i; return r; }
MODEL __mmask64 _mm512_test_epi8_mask(__m512i x, __m512i y) {
    __mmask64 r = 0; EACH(64) r |= (__mmask64)((x.b[i] & y.b[i]) != 0) << i; return r; }
MODEL __m512i _mm512_permutex2var_epi8(__m512i x, __m512i at, __m512i y) { /* bit 6 of the index chooses the table */
    __m512i r; EACH(64) r.b[i] = at.b[i] & 0x40 ? y.b[at.b[i] & 63] : x.b[at.b[i] & 63]; return r; }
MODEL __m512i _mm512_ternarylogic_epi64(__m512i x, __m512i y, __m512i z, int table) { /* bit 4x + 2y + z of the table */
    __m512i r; EACH(64) { uint8_t out = 0; for (int n = 0; n < 8; n++) { const int row = (x.b[i] >> n & 1) << 2 | (y.b[i] >> n & 1) << 1 | (z.b[i] >> n & 1);
            out |= (uint8_t)((table >> row & 1) << n); } r.b[i] = out; } return r; }
MODEL __m512i _mm512_alignr_epi32(__m512i x, __m512i y, int n) { /* y below x, moved down by n 32-bit lanes */
    __m512i r; EACH(64) { const int at = i + 4 * n; r.b[i] = at < 64 ? y.b[at] : x.b[at - 64]; } return r; }

#define _MM_HINT_T0 3
MODEL void _mm_prefetch(const char *at, int hint) { (void)at; (void)hint; } /* a hint: changes nothing, never faults */

MODEL uint64_t _bzhi_u64(uint64_t x, unsigned n) { n &= 0xFF; return n < 64 ? x & ((UINT64_C(1) << n) - 1) : x; }

#endif
