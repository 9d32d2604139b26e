/* What judges a mutant: the kernel's source, mutated or not, is included, and compared with the automaton.
 *
 * harness ORACLE WORDS          status 0: no difference found; 1: a difference (the mutant is killed)
 * harness ORACLE WORDS tables   flip every bit of every entry of the kernel's tables in turn; print those that survive
 * A crash (a read outside the text: it lies between guard pages) and a hang (the caller has a clock) kill as well.
 */
#define _GNU_SOURCE
#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#endif
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

#if SEQUENCE
/* The scalar kernel's first_error, and beside it what the wide kernels ask it: to look again from places up to which
 * the text is known to be right. */
static size_t every_first_error(const uint8_t *text, size_t size) {
    const size_t found = first_error_scalar(text, size);
    for (size_t back = 0; back < 9 && back <= found; back++) {
        if (utf8_first_error_from(text, size, found - back) != found) return size + 1;
    }
    const size_t longest = size - found < 3 ? size - found : 3;
    for (size_t on = 1; on < longest && utf8_sequence(text + found, on) == UTF8_UNFINISHED; on++) {
        if (utf8_first_error_from(text, size, found + on) != found) return size + 1;
    }
    return found;
}

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
#define CHECKED_FIRST_ERROR every_first_error
#else
#define CHECKED_FIRST_ERROR FIRST_ERROR
static bool scalar_parts_differ(void) { return false; }
#endif

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
        if (prove_positions(IS_VALID, CHECKED_FIRST_ERROR, &oracle, &filler, word, &places, at_end).found) return true;
        if (word->size > 1) continue;
        if (prove_positions(IS_VALID, CHECKED_FIRST_ERROR, &oracle, &filler, word, &places, room).found) return true;
    }
    return false;
}


static bool differs(void) {
    if (WIDTH > 0 && prove_text(LANES, WIDTH, &oracle, edges, edges_size).found) return true;
    if (SEQUENCE && scalar_parts_differ()) return true;
    static const struct {
        size_t low, high, from_end, every; /* sizes; how many offsets from the end; every so manieth word */
    } rounds[] = {{1, 70, 70, 2},      {95, 98, 130, 2},    {126, 132, 170, 2}, {158, 162, 200, 3},   {190, 194, 200, 3},
                  {254, 260, 300, 3},  {318, 322, 400, 5},  {510, 514, 600, 5}, {766, 770, 800, 9},   {2046, 2049, 150, 5},
                  {2300, 2301, 90, 5}, {8190, 8194, 40, 9}, {8447, 8450, 40, 9}, {16640, 16641, 40, 9}};
    for (size_t n = 0; n < sizeof rounds / sizeof *rounds; n++) {
        for (size_t size = rounds[n].low; size <= rounds[n].high; size++) {
            for (size_t at = 0, turn = 0; at < words_size; at += 1 + words[at], turn++) {
                const prove_word word = {words + at + 1, words[at]};
                if (turn % rounds[n].every == 0 && size >= word.size && places_differ(&word, size, rounds[n].from_end)) return true;
            }
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
