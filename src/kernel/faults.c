/* The loops of faults.h. Between two faults a wide kernel reads; near a fault, one character after the other. */
#include "faults.h"

#include "compiler.h"

/* After a fault the next one may be near, and a kernel would read a whole block before it says so. So the next NEAR bytes
 * are read here; then the kernel gets windows that grow by four. Faults 100 B apart (Zen 4, gcc 12, a busy machine): in
 * ASCII 3.8 GB/s, in Chinese 0.55, where one character after the other reached 0.41: its branches cannot be foreseen. */
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

/* The states of the byte automaton, each named for what it waits for. A state is a number of bits: an entry of `rows`, moved
 * to the right by it, has the next state in its last six. So a byte costs one load and one shift, whatever the text is. */
enum { START = 0, TAIL1 = 6, TAIL2 = 12, TAIL3 = 18, AFTER_E0 = 24, AFTER_ED = 30, AFTER_F0 = 36, AFTER_F4 = 42, FAULT = 48 };
enum { STATE = 63, BLOCK = 16 };

#define EACH(to)                                                                                                       \
    ((uint64_t)(to) << START | (uint64_t)(to) << TAIL1 | (uint64_t)(to) << TAIL2 | (uint64_t)(to) << TAIL3 |           \
     (uint64_t)(to) << AFTER_E0 | (uint64_t)(to) << AFTER_ED | (uint64_t)(to) << AFTER_F0 | (uint64_t)(to) << AFTER_F4 | \
     (uint64_t)(to) << FAULT)
#define NONE EACH(FAULT)                                     /* no character has such a byte here */
#define GO(from, to) ((uint64_t)(FAULT ^ (to)) << (from))    /* taken from NONE: from this state to that one */
#define TAIL (GO(TAIL1, START) ^ GO(TAIL2, TAIL1) ^ GO(TAIL3, TAIL2)) /* UTF8-tail = %x80-BF */
#define TWO(row) row, row
#define FOUR(row) TWO(row), TWO(row)
#define EIGHT(row) FOUR(row), FOUR(row)
#define SIXTEEN(row) EIGHT(row), EIGHT(row)
#define ASCII_ (NONE ^ GO(START, START))
#define LEAD2 (NONE ^ GO(START, TAIL1))
#define LEAD3 (NONE ^ GO(START, TAIL2))
#define LEAD4 (NONE ^ GO(START, TAIL3))
#define LOW (NONE ^ TAIL ^ GO(AFTER_ED, TAIL1) ^ GO(AFTER_F4, TAIL2))  /* %xED %x80-9F, %xF4 %x80-8F */
#define MIDDLE (NONE ^ TAIL ^ GO(AFTER_ED, TAIL1) ^ GO(AFTER_F0, TAIL2)) /* %xED %x80-9F, %xF0 %x90-BF */
#define HIGH (NONE ^ TAIL ^ GO(AFTER_E0, TAIL1) ^ GO(AFTER_F0, TAIL2)) /* %xE0 %xA0-BF, %xF0 %x90-BF */

static const uint64_t rows[256] = {
    SIXTEEN(ASCII_), SIXTEEN(ASCII_), SIXTEEN(ASCII_), SIXTEEN(ASCII_),            /* UTF8-1 = %x00-7F */
    SIXTEEN(ASCII_), SIXTEEN(ASCII_), SIXTEEN(ASCII_), SIXTEEN(ASCII_),
    SIXTEEN(LOW), SIXTEEN(MIDDLE), SIXTEEN(HIGH), SIXTEEN(HIGH),                   /* 80..BF */
    TWO(NONE), TWO(LEAD2), FOUR(LEAD2), EIGHT(LEAD2), SIXTEEN(LEAD2),              /* UTF8-2 = %xC2-DF UTF8-tail */
    NONE ^ GO(START, AFTER_E0), LEAD3, TWO(LEAD3), EIGHT(LEAD3), LEAD3,            /* %xE0, %xE1-EC */
    NONE ^ GO(START, AFTER_ED), TWO(LEAD3),                                        /* %xED, %xEE-EF */
    NONE ^ GO(START, AFTER_F0), TWO(LEAD4), LEAD4, NONE ^ GO(START, AFTER_F4),     /* %xF0, %xF1-F3, %xF4 */
    NONE, TWO(NONE), EIGHT(NONE),                                                  /* F5..FF */
};

/* Go on from `at`, where a character begins, by whole blocks, up to a block that has a fault, ASCII, or `end`. Return where
 * a character begins that is not yet judged. */
static size_t by_blocks(const uint8_t *data, size_t at, size_t end) {
    const size_t from = at;
    uint64_t state = START;
    while (end - at >= BLOCK && !(state == START && utf8_ascii_prefix8(data + at) == 8)) {
        uint64_t next = state;
        for (size_t i = 0; i < BLOCK; i++) next = rows[data[at + i]] >> (next & STATE);
        if ((next & STATE) == FAULT) break;
        state = next & STATE;
        at += BLOCK;
    }
    if (state == START) return at;
    do at--; /* to the start of the character that the block cuts; not further where another thread changes the bytes */
    while (at > from && is_tail(data[at]));
    return at;
}

/* Search up to about NEAR bytes: ASCII by eight bytes, characters that stand alone one by one, others by blocks. */
static place near_fault(const uint8_t *data, size_t at, size_t limit) {
    const size_t end = limit - at < NEAR ? limit : at + NEAR;
    bool calm = true; /* no block with a fault was met */
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
        if (calm && at < end && end - at >= BLOCK && data[at] > 0x7F) {
            at = by_blocks(data, at, end);
            calm = end - at < BLOCK || data[at] <= 0x7F;
        }
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
