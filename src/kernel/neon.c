/* The NEON kernel: 16 bytes at a time, for AArch64. What it does with them is in stretches.h.
 *
 * NEON has shifts of single bytes, so that no mask is needed after them, but no cheap way to make a mask: the maximum over
 * the lanes tells whether any lane objects.
 */
#include <stdbool.h>

#include "compiler.h"

#if UTF8_NEON
#include <arm_neon.h>

#define KERNEL
enum { WIDTH = 16, BLOCK = 64, SHORT = 15, BACK = 3 };
typedef uint8x16_t vector;

UTF8_INLINE vector load(const uint8_t *at) { return vld1q_u8(at); }

UTF8_INLINE vector all_lanes(uint8_t byte) { return vdupq_n_u8(byte); }

UTF8_INLINE vector both(vector x, vector y) { return vandq_u8(x, y); }

UTF8_INLINE vector either(vector x, vector y) { return vorrq_u8(x, y); }

UTF8_INLINE vector differ(vector x, vector y) { return veorq_u8(x, y); }

UTF8_INLINE vector average(vector x, vector y) { return vrhaddq_u8(x, y); }

UTF8_INLINE vector high_half(vector x) { return vshrq_n_u8(x, 4); }

UTF8_INLINE vector look_up(const uint8_t table[16], vector index) { return vqtbl1q_u8(load(table), index); }

UTF8_INLINE bool is_ascii(vector x) { return vmaxvq_u8(x) < 0x80; }

UTF8_INLINE bool is_zero(vector x) { return vmaxvq_u8(x) == 0; }

/* Each lane's own bit, and the sum over eight lanes. */
UTF8_INLINE uint64_t not_zero(vector x) {
    static const uint8_t own[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const vector bits = vandq_u8(vtstq_u8(x, x), vld1q_u8(own));
    return vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#define before(x, precede, back) vextq_u8(precede, x, 16 - (back))

#include "sixteen.h"

UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    const utf8_sixteen bytes = utf8_load_short(data, count);
    return vcombine_u8(vcreate_u8(bytes.low), vcreate_u8(bytes.high));
}

#include "stretches.h"

static void lanes_neon(const uint8_t *block, uint8_t *flags) {
    vst1q_u8(flags, judge_at(block));
}

const utf8_kernel utf8_neon = {"neon", is_valid, first_error, lanes_neon, 16, first_lane};

#endif
