/* A libFuzzer target: every kernel that runs here beside the automaton of the grammar, byte by byte.
 *
 * The first byte of the input says how far from a multiple of 64 the text begins, the second how often it is repeated:
 * so that short inputs reach the long strides. Built and run by tools/proof/fuzz.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "oracle.h"

enum { MOST = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* Where the first ill-formed sequence starts; `size` when there is none. */
static size_t first_error(const uint8_t *text, size_t size) {
    uint8_t state = START;
    size_t start = 0;
    for (size_t i = 0; i < size; i++) {
        if (ACCEPTING[state]) start = i;
        state = NEXT[state][CLASSES[text[i]]];
        if (state == SINK) return start;
    }
    return ACCEPTING[state] ? size : start;
}

/* From a fault on to the next: where an ill-formed sequence ends, the text goes on by itself. */
static void find_faults(const utf8_kernel *kernel, const uint8_t *text, size_t size) {
    for (size_t at = 0; at < size;) {
        const size_t wanted = at + first_error(text + at, size - at), found = utf8_next_fault(kernel, text, at, size);
        if (found != wanted) {
            fprintf(stderr, "kernel %s: the next fault after %zu is at %zu, not %zu\n", kernel->name, at, wanted, found);
            abort();
        }
        at = found + utf8_subpart(text + found, size - found);
    }
}

static void judge(const uint8_t *text, size_t size) {
    const size_t wanted = first_error(text, size);
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        const utf8_kernel *kernel = utf8_kernels[i];
        if (!utf8_kernel_runs(kernel)) continue;
        if (kernel->is_valid(text, size) != (wanted == size) || kernel->first_error(text, size) != wanted) {
            fprintf(stderr, "kernel %s differs from the automaton: %zu bytes, first error at %zu\n", kernel->name, size, wanted);
            abort();
        }
        find_faults(kernel, text, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size < 2) return 0;
    const size_t skew = input[0] & 63, once = size - 2;
    size_t times = 1 + (input[1] < 128 ? 0 : (size_t)input[1] * 4);
    while (times > 1 && once * times > MOST) times /= 2;
    /* The text ends where the allocation ends: AddressSanitizer sees a read behind it. */
    const size_t whole = skew + once * times;
    uint8_t *room = malloc(whole > 0 ? whole : 1);
    if (room == NULL) return 0;
    for (size_t i = 0; i < times; i++) memcpy(room + skew + i * once, input + 2, once);
    judge(room + skew, once * times);
    free(room);
    return 0;
}
