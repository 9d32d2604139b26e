/* For the model checker: utf8_sequence and utf8_unfinished on every text of SIZE bytes are what the automaton says. */
#define UTF8_KEEP(vector) (void)0 /* a hint to GCC in its own assembly */
#include KERNEL_SOURCE

#include "oracle.h"

uint8_t nondet_byte(void);

int main(void) {
    uint8_t text[SIZE];
    uint8_t state = START;
    int expected = UTF8_UNFINISHED;
    size_t unfinished = 0;
    for (int i = 0; i < SIZE; i++) {
        text[i] = nondet_byte();
        state = NEXT[state][CLASSES[text[i]]];
        if (expected == UTF8_UNFINISHED && state == SINK) expected = UTF8_ILL_FORMED;
        if (expected == UTF8_UNFINISHED && ACCEPTING[state]) expected = i + 1;
        unfinished = ACCEPTING[state] ? 0 : unfinished + 1;
    }
    __CPROVER_assert(utf8_sequence(text, SIZE) == expected, "utf8_sequence names the first character");
    if (state != SINK) {
        __CPROVER_assert(utf8_unfinished(text, SIZE) == unfinished, "utf8_unfinished counts what a character still lacks");
    }
    return 0;
}
