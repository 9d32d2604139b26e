/* Every modelled intrinsic beside the processor's own: prints a line for each, ends with 1 at a difference. */
#include <stdio.h>
#include <string.h>

#include "operations.h"

enum { OPERANDS = 5, ROUNDS = 20000 };

static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

static uint8_t chance(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint8_t)((state * UINT64_C(0x2545F4914F6CDD1D)) >> 56);
}

int main(void) {
    int wrong = 0;
    for (int n = 0; instructions[n].name != 0; n++) {
        uint8_t in[64 * OPERANDS], real[64] = {0}, model[64] = {0};
        int differences = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (size_t i = 0; i < sizeof in; i++) in[i] = round % 4 ? chance() : (uint8_t)(chance() & chance() & chance());
            instructions[n].run(in, real);
            models[n].run(in, model);
            differences += memcmp(real, model, sizeof real) != 0;
        }
        printf("%s %s\n", instructions[n].name, differences ? "DIFFERS" : "equal");
        wrong |= differences != 0;
    }
    return wrong;
}
