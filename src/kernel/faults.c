/* The loops of faults.h. Between two faults a wide kernel reads; near a fault, one character after the other. */
#include "faults.h"

#include "compiler.h"

/* After a fault the next one may be near, and a kernel would read a whole block before it says so. So the next NEAR bytes
 * are read here; then the kernel gets windows that grow by four. Faults 100 B apart (Zen 4, gcc 12, one core of a busy
 * machine): 1.3 GB/s in mixed text and 2.8 in ASCII, where the kernel alone reached 1.0 and 1.5. */
enum { NEAR = 128, FIRST_WINDOW = 256, LAST_WINDOW = 1024 * 1024 };

/* UTF8-tail = %x80-BF */
UTF8_INLINE bool is_tail(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* Whether a fault, or only the end, stopped a search, and where. */
typedef struct {
    size_t at;
    bool found;
} place;

/* The length of the character at `data`, not positive where none begins. The most usual kinds are told here. */
UTF8_INLINE int character(const uint8_t *data, size_t size) {
    const uint8_t lead = data[0];
    if (size >= 3) {
        if (0xC2 <= lead && lead <= 0xDF && is_tail(data[1])) return 2;                    /* UTF8-2 = %xC2-DF UTF8-tail */
        if (0xE1 <= lead && lead <= 0xEC && is_tail(data[1]) && is_tail(data[2])) return 3; /* UTF8-3 = ... %xE1-EC 2( UTF8-tail ) */
    }
    return utf8_sequence(data, size);
}

/* Search up to about NEAR bytes, ASCII by eight bytes, other characters one by one. */
static place near_fault(const uint8_t *data, size_t at, size_t limit) {
    const size_t end = limit - at < NEAR ? limit : at + NEAR;
    while (at < end) {
        if (data[at] <= 0x7F) {
            if (end - at < 8) {
                at++;
                continue;
            }
            unsigned ascii = 0;
            while (end - at >= 8 && (ascii = utf8_ascii_prefix8(data + at)) == 8) at += 8;
            if (end - at >= 8) at += ascii; /* else the last eight were all ASCII, and fewer are left */
            continue;
        }
        const int length = character(data + at, limit - at);
        if (length <= 0) return (place){at, true};
        at += (size_t)length;
    }
    return (place){at, false};
}

size_t utf8_next_fault(utf8_finder *first_error, const uint8_t *data, size_t at, size_t limit) {
    const place near = near_fault(data, at, limit);
    if (near.found) return near.at;
    at = near.at;
    for (size_t window = FIRST_WINDOW; at < limit;) {
        const size_t left = limit - at;
        size_t size = left;
        if (window < left) size = window - utf8_unfinished(data + at, window); /* a cut character is left for the next one */
        const size_t good = first_error(data + at, size);
        at += good;
        if (good < size) break;
        if (window < LAST_WINDOW) window *= 4;
    }
    return at;
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

size_t utf8_count_errors(utf8_finder *first_error, const uint8_t *data, size_t size, uint64_t counts[UTF8_CODES]) {
    size_t total = 0;
    for (size_t at = utf8_next_fault(first_error, data, 0, size); at < size; total++) {
        counts[utf8_code_of(data + at, size - at)]++;
        at += utf8_subpart(data + at, size - at);
        at = utf8_next_fault(first_error, data, at, size);
    }
    return total;
}
