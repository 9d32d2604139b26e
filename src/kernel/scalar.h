/* What others use of the scalar kernel: what a tail byte is, and where the error is after a block has failed. */
#ifndef UTF8_SCALAR_H
#define UTF8_SCALAR_H

#include "utf8_kernel.h"

/* UTF8-tail = %x80-BF */
static inline bool is_tail(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* The first error in `data`, which is known to be well-formed up to a character that reaches or passes `checked`. A wide
 * kernel calls it for `first_error` when a lane objects in the block that starts at `checked`. */
size_t utf8_first_error_from(const uint8_t *data, size_t size, size_t checked);

#endif
