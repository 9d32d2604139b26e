/* One function for each intrinsic of the x86 kernels: operands 0, 1 and 2 in, a vector or a number out. See operations.h. */
#include <immintrin.h>

#define S(n) _mm_loadu_si128((const __m128i *)(const void *)AT(n))
#define Y(n) _mm256_loadu_si256((const __m256i *)(const void *)AT(n))
#define H(n) _mm256_castsi256_si128(Y(n))
#define Z(n) _mm512_loadu_si512(AT(n))
#define PUT_S(x) VECTOR(x, _mm_storeu_si128((__m128i *)(void *)out, x))
#define PUT_Y(x) VECTOR(x, _mm256_storeu_si256((__m256i *)(void *)out, x))
#define PUT_Z(x) VECTOR(x, _mm512_storeu_si512(out, x))

/*     name                        what it does with operands 0, 1, 2 */
#define SSE4_OPERATIONS(X)                                                                      \
    X(_mm_loadu_si128_s,             PUT_S(S(0)))                                               \
    X(_mm_storeu_si128,              PUT_S(S(1)))                                               \
    X(_mm_setzero_si128,             PUT_S(_mm_setzero_si128()))                                \
    X(_mm_set1_epi8,                 PUT_S(_mm_set1_epi8((char)AT(0)[0])))                      \
    X(_mm_set_epi64x,                PUT_S(_mm_set_epi64x((long long)MASK, (long long)WORD(1))))\
    X(_mm_cvtsi32_si128,             PUT_S(_mm_cvtsi32_si128((int)WORD(1))))                    \
    X(_mm_and_si128,                 PUT_S(_mm_and_si128(S(0), S(1))))                          \
    X(_mm_or_si128,                  PUT_S(_mm_or_si128(S(0), S(1))))                           \
    X(_mm_xor_si128,                 PUT_S(_mm_xor_si128(S(0), S(1))))                          \
    X(_mm_avg_epu8,                  PUT_S(_mm_avg_epu8(S(0), S(1))))                           \
    X(_mm_shuffle_epi8,              PUT_S(_mm_shuffle_epi8(S(0), S(1))))                       \
    X(_mm_srli_epi16,                PUT_S(_mm_srli_epi16(S(0), 4)))                            \
    X(_mm_alignr_epi8,               PUT_S(_mm_alignr_epi8(S(0), S(1), 16 - (1))))              \
    X(_mm_alignr_epi8_2,             PUT_S(_mm_alignr_epi8(S(0), S(1), 16 - (2))))              \
    X(_mm_alignr_epi8_3,             PUT_S(_mm_alignr_epi8(S(0), S(1), 16 - (3))))              \
    X(_mm_movemask_epi8,             PUT(_mm_movemask_epi8(S(0))))                              \
    X(_mm_movemask_epi8_b,           PUT(_mm_movemask_epi8(_mm_and_si128(S(0), _mm_set1_epi8(0x7F))))) \
    X(_mm_testz_si128,               PUT(_mm_testz_si128(S(0), S(1))))                          \
    X(_mm_testz_si128_b,             PUT(_mm_testz_si128(S(0), _mm_xor_si128(S(0), S(0)))))

#define AVX2_OPERATIONS(X)                                                                      \
    X(_mm256_loadu_si256,          PUT_Y(Y(0)))                                                 \
    X(_mm256_storeu_si256,         PUT_Y(Y(1)))                                                 \
    X(_mm256_setzero_si256,        PUT_Y(_mm256_setzero_si256()))                               \
    X(_mm256_set1_epi8,            PUT_Y(_mm256_set1_epi8((char)AT(0)[0])))                     \
    X(_mm256_and_si256,            PUT_Y(_mm256_and_si256(Y(0), Y(1))))                         \
    X(_mm256_or_si256,             PUT_Y(_mm256_or_si256(Y(0), Y(1))))                          \
    X(_mm256_xor_si256,            PUT_Y(_mm256_xor_si256(Y(0), Y(1))))                         \
    X(_mm256_andnot_si256,         PUT_Y(_mm256_andnot_si256(Y(0), Y(1))))                      \
    X(_mm256_avg_epu8,             PUT_Y(_mm256_avg_epu8(Y(0), Y(1))))                          \
    X(_mm256_shuffle_epi8,         PUT_Y(_mm256_shuffle_epi8(Y(0), Y(1))))                      \
    X(_mm256_srli_epi16,           PUT_Y(_mm256_srli_epi16(Y(0), 4)))                           \
    X(_mm256_alignr_epi8,          PUT_Y(_mm256_alignr_epi8(Y(0), Y(1), 15)))                   \
    X(_mm256_alignr_epi8_14,       PUT_Y(_mm256_alignr_epi8(Y(0), Y(1), 14)))                   \
    X(_mm256_alignr_epi8_13,       PUT_Y(_mm256_alignr_epi8(Y(0), Y(1), 13)))                   \
    X(_mm_loadu_si128,             PUT_Y(_mm256_inserti128_si256(Y(0), S(1), 0)))               \
    X(_mm256_castsi256_si128,      PUT_Y(_mm256_inserti128_si256(Y(1), H(0), 0)))               \
    X(_mm256_castsi128_si256,      PUT_Y(_mm256_inserti128_si256(_mm256_castsi128_si256(H(0)), H(1), 1))) \
    X(_mm256_inserti128_si256,     PUT_Y(_mm256_inserti128_si256(Y(0), H(1), 1)))               \
    X(_mm256_movemask_epi8,        PUT(_mm256_movemask_epi8(Y(0))))                             \
    X(_mm256_movemask_epi8_b,      PUT(_mm256_movemask_epi8(_mm256_and_si256(Y(0), _mm256_set1_epi8(0x7F))))) \
    X(_mm256_testz_si256,          PUT(_mm256_testz_si256(Y(0), Y(1))))                         \
    X(_mm256_testz_si256_b,        PUT(_mm256_testz_si256(Y(0), _mm256_andnot_si256(Y(0), Y(1)))))

#define AVX512_OPERATIONS(X)                                                                    \
    X(_mm512_loadu_si512,          PUT_Z(Z(0)))                                                 \
    X(_mm512_storeu_si512,         PUT_Z(Z(1)))                                                 \
    X(_mm512_set1_epi8,            PUT_Z(_mm512_set1_epi8((char)AT(0)[0])))                     \
    X(_mm512_and_si512,            PUT_Z(_mm512_and_si512(Z(0), Z(1))))                         \
    X(_mm512_or_si512,             PUT_Z(_mm512_or_si512(Z(0), Z(1))))                          \
    X(_mm512_xor_si512,            PUT_Z(_mm512_xor_si512(Z(0), Z(1))))                         \
    X(_mm512_avg_epu8,             PUT_Z(_mm512_avg_epu8(Z(0), Z(1))))                          \
    X(_mm512_alignr_epi8,          PUT_Z(_mm512_alignr_epi8(Z(0), Z(1), 15)))                   \
    X(_mm512_alignr_epi8_14,       PUT_Z(_mm512_alignr_epi8(Z(0), Z(1), 14)))                   \
    X(_mm512_alignr_epi8_13,       PUT_Z(_mm512_alignr_epi8(Z(0), Z(1), 13)))                   \
    X(_mm512_zextsi128_si512,      PUT_Z(_mm512_zextsi128_si512(S(1))))                         \
    X(_mm512_alignr_epi32,         PUT_Z(_mm512_alignr_epi32(Z(0), Z(1), 12)))                  \
    X(_mm512_srli_epi16,           PUT_Z(_mm512_srli_epi16(Z(0), 4)))                           \
    X(_mm512_permutexvar_epi8,     PUT_Z(_mm512_permutexvar_epi8(Z(0), Z(1))))                  \
    X(_mm512_cmpge_epu8_mask,      PUT_Z(_mm512_mask_permutexvar_epi8(Z(0), _mm512_cmpge_epu8_mask(Z(1), Z(2)), Z(3), Z(4)))) \
    X(_mm512_mask_permutexvar_epi8, PUT_Z(_mm512_mask_permutexvar_epi8(Z(0), _mm512_cmpge_epu8_mask(Z(1), _mm512_set1_epi8((char)0xC0)), Z(1), Z(2)))) \
    X(_mm512_maskz_loadu_epi8,     PUT_Z(_mm512_maskz_loadu_epi8(MASK, AT(0))))                 \
    X(_mm512_movepi8_mask,         PUT(_mm512_movepi8_mask(Z(0))))                              \
    X(_mm512_test_epi8_mask,       PUT(_mm512_test_epi8_mask(Z(0), Z(1))))                      \
    X(_bzhi_u64,                   PUT(_bzhi_u64(MASK, AT(0)[0] % 80)))

#ifdef WITH_AVX512
#define OPERATIONS(X) SSE4_OPERATIONS(X) AVX2_OPERATIONS(X) AVX512_OPERATIONS(X)
#else
#define OPERATIONS(X) SSE4_OPERATIONS(X) AVX2_OPERATIONS(X)
#endif
#include "operations.h"
