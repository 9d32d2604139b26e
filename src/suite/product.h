/* Words that are a product of short lists, and how to go through them. Include it after Python.h. */
#ifndef UTF8_SUITE_PRODUCT_H
#define UTF8_SUITE_PRODUCT_H

#include <string.h>

#include "machine.h"

typedef int (*Decoder)(const uint8_t *, size_t);

typedef struct {
    const uint8_t *bytes;
    size_t size;
} Item;

typedef struct {
    Item *items;
    size_t count;
} Part;

#define MOST_PARTS 16
#define AROUND 8 /* bytes before and behind a word that is judged */
#define MAX_ENDS 65536 /* entries of the table of verdicts after the last part, which saves running the machine over it */
#define UNKNOWN 2     /* an entry that nobody has asked for yet */

typedef struct Product Product;
struct Product {
    Machine machine;
    Part parts[MOST_PARTS];
    size_t depth;   /* how many parts */
    size_t skip;    /* the first `skip` parts are not for the machine (the chunk sizes of a stream) */
    uint8_t *ends;  /* ends[item * states + state]: the verdict after the last part's item, from state, or UNKNOWN; or NULL */
    uint8_t *word;  /* where the word is built */
    size_t longest; /* bytes in the longest word */
    size_t count;   /* words */
    size_t bytes;   /* bytes in all words */
    void (*last)(Product *, size_t size, uint16_t state); /* goes through the last part */
    /* what it needs */
    uint8_t *frames, *verdicts;
    Decoder decoder;
    uint8_t *flush_to; /* the word is moved so that it ends here; NULL: it stays */
    const uint8_t *before, *behind; /* what may lie around a word: AROUND bytes each before it, one byte each behind it */
    size_t before_count, behind_count, place; /* how many of these; a word has *place* bytes before it that may be written */
    uint64_t first;                 /* the number that the first word has in its family */
    volatile uint64_t *asked; /* the number of the word that is asked is written here, for who looks after a crash */
    size_t judged, failures, keep, kept, stop_at; /* stop after stop_at failures; 0: never */
    size_t *failed;
    int stop;
};

/* Make a product of a tuple of tuples of bytes, for `machine` and `skip`, which are there. 0, or -1 with an exception set;
 * product_free has to follow either. */
UTF8_OURS int product_from(Product *p, PyObject *parts);
UTF8_OURS void product_free(Product *p);

/* Visit every word whose first *level* items are chosen already: they are word[0..size), and lead the machine to state. */
UTF8_OURS void walk(Product *p, size_t level, size_t size, uint16_t state);

static inline void put(uint8_t *to, const Item *item)
{
    if (item->size > 8)
        memcpy(to, item->bytes, item->size);
    else
        for (size_t i = 0; i < item->size; i++)
            to[i] = item->bytes[i];
}

/* The verdict after item *i* of the last part, from *state*. */
static inline int verdict(const Product *p, size_t i, uint16_t state)
{
    const Item *item = &p->parts[p->depth - 1].items[i];
    uint8_t *known = p->ends ? &p->ends[i * p->machine.states + state] : NULL;
    if (known && *known != UNKNOWN)
        return *known;
    uint8_t found = p->machine.accepting[run(&p->machine, state, item->bytes, item->size)];
    if (known)
        *known = found;
    return found;
}

#endif
