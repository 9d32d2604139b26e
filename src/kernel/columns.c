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
    /* Most columns are right, so all of it is looked at without a branch first. */
    bool wrong = offset_at(offsets, width, 0) < 0 || (uint64_t)offset_at(offsets, width, count) > size;
    for (size_t i = 0; i < count; i++) wrong |= offset_at(offsets, width, i + 1) < offset_at(offsets, width, i);
    if (!wrong) return count + 1;
    int64_t last = 0;
    for (size_t i = 0; i <= count; i++) {
        const int64_t next = offset_at(offsets, width, i);
        if (next < last || (uint64_t)next > size) return i;
        last = next;
    }
    return count + 1; /* not reached */
}

size_t utf8_wrong_offset(size_t size, const void *offsets, utf8_offset_width width, size_t count) {
    if (width == UTF8_OFFSETS_32) return wrong_offset(size, offsets, UTF8_OFFSETS_32, count);
    return wrong_offset(size, offsets, UTF8_OFFSETS_64, count);
}

UTF8_INLINE uint64_t ones(size_t count) { return count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1; }

/* A bit for each of the `count` strings from number `first` on, whose bytes in one piece are well-formed: each is exactly
 * if it begins and ends between two characters, or is empty. A place is between two characters if the byte there is no
 * tail, or if it is the end. */
UTF8_INLINE uint64_t judge_cuts(const uint8_t *values, const void *offsets, utf8_offset_width width, size_t first,
                                size_t count) {
    const size_t end = (size_t)offset_at(offsets, width, first + count);
    size_t inner = count; /* strings that begin before the end */
    while ((size_t)offset_at(offsets, width, first + inner - 1) == end) inner--;
    bool cut = false;
    for (size_t i = 1; i < inner; i++) cut |= is_tail(values[offset_at(offsets, width, first + i)]);
    if (!cut) return ones(count);
    uint64_t bits = 0;
    size_t from = (size_t)offset_at(offsets, width, first);
    bool between = true;
    for (size_t i = 0; i < count; i++) {
        const size_t to = (size_t)offset_at(offsets, width, first + i + 1);
        const bool next_between = to == end || !is_tail(values[to]);
        bits |= (uint64_t)((between && next_between) || from == to) << i;
        from = to;
        between = next_between;
    }
    return bits;
}

/* A bit for each of the `count` strings from number `first` on. */
UTF8_INLINE uint64_t judge_batch(utf8_judge *is_valid, const uint8_t *values, const void *offsets,
                                 utf8_offset_width width, size_t first, size_t count) {
    size_t from = (size_t)offset_at(offsets, width, first);
    const size_t end = (size_t)offset_at(offsets, width, first + count);
    if (from == end) return ones(count);
    if (is_valid(values + from, end - from)) return judge_cuts(values, offsets, width, first, count);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t to = (size_t)offset_at(offsets, width, first + i + 1);
        bits |= (uint64_t)is_valid(values + from, to - from) << i;
        from = to;
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
