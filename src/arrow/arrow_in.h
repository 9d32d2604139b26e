/* A column of strings as another library hands it over: looked at, then judged row by row.
 *
 * Nothing is trusted that can be looked at: layout, lengths, offsets, views, indices. The interface does not say how long
 * most buffers are: that they have as many bytes as the array's length and offsets ask for is its promise, not ours.
 * Plain C11: no Python, no allocation.
 */
#ifndef UTF8_ARROW_IN_H
#define UTF8_ARROW_IN_H

#include "arrow.h"
#include "columns.h"

typedef enum { UTF8_NO_TEXT, UTF8_ALL_NULL, UTF8_PLAIN_32, UTF8_PLAIN_64, UTF8_VIEWS } utf8_layout;

/* What a schema says: how the strings lie; where the rows are indices of a dictionary, their format, else 0; and whether
 * the column is the only one of a table. */
typedef struct {
    utf8_layout layout;
    char index;
    bool in_table;
} utf8_kind;

typedef struct {
    const uint8_t *data;
    size_t size;
} utf8_text;

/* Rows of an array, behind `skipped` others in its buffers. Bit `bit` (0 to 7) of `validity` is that of row 0: 1 where the row
 * is not null. NULL: no row is null. */
typedef struct {
    size_t count, skipped;
    const uint8_t *validity;
    unsigned bit;
} utf8_rows;

/* Strings as they lie. */
typedef struct {
    utf8_layout layout;
    utf8_rows rows;
    const uint8_t *places; /* offsets or views, from row 0 on */
    const uint8_t *values;
    const void **buffers; /* of views */
    const uint8_t *sizes; /* of those buffers, 64 bits each */
    int64_t buffer_count;
} utf8_strings;

typedef struct {
    utf8_rows rows;         /* if the rows are not indices, `strings` has their null bits */
    utf8_strings strings;   /* the rows, or the dictionary */
    char index;             /* 0 if the rows are not indices */
    const uint8_t *indices; /* from row 0 on */
} utf8_column;

/* Why a column is refused, as a sentence; NULL where it is not. `row` is -1 where no single row is meant. */
typedef struct {
    const char *text;
    int64_t row;
} utf8_flaw;

utf8_kind utf8_kind_of(const struct ArrowSchema *schema);

utf8_flaw utf8_open_column(utf8_kind kind, const struct ArrowArray *array, utf8_column *column);

/* Copy what leads to the strings (validity, offsets or views, indices) to `room`, and use the copy from then on: what was
 * found right stays so, whatever another thread writes. Returns how many bytes these are; `room` may be NULL: no copy. */
size_t utf8_own(utf8_column *column, uint8_t *room);

/* The bytes that utf8_judge_column writes for `count` rows: whole words. */
size_t utf8_bits_size(size_t count);

/* Set bit i of `rows` to whether row i is well-formed; 1 also where it is null. The same for the values of a dictionary in
 * `values`, which is not used otherwise. Both begin as zeros. The functions below may be called when this finds no flaw. */
utf8_flaw utf8_judge_column(utf8_judge *is_valid, const utf8_column *column, uint8_t *rows, uint8_t *values);

bool utf8_bit(const uint8_t *bits, size_t i);
bool utf8_is_null(const utf8_column *column, size_t row);
bool utf8_string_is_null(const utf8_strings *strings, size_t row);

/* The bytes of a row that is not null. */
utf8_text utf8_row(const utf8_column *column, size_t row);
utf8_text utf8_string(const utf8_strings *strings, size_t row);

/* The index of a row of a dictionary's column, not null. */
size_t utf8_index(const utf8_column *column, size_t row);

/* The bytes of an index with this format; 0 where it is none. */
size_t utf8_index_width(char format);

#endif
