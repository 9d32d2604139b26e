/* The loops of columns.h: many strings at once by the kernel, and one by one only where that fails. */
#include "columns.h"

#include <string.h>

#include "compiler.h"

/* Strings that are judged at once: 4.5 KiB where they have 70 bytes, which the first cache still holds when the second
 * test looks at their first bytes. With one bad string in a hundred, half of the batches are judged twice. */
enum { BATCH = 64 };

/* UTF8-tail = %x80-BF */
UTF8_INLINE bool is_tail(uint8_t byte) { return (byte & 0xC0) == 0x80; }

UTF8_INLINE int64_t offset_at(const void *offsets, utf8_offset_width width, size_t i) {
    const uint8_t *const place = (const uint8_t *)offsets + i * width;
    if (width == UTF8_OFFSETS_32) {
        int32_t narrow;
        memcpy(&narrow, place, sizeof narrow);
        return narrow;
    }
    int64_t wide;
    memcpy(&wide, place, sizeof wide);
    return wide;
}

int64_t utf8_offset(const void *offsets, utf8_offset_width width, size_t i) { return offset_at(offsets, width, i); }

UTF8_INLINE size_t wrong_offset(size_t size, const void *offsets, utf8_offset_width width, size_t count) {
    int64_t last = 0;
    for (size_t i = 0; i <= count; i++) {
        const int64_t next = offset_at(offsets, width, i);
        if (next < last || (uint64_t)next > size) return i;
        last = next;
    }
    return count + 1;
}

size_t utf8_wrong_offset(size_t size, const void *offsets, utf8_offset_width width, size_t count) {
    if (width == UTF8_OFFSETS_32) return wrong_offset(size, offsets, UTF8_OFFSETS_32, count);
    return wrong_offset(size, offsets, UTF8_OFFSETS_64, count);
}

/* A bit for each of the `count` strings from number `first` on.
 *
 * Let all their bytes in one piece be well-formed. Then a string is well-formed exactly if it begins and ends between two
 * characters, or is empty. A place is between two characters if the byte there is no tail, or if it is the end. */
UTF8_INLINE uint64_t judge_batch(utf8_judge *is_valid, const uint8_t *values, const void *offsets,
                                 utf8_offset_width width, size_t first, size_t count) {
    uint64_t bits = 0;
    const size_t start = (size_t)offset_at(offsets, width, first);
    const size_t end = (size_t)offset_at(offsets, width, first + count);
    if (start == end) return count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    size_t from = start;
    if (is_valid(values + start, end - start)) {
        bool between = true;
        for (size_t i = 0; i < count; i++) {
            const size_t to = (size_t)offset_at(offsets, width, first + i + 1);
            const bool next_between = to == end || !is_tail(values[to]);
            bits |= (uint64_t)((between && next_between) || from == to) << i;
            from = to;
            between = next_between;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            const size_t to = (size_t)offset_at(offsets, width, first + i + 1);
            bits |= (uint64_t)is_valid(values + from, to - from) << i;
            from = to;
        }
    }
    return bits;
}

UTF8_INLINE void judge(utf8_judge *is_valid, const uint8_t *values, const void *offsets, utf8_offset_width width,
                       size_t count, uint8_t *out) {
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t here = count - first < BATCH ? count - first : BATCH;
        const uint64_t bits = judge_batch(is_valid, values, offsets, width, first, here);
        for (size_t byte = 0; byte * 8 < here; byte++) out[first / 8 + byte] = (uint8_t)(bits >> (8 * byte));
    }
}

bool utf8_are_valid(utf8_judge *is_valid, const uint8_t *values, size_t size, const void *offsets,
                    utf8_offset_width width, size_t count, uint8_t *out) {
    if (utf8_wrong_offset(size, offsets, width, count) <= count) return false;
    if (width == UTF8_OFFSETS_32) {
        judge(is_valid, values, offsets, UTF8_OFFSETS_32, count, out);
    } else {
        judge(is_valid, values, offsets, UTF8_OFFSETS_64, count, out);
    }
    return true;
}
