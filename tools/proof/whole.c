/* For the model checker: is_valid on every text of SIZE bytes is what the automaton says, head, blocks, tail and all. */
#define UTF8_KEEP(vector) (void)0 /* a hint to GCC in its own assembly */
#include KERNEL_SOURCE

#include "oracle.h"

uint8_t nondet_byte(void);

int main(void) {
    uint8_t text[SIZE];
    uint8_t state = START;
    for (int i = 0; i < SIZE; i++) {
        text[i] = nondet_byte();
        state = NEXT[state][CLASSES[text[i]]];
    }
    __CPROVER_assert(IS_VALID(text, SIZE) == ACCEPTING[state], "the kernel's verdict is the automaton's");
    return 0;
}
