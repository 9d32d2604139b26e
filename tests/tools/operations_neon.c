/* One function for each intrinsic of the NEON kernel: operands 0 and 1 in, a vector or a number out. See operations.h. */
#include <arm_neon.h>

#define V(n) vld1q_u8(AT(n))
#define PUT_V(x) VECTOR(x, vst1q_u8(out, x))

#define OPERATIONS(X)                                                                                \
    X(vld1q_u8,                  PUT_V(V(0)))                                                        \
    X(vst1q_u8,                  PUT_V(V(1)))                                                        \
    X(vdupq_n_u8,                PUT_V(vdupq_n_u8(AT(0)[0])))                                        \
    X(vandq_u8,                  PUT_V(vandq_u8(V(0), V(1))))                                        \
    X(vorrq_u8,                  PUT_V(vorrq_u8(V(0), V(1))))                                        \
    X(veorq_u8,                  PUT_V(veorq_u8(V(0), V(1))))                                        \
    X(vrhaddq_u8,                PUT_V(vrhaddq_u8(V(0), V(1))))                                      \
    X(vqtbl1q_u8,                PUT_V(vqtbl1q_u8(V(0), V(1))))                                      \
    X(vshrq_n_u8,                PUT_V(vshrq_n_u8(V(0), 4)))                                         \
    X(vextq_u8,                  PUT_V(vextq_u8(V(0), V(1), 16 - (1))))                              \
    X(vextq_u8_2,                PUT_V(vextq_u8(V(0), V(1), 16 - (2))))                              \
    X(vextq_u8_3,                PUT_V(vextq_u8(V(0), V(1), 16 - (3))))                              \
    X(vmaxvq_u8,                 PUT(vmaxvq_u8(V(0)) < 0x80))                                        \
    X(vmaxvq_u8_0,               PUT(vmaxvq_u8(V(0)) == 0))                                          \
    X(vcreate_u8,                PUT_V(vcombine_u8(vcreate_u8(MASK), vcreate_u8(WORD(1)))))          \
    X(vcombine_u8,               PUT_V(vcombine_u8(vcreate_u8(WORD(1)), vcreate_u8(MASK))))
#include "operations.h"
