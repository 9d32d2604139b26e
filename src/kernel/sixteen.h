/* What the kernels of sixteen lanes share: look-ups, and what stands before a block. Include it where KERNEL and the
 * operations on vectors are defined (see stretches.h). */
#ifndef UTF8_SIXTEEN_H
#define UTF8_SIXTEEN_H

#include "half_bytes.h"
#include "short.h"

KERNEL UTF8_INLINE vector preceding(const uint8_t *block, vector x) {
    (void)x;
    return load(block - 16);
}

KERNEL UTF8_INLINE vector nothing_precedes(vector x) {
    (void)x;
    return all_lanes(0);
}

KERNEL UTF8_INLINE vector before_block(const uint8_t *block) { return load(block - 3); }

#endif
