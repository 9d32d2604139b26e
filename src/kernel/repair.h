/* Repair: a kernel finds the ill-formed stretches of a text; their bytes are replaced, all others copied.
 *
 * A stretch is a run of bytes outside of well-formed characters. Plain C11, as utf8_kernel.h: no Python, no allocation, no
 * read outside of the input. First the changes are found; then the caller knows how much room the output needs.
 */
#ifndef UTF8_REPAIR_H
#define UTF8_REPAIR_H

#include "faults.h"

enum {
    UTF8_MAX_STRETCH = 1024, /* bytes from which on a change ends; the rest of the stretch begins the next one */
    UTF8_LOOKAHEAD = 8,      /* bytes of a stretch that a treatment may look at */
    UTF8_MAX_NEW = 4,        /* bytes in place of one */
};

/* How many bytes one U+FFFD replaces: utf8_abnf.codec.replacement has the same policies, in Python. */
typedef enum { UTF8_TAKE_SUBPART, UTF8_TAKE_BYTE, UTF8_TAKE_ANNOUNCED, UTF8_TAKE_SURROGATE } utf8_take;

/* What to do with the bytes of a stretch: first come the sequences that mean a character, where they are wanted; then each
 * byte is replaced by itself, where `known` has it; then the others by U+FFFD. The numbers are the caller's, for why. */
typedef struct {
    uint8_t known[256];              /* not 0: `size` bytes of `bytes` stand in its place */
    uint8_t size[256];               /* at most UTF8_MAX_NEW */
    uint8_t bytes[256][UTF8_MAX_NEW];
    utf8_take take;
    uint8_t pairs;    /* not 0: two surrogates, three bytes each, become the character that they mean (CESU-8) */
    uint8_t shortest; /* not 0: overlong sequences become the character that they mean */
} utf8_policy;

/* One change: `old_size` bytes at `offset` of the input become `new_size` bytes at `place` of the output. */
typedef struct {
    uint64_t offset, place;
    uint16_t old_size, new_size; /* at most UTF8_MAX_STRETCH and a little, and UTF8_MAX_NEW times that */
    uint32_t known; /* of all its bytes; 0: they become U+FFFD */
} utf8_change;

/* An input, the room for its changes, and how far the work has come: `used` bytes of it become `written` bytes. */
typedef struct {
    const uint8_t *data;
    size_t size;
    bool final; /* nothing follows `data`; else what the next bytes may change is left */
    utf8_change *changes;
    size_t most;
    size_t used, written, count; /* begin at 0 */
} utf8_repair_job;

enum { UTF8_STRETCH_CHANGES = UTF8_MAX_STRETCH }; /* the changes that one stretch may need */

/* Find the changes of `job`, or go on with it. False when fewer than UTF8_STRETCH_CHANGES fit in: call again with more. */
bool utf8_find_changes(const utf8_policy *policy, const utf8_kernel *kernel, utf8_repair_job *job);

/* Write what `job`, which is done, makes of its input: `job->written` bytes into `out`. */
void utf8_repair(const utf8_policy *policy, const utf8_repair_job *job, uint8_t *out);

/* Where the stretch that starts `data` ends; after an ill-formed sequence that reaches `most` bytes it is not followed. */
size_t utf8_stretch(const uint8_t *data, size_t size, size_t most);

#endif
