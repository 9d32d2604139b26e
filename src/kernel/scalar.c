/* The scalar kernel: 32 bytes at a time that are ASCII, and the automaton of RFC 3629 section 4 byte by byte for the rest.
 * Where exactly the first error is, nested comparisons tell, one character at a time.
 *
 * This is the plain twin of the wide kernels. They all ask it where exactly in a block the error is, and processors
 * without a kernel of their own use it.
 */
#include "scalar.h"

#include <string.h>

#include "compiler.h"

UTF8_INLINE bool in_range(uint8_t byte, uint8_t low, uint8_t high) { return low <= byte && byte <= high; }

/* One line of the RFC: how long the character is, and what its second byte may be. */
typedef struct {
    uint8_t length, low, high;
} promise;

UTF8_INLINE promise promise_of(uint8_t lead) {
    /*                                        length  second byte            RFC 3629 section 4 */
    if (lead <= 0x7F) return (promise){1, 0x00, 0x00};                    /* UTF8-1 = %x00-7F */
    if (in_range(lead, 0xC2, 0xDF)) return (promise){2, 0x80, 0xBF};      /* UTF8-2 = %xC2-DF UTF8-tail */
    if (lead == 0xE0) return (promise){3, 0xA0, 0xBF};                    /* UTF8-3 = %xE0 %xA0-BF UTF8-tail / */
    if (in_range(lead, 0xE1, 0xEC)) return (promise){3, 0x80, 0xBF};      /*          %xE1-EC 2( UTF8-tail ) / */
    if (lead == 0xED) return (promise){3, 0x80, 0x9F};                    /*          %xED %x80-9F UTF8-tail / */
    if (in_range(lead, 0xEE, 0xEF)) return (promise){3, 0x80, 0xBF};      /*          %xEE-EF 2( UTF8-tail ) */
    if (lead == 0xF0) return (promise){4, 0x90, 0xBF};                    /* UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / */
    if (in_range(lead, 0xF1, 0xF3)) return (promise){4, 0x80, 0xBF};      /*          %xF1-F3 3( UTF8-tail ) / */
    if (lead == 0xF4) return (promise){4, 0x80, 0x8F};                    /*          %xF4 %x80-8F 2( UTF8-tail ) */
    return (promise){0, 0x00, 0x00};                                      /* 80..C1, F5..FF begin no character */
}

UTF8_INLINE int sequence(const uint8_t *data, size_t size) {
    const promise lead = promise_of(data[0]);
    if (lead.length == 0) return UTF8_ILL_FORMED;
    for (size_t position = 1; position < lead.length; position++) {
        if (position == size) return UTF8_UNFINISHED;
        const uint8_t byte = data[position];
        if (position == 1 ? !in_range(byte, lead.low, lead.high) : !is_tail(byte)) return UTF8_ILL_FORMED;
    }
    return lead.length;
}

int utf8_sequence(const uint8_t *data, size_t size) { return size == 0 ? UTF8_UNFINISHED : sequence(data, size); }

size_t utf8_subpart(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const promise lead = promise_of(data[0]);
    if (lead.length == 0) return 1;
    for (size_t position = 1; position < lead.length; position++) {
        if (position == size) return position;
        const uint8_t byte = data[position];
        if (position == 1 ? !in_range(byte, lead.low, lead.high) : !is_tail(byte)) return position;
    }
    return 0;
}

size_t utf8_unfinished(const uint8_t *data, size_t size) {
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        const uint8_t byte = data[size - back];
        if (!is_tail(byte)) return promise_of(byte).length > back ? back : 0;
    }
    return 0; /* after three tail bytes no character can go on */
}

/* The automaton's states, named for what they still wait for. A state's number is the place of its own six bits in a row
 * of the automaton's table, so that one step is one shift: a row has, for one byte, the state that follows each state.
 * What a row does not name is 0: no state follows. (The shift is Per Vognsen's idea.) */
enum { NONE = 0, START = 6, TAIL1 = 12, TAIL2 = 18, TAIL3 = 24, AFTER_E0 = 30, AFTER_ED = 36, AFTER_F0 = 42, AFTER_F4 = 48 };
#define GO(from, to) ((uint64_t)(to) << (from))
#define TAIL (GO(TAIL1, START) | GO(TAIL2, TAIL1) | GO(TAIL3, TAIL2))

#define ASCII GO(START, START)                                             /* UTF8-1 */
#define TAIL_8X (TAIL | GO(AFTER_ED, TAIL1) | GO(AFTER_F4, TAIL2))         /* 80..8F */
#define TAIL_9X (TAIL | GO(AFTER_ED, TAIL1) | GO(AFTER_F0, TAIL2))         /* 90..9F */
#define TAIL_AX_BX (TAIL | GO(AFTER_E0, TAIL1) | GO(AFTER_F0, TAIL2))      /* A0..BF */
#define LEAD_2 GO(START, TAIL1)                                            /* C2..DF */
#define LEAD_3 GO(START, TAIL2)                                            /* E1..EC, EE, EF */
#define LEAD_4 GO(START, TAIL3)                                            /* F1..F3 */
#define FOUR(row) row, row, row, row
#define SIXTEEN(row) FOUR(row), FOUR(row), FOUR(row), FOUR(row)

static const uint64_t rows[256] = {
    SIXTEEN(ASCII), SIXTEEN(ASCII), SIXTEEN(ASCII), SIXTEEN(ASCII), /* 00..3F */
    SIXTEEN(ASCII), SIXTEEN(ASCII), SIXTEEN(ASCII), SIXTEEN(ASCII), /* 40..7F */
    SIXTEEN(TAIL_8X), SIXTEEN(TAIL_9X), SIXTEEN(TAIL_AX_BX), SIXTEEN(TAIL_AX_BX),
    NONE, NONE, LEAD_2, LEAD_2, FOUR(LEAD_2), FOUR(LEAD_2), FOUR(LEAD_2), /* C0..CF */
    SIXTEEN(LEAD_2),                                                      /* D0..DF */
    GO(START, AFTER_E0), LEAD_3, LEAD_3, LEAD_3, FOUR(LEAD_3),            /* E0..E7 */
    FOUR(LEAD_3), LEAD_3, GO(START, AFTER_ED), LEAD_3, LEAD_3,            /* E8..EF */
    GO(START, AFTER_F0), LEAD_4, LEAD_4, LEAD_4, GO(START, AFTER_F4),     /* F0..F4; the rest is 0 */
};

/* The state after `count` bytes. */
UTF8_INLINE uint64_t run(uint64_t state, const uint8_t *data, size_t count) {
    for (size_t i = 0; i < count; i++) state = rows[data[i]] >> (state & 63);
    return state & 63;
}

/* Whether the 8 * `count` bytes at `data` are all UTF8-1. */
UTF8_INLINE bool is_ascii_eights(const uint8_t *data, size_t count) {
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t eight;
        memcpy(&eight, data + 8 * i, 8);
        all |= eight;
    }
    return (all & UINT64_C(0x8080808080808080)) == 0;
}

/* The first error, character by character. */
static size_t first_error_plain(const uint8_t *data, size_t size) {
    size_t at = 0;
    while (at < size) {
        const int length = sequence(data + at, size - at);
        if (length <= 0) return at; /* ill-formed, or cut off by the end, which is ill-formed here */
        at += (size_t)length;
    }
    return size;
}

/* The start of the character that contains the byte before `checked`, at most four bytes back; all before `checked` is
 * well-formed, so that four tail bytes cannot come before it. */
UTF8_INLINE size_t character_before(const uint8_t *data, size_t checked) {
    size_t at = checked;
    while (at > 0 && checked - at < 4) {
        at--;
        if (!is_tail(data[at])) break;
    }
    return at;
}

enum { STEP = 16 }; /* bytes of the automaton between two looks for ASCII */

static size_t first_error_scalar(const uint8_t *data, size_t size) {
    uint64_t state = START;
    size_t at = 0;
    for (;;) {
        if (state == START) {
            while (size - at >= 32 && is_ascii_eights(data + at, 4)) at += 32;
        }
        if (size - at < STEP) break;
        if (state == START && is_ascii_eights(data + at, STEP / 8)) {
            at += STEP;
            continue;
        }
        state = run(state, data + at, STEP);
        if (state == NONE) break;
        at += STEP;
    }
    if (state != NONE) {
        if (state == START && size - at >= 8 && is_ascii_eights(data + at, 1)) at += 8;
        if (run(state, data + at, size - at) == START) return size;
    }
    at = character_before(data, at); /* here the first error starts, or a few characters later */
    return at + first_error_plain(data + at, size - at);
}

static bool is_valid_scalar(const uint8_t *data, size_t size) { return first_error_scalar(data, size) == size; }

size_t utf8_first_error_from(const uint8_t *data, size_t size, size_t checked) {
    const size_t at = character_before(data, checked);
    return at + first_error_scalar(data + at, size - at);
}

const utf8_kernel utf8_scalar = {"scalar", is_valid_scalar, first_error_scalar, NULL, 0, NULL};
