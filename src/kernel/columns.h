/* Columns: strings that lie side by side in one buffer, each judged by itself.
 *
 * String i is values[offset i .. offset i+1), where the offsets are numbers of 32 or 64 bits, with sign, in the machine's
 * order of bytes; Arrow's columns have this layout. Plain C11, as utf8_kernel.h: no Python, no allocation, no read outside
 * of `values` and `offsets`. The offsets need not be aligned.
 */
#ifndef UTF8_COLUMNS_H
#define UTF8_COLUMNS_H

#include "utf8_kernel.h"

typedef enum { UTF8_OFFSETS_32 = 4, UTF8_OFFSETS_64 = 8 } utf8_offset_width; /* bytes of an offset */

/* A kernel's function: whether the whole of `data` is well-formed. */
typedef bool utf8_judge(const uint8_t *data, size_t size);

/* Offset number `i`; it may be negative in hostile input. */
int64_t utf8_offset(const void *offsets, utf8_offset_width width, size_t i);

/* The number of the first of the `count` + 1 offsets that is negative, smaller than the one before it, or greater than
 * `size`; `count` + 1 when all are right. */
size_t utf8_wrong_offset(size_t size, const void *offsets, utf8_offset_width width, size_t count);

/* Set bit i of `out` (bit i % 8 of byte i / 8) to whether string i is well-formed, and the bits after the last one to 0.
 * Returns false when an offset is wrong; then do not use `out`. */
bool utf8_are_valid(utf8_judge *is_valid, const uint8_t *values, size_t size, const void *offsets,
                    utf8_offset_width width, size_t count, uint8_t *out);

#endif
