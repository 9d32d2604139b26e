/* What the wide kernels borrow from the scalar one: where to look again once a block has failed. */
#ifndef UTF8_SCALAR_H
#define UTF8_SCALAR_H

#include "utf8_kernel.h"

/* The first error in `data`, which is known to be well-formed up to a character that reaches or passes `checked`:
 * what `first_error` is once a wide kernel has found the block that starts at `checked` wanting. */
size_t utf8_first_error_from(const uint8_t *data, size_t size, size_t checked);

#endif
