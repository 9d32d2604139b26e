/* The C data interface and the C stream interface of Apache Arrow: how libraries hand columns to each other.
 *
 * The layout of the structures is fixed by https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html.
 * A structure whose `release` is NULL holds nothing. Whoever copies a structure away sets `release` of the old one to NULL.
 */
#ifndef UTF8_ARROW_H
#define UTF8_ARROW_H

#include <stdint.h>

struct ArrowSchema {
    const char *format; /* the type: "u" are strings with offsets of 32 bits, "+s" is a struct */
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary; /* the type of the values, where the rows are indices */
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count; /* -1: not counted */
    int64_t offset;     /* rows of the buffers before the first one of this array */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out); /* 0, or a number of errno */
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);    /* an array without `release` after the last */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

enum { ARROW_FLAG_NULLABLE = 2 };

#endif
