/* The WebAssembly kernel: 16 bytes at a time, by SIMD128. What it does with them is in stretches.h.
 *
 * A module with these instructions does not load at all where the engine lacks them, so there is nothing to dispatch.
 */
#include <stdbool.h>

#include "compiler.h"

#if UTF8_WASM
#include <wasm_simd128.h>

#define KERNEL
enum { WIDTH = 16, BLOCK = 64, SHORT = 15, BACK = 3 };
typedef v128_t vector;

UTF8_INLINE vector load(const uint8_t *at) { return wasm_v128_load(at); }

UTF8_INLINE vector all_lanes(uint8_t byte) { return wasm_u8x16_splat(byte); }

UTF8_INLINE vector both(vector x, vector y) { return wasm_v128_and(x, y); }

UTF8_INLINE vector either(vector x, vector y) { return wasm_v128_or(x, y); }

UTF8_INLINE vector differ(vector x, vector y) { return wasm_v128_xor(x, y); }

UTF8_INLINE vector average(vector x, vector y) { return wasm_u8x16_avgr(x, y); }

UTF8_INLINE vector high_half(vector x) { return wasm_u8x16_shr(x, 4); }

UTF8_INLINE vector look_up(const uint8_t table[16], vector index) { return wasm_i8x16_swizzle(load(table), index); }

UTF8_INLINE bool is_ascii(vector x) { return wasm_i8x16_bitmask(x) == 0; }

UTF8_INLINE bool is_zero(vector x) { return !wasm_v128_any_true(x); }

UTF8_INLINE uint64_t not_zero(vector x) { return wasm_i8x16_bitmask(wasm_i8x16_ne(x, wasm_u8x16_splat(0))); }

#define before(x, precede, back)                                                                                          \
    wasm_i8x16_shuffle(precede, x, 16 - (back), 17 - (back), 18 - (back), 19 - (back), 20 - (back), 21 - (back),          \
                       22 - (back), 23 - (back), 24 - (back), 25 - (back), 26 - (back), 27 - (back), 28 - (back),         \
                       29 - (back), 30 - (back), 31 - (back))

#include "sixteen.h"

UTF8_INLINE vector load_short(const uint8_t *data, size_t count) {
    const utf8_sixteen bytes = utf8_load_short(data, count);
    return wasm_u64x2_make(bytes.low, bytes.high);
}

#include "stretches.h"

static void lanes_wasm(const uint8_t *block, uint8_t *flags) {
    wasm_v128_store(flags, judge_at(block));
}

const utf8_kernel utf8_wasm = {"wasm", is_valid, first_error, lanes_wasm, 16, first_lane};

#endif
