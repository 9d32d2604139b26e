/* The wide look against the scalar one, on random bytes in buffers that end where their bytes end: a sanitizer sees every
 * read outside. The sieves let B7, or EF B7 90-AF, pass, as that of the noncharacters does, with the rarest byte first. */
#include <stdio.h>
#include <stdlib.h>

#include "refused.h"

static void allow(utf8_sieve *sieve, int row, int before, int low, int high) {
    sieve->before[row] = (uint8_t)before;
    sieve->least[row] = (uint8_t)low;
    sieve->most[row] = (uint8_t)high;
    for (int byte = low; byte <= high; byte++) {
        sieve->high[row][byte >> 4] = 1;
        sieve->low[row][byte & 0x0F] = 1;
    }
}

/* Return how many candidates were found; -1 where the two looks differ. */
static long compared(const utf8_sieve *sieve) {
    static const uint8_t often[] = {0xEF, 0xB7, 0x90, 0xAF, 'a', 'a', 'a', 'a'};
    long found = 0;
    for (int round = 0; round < 5000; round++) {
        const size_t size = (size_t)(rand() % 300);
        uint8_t *data = malloc(size ? size : 1);
        if (data == NULL) return -1;
        for (size_t i = 0; i < size; i++) data[i] = often[rand() % (int)sizeof often];
        for (size_t from = 0; from <= size; from += 1 + (size_t)(rand() % 40)) {
            const size_t wide = utf8_next_candidate(sieve, data, from, size);
            if (wide != utf8_next_candidate_scalar(sieve, data, from, size)) return -1;
            found += wide < size;
        }
        free(data);
    }
    return found;
}

int main(void) {
    srand(1);
    for (int values = 1; values <= 2; values++) { /* of the rarest byte: one is compared, two are looked up */
        for (int kind = 0; kind < 3; kind++) { /* B7; EF B7 90-AF; EF B7 00-AF, where no byte is below the least */
            const int places = kind ? 3 : 1;
            utf8_sieve sieve = {.places = (uint8_t)places};
            allow(&sieve, 0, places / 2, 0xB7, 0xB6 + values);
            if (places == 3) {
                allow(&sieve, 1, 0, kind == 1 ? 0x90 : 0, 0xAF);
                allow(&sieve, 2, 2, 0xEF, 0xEF);
            }
            const long found = compared(&sieve);
            printf("%d values, kind %d: %ld\n", values, kind, found);
            if (found < 1000) return 1;
        }
    }
    return 0;
}
