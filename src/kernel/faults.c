/* The loops of faults.h. Between two faults a wide kernel judges windows that grow; where one has a fault, ever smaller ones,
 * and in the end the kernel's lanes say where about it is.
 */
#include "faults.h"

#include <string.h>

#include "compiler.h"
#include "scalar.h"

/* After a fault the next one may be near, so the first NEAR bytes are asked for by lanes; then windows grow by four, up to
 * LAST. With 16 KiB more would be read again where a fault is found: one in 100 kB costs SSE4.1 a tenth more (a Xeon). */
enum { NEAR = 128, FIRST = 256, LAST = 4096 };

/* Whether a fault, or only the end, stopped a search, and where. */
typedef struct {
    size_t at;
    bool found;
} place;

/* Character by character from `at` on. */
static place fault_from(const uint8_t *data, size_t at, size_t limit) {
    while (at < limit) {
        const int length = utf8_sequence(data + at, limit - at);
        if (length <= 0) return (place){at, true};
        at += (size_t)length;
    }
    return (place){limit, false};
}

/* Where the character begins, or what is none, that has the byte before `end`. All before it is well-formed from `from` on,
 * where a character begins; that is the answer where it is near. Without a branch, which could not be foreseen. */
UTF8_INLINE size_t character_before(const uint8_t *data, size_t from, size_t end) {
    if (end - from < 4) return from;
    const bool one = is_tail(data[end - 1]), two = one & is_tail(data[end - 2]), three = two & is_tail(data[end - 3]);
    return end - 1 - one - two - three;
}

UTF8_INLINE bool is_ascii32(const uint8_t *data) {
    uint64_t words[4];
    memcpy(words, data, sizeof words);
    return ((words[0] | words[1] | words[2] | words[3]) & UINT64_C(0x8080808080808080)) == 0;
}

/* By lanes, at least up to `until`. A window's first three lanes have been judged by the one before. */
static place fault_by_lanes(const utf8_kernel *kernel, const uint8_t *data, size_t from, size_t until, size_t limit) {
    size_t judged = 0;
    for (size_t at = from;; at += kernel->width - 3, judged = 3) {
        if (at + judged >= until) return (place){character_before(data, from, at + judged), false};
        const size_t left = limit - at;
        const size_t count = left < kernel->width ? left : kernel->width;
        const size_t lane = kernel->first_lane(data + at, count, judged);
        if (lane < kernel->width) return fault_from(data, character_before(data, from, at + lane), limit);
        if (count == left) return fault_from(data, character_before(data, from, limit), limit); /* it may be cut */
    }
}

/* Search close to `at`. ASCII is passed over first, and a lone byte above 7F behind it is a fault: no character has only one
 * such byte. The lanes judge the rest. */
static place fault_near(const utf8_kernel *kernel, const uint8_t *data, size_t at, size_t limit) {
    const size_t until = limit - at < NEAR ? limit : at + NEAR;
    while (until - at >= 32 && is_ascii32(data + at)) at += 32;
    if (until - at >= 8) {
        const size_t other = at + utf8_ascii_prefix8(data + at);
        if (until - other > 1 && data[other] > 0x7F && data[other + 1] <= 0x7F) return (place){other, true};
    }
    return fault_by_lanes(kernel, data, at, until, limit);
}

/* The size of a window at `at` that ends between two characters, or with what is none. */
UTF8_INLINE size_t window_at(const uint8_t *data, size_t at, size_t size, size_t limit) {
    return size < limit - at ? size - utf8_unfinished(data + at, size) : limit - at;
}

/* Pass over windows without a fault; each is four times the one before, up to `most` bytes. Return where the next begins. */
static size_t pass_windows(const utf8_kernel *kernel, const uint8_t *data, size_t at, size_t limit, size_t *size, size_t most) {
    for (size_t window; at < limit; at += window) {
        window = window_at(data, at, *size, limit);
        if (!kernel->is_valid(data + at, window)) break;
        if (*size < most) *size *= 4;
    }
    return at;
}

size_t utf8_next_fault(const utf8_kernel *kernel, const uint8_t *data, size_t at, size_t limit) {
    if (kernel->first_lane == NULL) return at + kernel->first_error(data + at, limit - at);
    const place near = fault_near(kernel, data, at, limit);
    if (near.found) return near.at;
    size_t size = FIRST;
    at = pass_windows(kernel, data, near.at, limit, &size, LAST);
    for (size /= 4; size >= NEAR; size /= 4) at = pass_windows(kernel, data, at, limit, &size, size);
    return fault_by_lanes(kernel, data, at, limit, limit).at;
}

utf8_code utf8_code_of(const uint8_t *data, size_t size) {
    const uint8_t lead = data[0];
    if (lead <= 0xBF) return UTF8_LONE_TAIL;  /* UTF8-tail = %x80-BF */
    if (lead <= 0xC1) return UTF8_OVERLONG;   /* 110xxxxx for U+0000..U+007F: UTF8-2 begins at C2 */
    if (lead >= 0xF5) return UTF8_TOO_LARGE;  /* above U+10FFFF: UTF8-4 ends with F4 */
    const size_t length = utf8_subpart(data, size);
    if (length == size) return UTF8_TRUNCATED;
    if (!is_tail(data[length])) return UTF8_MISSING_TAIL;
    if (lead == 0xED) return UTF8_SURROGATE;  /* %xED %x80-9F: ED A0..BF is U+D800..U+DFFF */
    if (lead == 0xF4) return UTF8_TOO_LARGE;  /* %xF4 %x80-8F */
    return UTF8_OVERLONG;                     /* %xE0 %xA0-BF, %xF0 %x90-BF */
}

size_t utf8_count_errors(const utf8_kernel *kernel, const uint8_t *data, size_t size, uint64_t counts[UTF8_CODES]) {
    size_t total = 0;
    for (size_t at = utf8_next_fault(kernel, data, 0, size); at < size; total++) {
        counts[utf8_code_of(data + at, size - at)]++;
        at += utf8_subpart(data + at, size - at);
        at = utf8_next_fault(kernel, data, at, size);
    }
    return total;
}
