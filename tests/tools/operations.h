/* Compiled, a program that reads operands of 5 * 64 bytes from standard input, and for each writes the 64 bytes that every
 * one of OPERATIONS makes of them; for WebAssembly operations.mjs does the reading and writing. With WALK defined, the
 * functions that the walk's interpreter runs. test_walk.py compares both.
 */
#include <stdint.h>

#define AT(n) (in + 64 * (n))
#define WORD(n) ((uint32_t)AT(n)[0] | (uint32_t)AT(n)[1] << 8 | (uint32_t)AT(n)[2] << 16 | (uint32_t)AT(n)[3] << 24)
#define MASK ((uint64_t)WORD(3) << 32 | WORD(4))

#ifdef WALK /* the interpreter returns a vector as its bytes, and knows of a mask only whether it is 0 */
#define VECTOR(x, store) return x
#define PUT(x) return (x)
#define OP(name, body) int try_##name(const uint8_t *in) { body; }
OPERATIONS(OP)
#else
#define VECTOR(x, store) store
#define PUT(x) do { const uint64_t bits = (uint64_t)(x); for (int i = 0; i < 8; i++) out[i] = (uint8_t)(bits >> (8 * i)); } while (0)
#define OP(name, body) static void try_##name(const uint8_t *in, uint8_t *out) { body; (void)in; }
OPERATIONS(OP)

#define ONE(name, body) +1
uint8_t operands[5 * 64], results[64 * (0 OPERATIONS(ONE))];

#define RUN(name, body) try_##name(operands, out); out += 64;
#ifdef __wasm__
__attribute__((export_name("size"))) int size(void) { return sizeof results; }
__attribute__((export_name("run")))
#endif
void run(void) {
    uint8_t *out = results;
    OPERATIONS(RUN)
}

#ifndef __wasm__
#include <stdio.h>
int main(void) {
    while (fread(operands, sizeof operands, 1, stdin) == 1) {
        run();
        fwrite(results, sizeof results, 1, stdout);
    }
    return 0;
}
#endif
#endif
