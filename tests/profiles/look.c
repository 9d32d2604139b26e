/* The wide look against the scalar one, on random bytes in buffers that end where their bytes end: a sanitizer sees every
 * read outside. The sieve lets EF B7 90-AF pass, as the one of the noncharacters does, with the rarest byte first. */
#include <stdio.h>
#include <stdlib.h>

#include "refused.h"

static void allow(utf8_sieve *sieve, int row, int before, int low, int high) {
    sieve->before[row] = (uint8_t)before;
    for (int byte = low; byte <= high; byte++) {
        sieve->high[row][byte >> 4] = 1;
        sieve->low[row][byte & 0x0F] = 1;
    }
}

int main(void) {
    utf8_sieve sieve = {.places = 3};
    allow(&sieve, 0, 1, 0xB7, 0xB7);
    allow(&sieve, 1, 2, 0xEF, 0xEF);
    allow(&sieve, 2, 0, 0x90, 0xAF);
    static const uint8_t often[] = {0xEF, 0xB7, 0x95, 'a', 'a', 'a', 'a', 'a'};
    long found = 0;
    srand(1);
    for (int round = 0; round < 5000; round++) {
        const size_t size = (size_t)(rand() % 300);
        uint8_t *data = malloc(size ? size : 1);
        if (data == NULL) return 2;
        for (size_t i = 0; i < size; i++) data[i] = often[rand() % (int)sizeof often];
        for (size_t from = 0; from <= size; from += 1 + (size_t)(rand() % 40)) {
            const size_t wide = utf8_next_candidate(&sieve, data, from, size);
            if (wide != utf8_next_candidate_scalar(&sieve, data, from, size)) return 1;
            found += wide < size;
        }
        free(data);
    }
    printf("%ld\n", found);
    return found > 1000 ? 0 : 3;
}
