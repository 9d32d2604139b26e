/* Up to fifteen bytes as two numbers, for where loads under a mask do not exist, or are slow. */
#ifndef UTF8_SHORT_H
#define UTF8_SHORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* Sixteen bytes on a little-endian machine, the first one lowest. */
typedef struct {
    uint64_t low, high;
} utf8_sixteen;

/* The `count` (0..15) bytes at `data`, then zeros; no other byte is read. What is left after the first eight or four bytes
 * is the upper end of the last eight or four. */
UTF8_INLINE utf8_sixteen utf8_load_short(const uint8_t *data, size_t count) {
    uint64_t low = 0, high = 0;
    if (count >= 8) {
        memcpy(&low, data, 8);
        memcpy(&high, data + count - 8, 8);
        high = high >> (8 * (15 - count)) >> 8;
    } else if (count >= 4) {
        uint32_t first, last;
        memcpy(&first, data, 4);
        memcpy(&last, data + count - 4, 4);
        low = first | (uint64_t)last << (8 * (count - 4));
    } else if (count > 0) { /* first, middle and last of one to three bytes */
        const size_t middle = count / 2, last = count - 1;
        low = data[0] | (uint64_t)data[middle] << (8 * middle) | (uint64_t)data[last] << (8 * last);
    }
    const utf8_sixteen bytes = {low, high};
    return bytes;
}

#endif
