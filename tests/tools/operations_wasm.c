/* One function for each intrinsic of the WebAssembly kernel: operands 0 and 1 in, a vector or a number out. See operations.h. */
#include <wasm_simd128.h>

#define V(n) wasm_v128_load(AT(n))
#define PUT_V(x) VECTOR(x, wasm_v128_store(out, x))

#define OPERATIONS(X)                                                                                \
    X(wasm_v128_load,            PUT_V(V(0)))                                                        \
    X(wasm_v128_store,           PUT_V(V(1)))                                                        \
    X(wasm_u8x16_splat,          PUT_V(wasm_u8x16_splat(AT(0)[0])))                                  \
    X(wasm_v128_and,             PUT_V(wasm_v128_and(V(0), V(1))))                                   \
    X(wasm_v128_or,              PUT_V(wasm_v128_or(V(0), V(1))))                                    \
    X(wasm_v128_xor,             PUT_V(wasm_v128_xor(V(0), V(1))))                                   \
    X(wasm_u8x16_avgr,           PUT_V(wasm_u8x16_avgr(V(0), V(1))))                                 \
    X(wasm_i8x16_swizzle,        PUT_V(wasm_i8x16_swizzle(V(0), V(1))))                              \
    X(wasm_u8x16_shr,            PUT_V(wasm_u8x16_shr(V(0), 4)))                                     \
    X(wasm_i8x16_shuffle,        PUT_V(wasm_i8x16_shuffle(V(0), V(1), 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)))\
    X(wasm_i8x16_shuffle_2,      PUT_V(wasm_i8x16_shuffle(V(0), V(1), 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)))\
    X(wasm_i8x16_shuffle_3,      PUT_V(wasm_i8x16_shuffle(V(0), V(1), 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28)))\
    X(wasm_i8x16_bitmask,        PUT(wasm_i8x16_bitmask(V(0))))                                      \
    X(wasm_v128_any_true,        PUT(wasm_v128_any_true(V(0))))                                      \
    X(wasm_u64x2_make,           PUT_V(wasm_u64x2_make(MASK, WORD(1))))
#include "operations.h"
