/* For the model checker: every lane of a wide kernel's block, for all bytes in it and before it, owes what the automaton
 * says. The kernel's own source, KERNEL_SOURCE, is included; its intrinsics come from model/immintrin.h.
 */
#define UTF8_KEEP(vector) (void)0 /* a hint to GCC in its own assembly */
#include KERNEL_SOURCE

#include "oracle.h"

enum { BEFORE = 64 };

uint8_t nondet_byte(void); /* CBMC: every value */

int main(void) {
    uint8_t text[BEFORE + WIDTH], flags[WIDTH];
    for (int i = 0; i < BEFORE + WIDTH; i++) text[i] = nondet_byte();
    LANES(text + BEFORE, flags);
    for (int lane = 0; lane < WIDTH; lane++) {
        const uint8_t *const b = text + BEFORE + lane;
        const uint8_t state = CONTEXT[CLASSES[b[-3]]][CLASSES[b[-2]]][CLASSES[b[-1]]];
        const bool right_so_far = state != NOWHERE;
        const bool wrong_now = right_so_far && NEXT[state][CLASSES[b[0]]] == SINK;
        /* LATE: when a byte that no text contains is found out; see prove.h. */
        const bool owed = (wrong_now && LATE(b[0], 0) == 0) || LATE(b[-1], b[0]) == 1 || LATE(b[-2], b[-1]) == 2;
        if (owed) __CPROVER_assert(flags[lane] != 0, "a lane objects where the text goes wrong");
        if (right_so_far && !wrong_now) __CPROVER_assert(flags[lane] == 0, "no lane objects to a text that is right");
    }
    return 0;
}
