/* The loops of columns.h: many strings at once by the kernel, and one by one only where that fails. */
#include "columns.h"

#include <string.h>

#include "compiler.h"
#include "scalar.h"

/* Strings that are judged at once: 4.5 KiB where they have 70 bytes, which the first cache still holds when the second
 * test looks at their first bytes. With one bad string in a hundred, half of the batches are judged twice. */
enum { BATCH = 64 };

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

size_t utf8_wrong_offset(size_t size, const void *offsets, utf8_offset_width width, size_t count) {
    int64_t last = 0;
    for (size_t i = 0; i <= count; i++) {
        const int64_t next = offset_at(offsets, width, i);
        if (next < last || (uint64_t)next > size) return i;
        last = next;
    }
    return count + 1;
}

/* Read the offsets of `count` strings into `places`, once, so that another thread cannot change what has been looked at;
 * false where one is wrong. */
UTF8_INLINE bool read_offsets(size_t size, const void *offsets, utf8_offset_width width, size_t count, int64_t *places) {
    for (size_t i = 0; i <= count; i++) places[i] = offset_at(offsets, width, i);
    bool wrong = places[0] < 0 || (uint64_t)places[count] > size;
    for (size_t i = 0; i < count; i++) wrong |= places[i + 1] < places[i];
    return !wrong;
}

UTF8_INLINE uint64_t ones(size_t count) { return count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1; }

/* A bit for each of `count` strings whose bytes, read as one text, are well-formed. Then a string is well-formed if it is
 * empty, or if no character is cut at either end: there the next byte is no tail, or there is none. */
static uint64_t judge_cuts(const uint8_t *values, const int64_t *places, size_t count) {
    const int64_t end = places[count];
    size_t inner = count; /* strings that begin before the end */
    while (places[inner - 1] == end) inner--;
    bool cut = false;
    for (size_t i = 1; i < inner; i++) cut |= is_tail(values[places[i]]);
    if (!cut) return ones(count);
    uint64_t bits = 0;
    bool between = true;
    for (size_t i = 0; i < count; i++) {
        const bool next_between = places[i + 1] == end || !is_tail(values[places[i + 1]]);
        bits |= (uint64_t)((between && next_between) || places[i] == places[i + 1]) << i;
        between = next_between;
    }
    return bits;
}

/* A bit for each of `count` strings. */
static uint64_t judge_batch(utf8_judge *is_valid, const uint8_t *values, const int64_t *places, size_t count) {
    if (places[0] == places[count]) return ones(count);
    if (is_valid(values + places[0], (size_t)(places[count] - places[0]))) return judge_cuts(values, places, count);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        bits |= (uint64_t)is_valid(values + places[i], (size_t)(places[i + 1] - places[i])) << i;
    }
    return bits;
}

bool utf8_are_valid(utf8_judge *is_valid, const uint8_t *values, size_t size, const void *offsets,
                    utf8_offset_width width, size_t count, uint8_t *out) {
    int64_t places[BATCH + 1];
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t here = count - first < BATCH ? count - first : BATCH;
        const void *next = (const uint8_t *)offsets + first * width;
        const bool right = width == UTF8_OFFSETS_32 ? read_offsets(size, next, UTF8_OFFSETS_32, here, places)
                                                    : read_offsets(size, next, UTF8_OFFSETS_64, here, places);
        if (!right) return false;
        const uint64_t bits = judge_batch(is_valid, values, places, here);
        for (size_t byte = 0; byte * 8 < here; byte++) out[first / 8 + byte] = (uint8_t)(bits >> (8 * byte));
    }
    return true;
}
