/* The proof by enumeration: all windows that a wide kernel's lane can depend on, compared with the grammar's automaton.
 *
 * Shares no code with the kernels: they come in as function pointers, the automaton as a table. The argument that
 * turns these checks into a statement about inputs of any length is docs/kernel-proof.md.
 */
#ifndef UTF8_PROVE_H
#define UTF8_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROVE_STATES = 16, PROVE_NOWHERE = 255, PROVE_WIDEST = 256 /* lanes that a block may have */ };

/* The minimal automaton of `UTF8-octets`, and what three bytes tell about its state. Bytes only: Python packs it. */
typedef struct {
    uint8_t classes[256];                                           /* byte -> class */
    uint8_t next[PROVE_STATES][PROVE_STATES];                       /* state, class -> state */
    uint8_t context[PROVE_STATES][PROVE_STATES][PROVE_STATES];      /* the state after three bytes of these classes in a
                                                                       text that is right so far; PROVE_NOWHERE: no such text */
    uint8_t accepting[PROVE_STATES];
    uint8_t start, sink;
    /* A certificate, which the enumeration verifies: how many lanes after a byte that no text contains, followed by the second byte, a
     * lane objects: 0 (then whatever follows), 1 or 2. 0 for all other bytes: their own lane has to object. */
    uint8_t late[256][256];
} prove_oracle;

typedef bool (*prove_is_valid)(const uint8_t *data, size_t size);
typedef size_t (*prove_first_error)(const uint8_t *data, size_t size);
typedef void (*prove_lanes_of)(const uint8_t *block, uint8_t *flags);
typedef int (*prove_sequence_of)(const uint8_t *data, size_t size);
typedef size_t (*prove_unfinished_of)(const uint8_t *data, size_t size);

/* Where a kernel and the automaton differ. */
typedef struct {
    bool found;
    uint32_t window; /* up to four bytes, the first one highest */
    uint32_t size;   /* of the text, or the lanes of the block */
    uint32_t at;     /* offset of the word in the text, or the lane */
} prove_fault;

typedef struct {
    const uint8_t *many; /* one character again and again, as many bytes as the longest text */
    size_t size;         /* bytes in the character: 1..4 */
} prove_filler;

typedef struct {
    const uint8_t *bytes;
    size_t size;
} prove_word;

typedef struct {
    size_t low, high; /* sizes of text, both included */
    size_t from_end;  /* how many offsets before the last possible one */
} prove_places;

typedef struct {
    size_t low, high, step; /* offsets at which a run of ASCII begins */
    size_t length;          /* of the run */
    size_t behind;          /* bytes after it */
    size_t sweep;           /* distance between the offsets of the word away from the run's borders */
} prove_ascii;

/* The window that follows `window` when one byte is appended: runs through all 2^32 - 1 windows but 00 00 00 00. */
uint32_t prove_next_window(uint32_t window);

/* Slide the block byte by byte over the sequence that begins after `window`, `count` times. */
prove_fault prove_lanes(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, uint32_t window, uint64_t count);

/* Slide the block byte by byte over `text`, zeros before and after it. Precondition: `size` is at least 3. */
prove_fault prove_text(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, const uint8_t *text, size_t size);

/* is_valid of every text of exactly four bytes whose first is `first`. */
prove_fault prove_four(prove_is_valid is_valid, const prove_oracle *oracle, uint8_t first);

/* utf8_sequence of every text of one to four bytes whose first is `first`. */
prove_fault prove_sequence(prove_sequence_of sequence, const prove_oracle *oracle, uint8_t first);

/* utf8_unfinished of every text of one to four bytes that begins with `first` and is right so far. */
prove_fault prove_unfinished(prove_unfinished_of unfinished, const prove_oracle *oracle, uint8_t first);

/* is_valid and first_error of texts of filler characters in which `word` stands at every one of `places`. `buffer` has
 * room for the longest text. */
prove_fault prove_positions(prove_is_valid is_valid, prove_first_error first_error, const prove_oracle *oracle,
                            const prove_filler *filler, const prove_word *word, const prove_places *places,
                            uint8_t *buffer);

/* The same of texts of filler characters with a run of ASCII among them, in which `word` stands around the run's borders,
 * at the end, and at offsets between. */
prove_fault prove_runs(prove_is_valid is_valid, prove_first_error first_error, const prove_oracle *oracle,
                       const prove_filler *filler, const prove_word *word, const prove_ascii *ascii, uint8_t *buffer);

#endif
