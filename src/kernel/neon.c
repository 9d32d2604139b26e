/* The NEON kernel: 16 bytes at a time, for AArch64. The design is that of avx2.c, where its reasons are given.
 *
 * NEON has shifts of single bytes (so that no mask is needed after them), averages, and table look-ups of sixteen bytes,
 * but no cheap way to make a mask: the maximum over the lanes tells whether any lane objects.
 */
#include "compiler.h"
#include "half_bytes.h"
#include "scalar.h"
#include "wide.h"

#if UTF8_NEON
#include <arm_neon.h>

enum { EXIT_EVERY = 4096 }; /* bytes between two checks of the objections */

typedef struct {
    uint8x16_t pairs;   /* bits 0..6: p1 and b0 cannot stand together */
    uint8x16_t lengths; /* bit 7: two tail bytes where no long character needs them, or the reverse */
} objections;

UTF8_INLINE objections judge(uint8x16_t b0, uint8x16_t p1, uint8x16_t p2, uint8x16_t p3) {
    const uint8x16_t high = vqtbl1q_u8(vld1q_u8(after_high), vshrq_n_u8(p1, 4));
    const uint8x16_t low = vqtbl1q_u8(vld1q_u8(after_low), vandq_u8(p1, vdupq_n_u8(0x0F)));
    const uint8x16_t own = vqtbl1q_u8(vld1q_u8(at_high), vshrq_n_u8(b0, 4));
    const uint8x16_t pairs = vandq_u8(vandq_u8(high, low), own);
    const uint8x16_t third = vrhaddq_u8(p2, vdupq_n_u8(0x1F));  /* bit 7: b0 must be a third byte */
    const uint8x16_t fourth = vrhaddq_u8(p3, vdupq_n_u8(0x0F)); /* bit 7: b0 must be a fourth byte */
    const objections found = {pairs, veorq_u8(pairs, vorrq_u8(third, fourth))};
    return found;
}

/* Judge 16 bytes that are in a register, given the 16 before them. */
UTF8_INLINE objections judge_after(uint8x16_t b0, uint8x16_t before) {
    return judge(b0, vextq_u8(before, b0, 15), vextq_u8(before, b0, 14), vextq_u8(before, b0, 13));
}

/* Judge the 16 bytes at `block`. Reads block[-16] .. block[15]. Precondition: 16 readable bytes before it. */
UTF8_INLINE objections judge_at(const uint8_t *block) { return judge_after(vld1q_u8(block), vld1q_u8(block - 16)); }

UTF8_INLINE void note(objections *found, objections more) {
    found->pairs = vorrq_u8(found->pairs, more.pairs);
    found->lengths = vorrq_u8(found->lengths, more.lengths);
}

/* Bits 0..6 of `pairs` and bit 7 of `lengths`: not zero in the lanes that object. */
UTF8_INLINE uint8x16_t verdict(const objections *found) {
    return vbslq_u8(vdupq_n_u8(0x80), found->lengths, found->pairs);
}

UTF8_INLINE bool objects(const objections *found) { return vmaxvq_u8(verdict(found)) != 0; }

UTF8_INLINE bool is_ascii64(const uint8_t *block) {
    const uint8x16_t all = vorrq_u8(vorrq_u8(vld1q_u8(block), vld1q_u8(block + 16)),
                                    vorrq_u8(vld1q_u8(block + 32), vld1q_u8(block + 48)));
    return vmaxvq_u8(all) < 0x80;
}

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most EXIT_EVERY + 64 bytes after it. Precondition: `size` is at least 32. */
UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    const uint8_t *good = data; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = data + 16;
    objections found = judge_after(vld1q_u8(data), vdupq_n_u8(0)); /* no bytes precede: zeros, which are ASCII, take their place */
    while (end - block >= 64) {
        if (is_ascii64(block)) {
            if (utf8_cut_off(block) || objects(&found)) return (size_t)(good - data);
            do block += 64;
            while (end - block >= 64 && is_ascii64(block));
            good = block;
            continue;
        }
        note(&found, judge_at(block));
        note(&found, judge_at(block + 16));
        note(&found, judge_at(block + 32));
        note(&found, judge_at(block + 48));
        block += 64;
        if (block - good >= EXIT_EVERY) {
            if (objects(&found)) return (size_t)(good - data);
            good = block;
        }
    }
    for (; end - block >= 16; block += 16) note(&found, judge_at(block));
    if (block < end) note(&found, judge_at(end - 16)); /* judges some of them again */
    if (!objects(&found) && !utf8_cut_off(end)) return size;
    return good < end ? (size_t)(good - data) : size - 1; /* good == end: the last character is cut off */
}

static bool is_valid_neon(const uint8_t *data, size_t size) {
    return size < 32 ? utf8_scalar.is_valid(data, size) : checked(data, size) == size;
}

static size_t first_error_neon(const uint8_t *data, size_t size) {
    if (size < 32) return utf8_scalar.first_error(data, size);
    const size_t good = checked(data, size);
    return good == size ? size : utf8_first_error_from(data, size, good);
}

static void lanes_neon(const uint8_t *block, uint8_t *flags) {
    const objections found = judge_at(block);
    vst1q_u8(flags, verdict(&found));
}

const utf8_kernel utf8_neon = {"neon", is_valid_neon, first_error_neon, lanes_neon, 16};

#endif
