/* Columns that we make, and how they are handed over: each has a count of its uses, and goes with the last of them.
 *
 * They are kept apart from Python, because whoever gets one may release it in any thread, at any time. Plain C11.
 */
#ifndef UTF8_ARROW_OUT_H
#define UTF8_ARROW_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "arrow.h"

enum { UTF8_MAX_BUFFERS = 3, UTF8_MAX_CHILDREN = 3 };

typedef struct utf8_made {
    long uses;
    const char *format, *name; /* texts that last as long as the program */
    int64_t length, nulls;
    int64_t buffer_count, child_count;
    uint8_t *buffers[UTF8_MAX_BUFFERS]; /* the first says which rows are not null; NULL: all of them */
    struct utf8_made *children[UTF8_MAX_CHILDREN];
    struct utf8_made *dictionary;
} utf8_made;

/* A column of `length` rows with zeros in its `buffer_count` buffers, of these sizes; 0 bytes: none. It has one use. NULL
 * when memory runs out. */
utf8_made *utf8_make(const char *format, const char *name, size_t length, int64_t buffer_count, const size_t *sizes);

utf8_made *utf8_keep(utf8_made *made); /* one use more */
void utf8_drop(utf8_made *made);       /* one less; NULL is passed over */

/* Hand over: the type, the rows, or several parts as a stream, all with the type of `prototype`. They keep what they need.
 * False when memory runs out; then nothing is handed over. */
bool utf8_export_schema(const utf8_made *prototype, struct ArrowSchema *out);
bool utf8_export_array(utf8_made *made, struct ArrowArray *out);
bool utf8_export_stream(utf8_made *prototype, utf8_made *const *parts, size_t count, struct ArrowArrayStream *out);

#endif
