/* What judges a mutant: the kernel's source, mutated or not, is included, and compared with the automaton.
 *
 * harness ORACLE WORDS          status 0: no difference found; 1: a difference (the mutant is killed)
 * harness ORACLE WORDS tables   flip every bit of every entry of the kernel's tables in turn; print those that survive
 * A crash (a read outside the text: it lies between guard pages) and a hang (the caller has a clock) kill as well.
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../src/kernel/prove.h"

#define const /* so that tables can be spoilt while the program runs */
#include KERNEL_SOURCE
#undef const

enum { ROOM = 1 << 16, PAGE = 1 << 12, EDGE_TEXT = 1 << 19 };

static prove_oracle oracle;
static uint8_t edges[EDGE_TEXT], words[1 << 14], fillers[4][ROOM + 8];
static size_t edges_size, words_size;
static uint8_t *room; /* ROOM bytes with a guard page before and after */

static size_t read_file(const char *path, void *into, size_t most) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) exit(2);
    const size_t size = fread(into, 1, most, file);
    fclose(file);
    return size;
}

/* The text of `size` bytes at the end of the room, for some words at its start: a read beside it is a crash. */
static bool places_differ(const prove_word *word, size_t size, size_t from_end) {
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE8\xAA\x9E", "\xF0\x9F\x98\x80"};
    const prove_places places = {size, size, from_end};
    for (size_t kind = 0; kind < 4; kind++) {
        const prove_filler filler = {fillers[kind], strlen(characters[kind])};
        if (fillers[kind][0] == 0) {
            for (size_t i = 0; i < sizeof fillers[kind]; i++) fillers[kind][i] = (uint8_t)characters[kind][i % filler.size];
        }
        uint8_t *const at_end = room + ROOM - size;
        if (prove_positions(IS_VALID, FIRST_ERROR, &oracle, &filler, word, &places, at_end).found) return true;
        if (word->size > 1) continue;
        if (prove_positions(IS_VALID, FIRST_ERROR, &oracle, &filler, word, &places, room).found) return true;
    }
    return false;
}

#if SEQUENCE
/* utf8_sequence and utf8_unfinished on samples of four bytes, and on what is left of them with fewer. */
static bool scalar_parts_differ(void) {
    for (uint32_t window = 0, turn = 0; turn < 1u << 21; turn++) {
        window = turn < 1u << 20 ? prove_next_window(window ? window : 1) : (turn << 12 | (turn * 2654435761u) >> 20);
        const uint8_t text[4] = {(uint8_t)(window >> 24), (uint8_t)(window >> 16), (uint8_t)(window >> 8), (uint8_t)window};
        uint8_t state = oracle.start;
        int expected = 0;
        size_t unfinished = 0;
        for (size_t size = 1; size <= 4; size++) {
            state = oracle.next[state][oracle.classes[text[size - 1]]];
            unfinished = oracle.accepting[state] ? 0 : unfinished + 1;
            if (expected == 0) expected = state == oracle.sink ? -1 : oracle.accepting[state] ? (int)size : 0;
            if (utf8_sequence(text, size) != expected) return true;
            if (state != oracle.sink && utf8_unfinished(text, size) != unfinished) return true;
        }
    }
    return utf8_sequence(NULL, 0) != 0 || utf8_unfinished(NULL, 0) != 0;
}
#else
static bool scalar_parts_differ(void) { return false; }
#endif

static bool differs(void) {
    if (WIDTH > 0 && prove_text(LANES, WIDTH, &oracle, edges, edges_size).found) return true;
    if (SEQUENCE && scalar_parts_differ()) return true;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 17, 30, 31, 32, 33, 34, 47, 61, 62, 63, 64, 65, 66, 67, 95, 96, 97,
                                   126, 127, 128, 129, 130, 131, 159, 160, 161, 191, 192, 193, 255, 256, 257, 258, 259, 287,
                                   319, 320, 321, 383, 384, 385, 511, 512, 513, 514, 600, 767, 768, 769, 2047, 2048, 2049, 2300, 4099};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (size_t at = 0; at < words_size; at += 1 + words[at]) {
            const prove_word word = {words + at + 1, words[at]};
            if (sizes[n] >= word.size && places_differ(&word, sizes[n], sizes[n] > 700 ? 150 : 700)) return true;
        }
    }
    static const size_t long_sizes[] = {8191, 8192, 8193, 8448, 8449, 16385, 16640, 20000};
    for (size_t n = 0; n < sizeof long_sizes / sizeof *long_sizes; n++) {
        for (size_t at = 0, turn = 0; at < words_size; at += 1 + words[at], turn++) {
            const prove_word word = {words + at + 1, words[at]};
            if (turn % 9 == 0 && places_differ(&word, long_sizes[n], 40)) return true;
        }
    }
    const size_t none = IS_VALID(NULL, 0) ? FIRST_ERROR(NULL, 0) : 1;
    return none != 0;
}

typedef struct {
    const char *name;
    uint8_t *entries;
    size_t size;
} table;

#define TABLE(name) {#name, name, sizeof name},

static int spoil_tables(void) {
    table tables[] = {TABLES {NULL, NULL, 0}};
    int survivors = 0;
    for (table *each = tables; each->name != NULL; each++) {
        for (size_t i = 0; i < each->size; i++) {
            for (int bit = 0; bit < 8; bit++) {
                each->entries[i] ^= (uint8_t)(1 << bit);
                if (!differs()) {
                    printf("%s[%zu] bit %d\n", each->name, i, bit);
                    survivors++;
                }
                each->entries[i] ^= (uint8_t)(1 << bit);
            }
        }
    }
    return survivors > 0;
}

int main(int count, char **arguments) {
    uint8_t *mapped = mmap(NULL, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    room = mapped + PAGE;
    if (mapped == MAP_FAILED || mprotect(room, ROOM, PROT_READ | PROT_WRITE) != 0 || count < 4) return 2;
    if (read_file(arguments[1], &oracle, sizeof oracle) != sizeof oracle) return 2;
    words_size = read_file(arguments[2], words, sizeof words);
    edges_size = read_file(arguments[3], edges, sizeof edges);
    return count > 4 ? spoil_tables() : differs();
}
