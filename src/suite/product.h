/* Words that are a product of short lists, and how to go through them. Include it after Python.h. */
#ifndef UTF8_SUITE_PRODUCT_H
#define UTF8_SUITE_PRODUCT_H

#include <stdbool.h>
#include <string.h>

#include "machine.h"

typedef int suite_decoder(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *bytes;
    size_t size;
} suite_item;

typedef struct {
    suite_item *items;
    size_t count;
} suite_part;

enum {
    MOST_PARTS = 16,
    AROUND = 8,       /* bytes before and behind a word that is judged */
    MAX_ENDS = 65536, /* entries of the table of verdicts after the last part, which saves running the machine over it */
    UNKNOWN = 2,      /* an entry that nobody has asked for yet */
};

typedef struct suite_product suite_product;
struct suite_product {
    suite_machine machine;
    suite_part parts[MOST_PARTS];
    size_t depth;   /* how many parts */
    size_t skip;    /* the first `skip` parts are not for the machine (the chunk sizes of a stream) */
    uint8_t *ends;  /* ends[item * states + state]: the verdict after the last part's item, from state, or UNKNOWN; or NULL */
    uint8_t *word;  /* where the word is built */
    size_t longest; /* bytes in the longest word */
    size_t count;   /* words */
    size_t bytes;   /* bytes in all words */
    void (*last)(suite_product *product, size_t size, uint16_t state); /* goes through the last part */

    /* What write_frames needs. */
    uint8_t *frames, *verdicts;

    /* What judge_words needs. */
    suite_decoder *decoder;
    uint8_t *flush_to;        /* the word is moved so that it ends here; NULL: it stays */
    const uint8_t *before;    /* what may lie before a word, AROUND bytes each */
    const uint8_t *behind;    /* what may lie behind it, a byte each, as often as needed */
    size_t before_count, behind_count;
    size_t place;             /* bytes before a word that may be written */
    uint64_t first;           /* the number that the first word has in its family */
    volatile uint64_t *asked; /* the number of the word that is asked is written here, for who looks after a crash */
    size_t judged, failures;
    size_t stop_at;           /* stop after so many failures; 0: never */
    bool stop;
    size_t *failed;           /* the numbers of the first `kept` words that failed, `keep` at most */
    size_t keep, kept;
};

/* Make a product of a tuple of tuples of bytes, for `machine` and `skip`, which are there. 0, or -1 with an exception set;
 * product_free has to follow either. */
UTF8_OURS int product_from(suite_product *p, PyObject *parts);
UTF8_OURS void product_free(suite_product *p);

/* Visit every word whose first `level` items are chosen already: they are word[0..size), and lead the machine to state. */
UTF8_OURS void walk(suite_product *p, size_t level, size_t size, uint16_t state);

/* Most items are short, and a call of memcpy takes longer than they do. */
UTF8_INLINE void put(uint8_t *to, const suite_item *item) {
    if (item->size > 8) {
        memcpy(to, item->bytes, item->size);
        return;
    }
    for (size_t i = 0; i < item->size; i++) to[i] = item->bytes[i];
}

/* The verdict after item `i` of the last part, from `state`. */
UTF8_INLINE bool verdict(const suite_product *p, size_t i, uint16_t state) {
    const suite_item *const item = &p->parts[p->depth - 1].items[i];
    uint8_t *const known = p->ends == NULL ? NULL : &p->ends[i * p->machine.states + state];
    if (known != NULL && *known != UNKNOWN) return *known;
    const uint8_t found = p->machine.accepting[run(&p->machine, state, item->bytes, item->size)];
    if (known != NULL) *known = found;
    return found;
}

#endif
