/* The scalar kernel: RFC 3629 section 4 as nested comparisons, one character at a time, ASCII eight bytes at a time.
 *
 * This is the plain twin of the wide kernels. They all ask it where exactly in a block the error is, and processors
 * without a kernel of their own use it.
 */
#include "scalar.h"

#include <string.h>

#include "compiler.h"

/* UTF8-tail = %x80-BF */
UTF8_INLINE bool is_tail(uint8_t byte) { return (byte & 0xC0) == 0x80; }

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

/* Whether the eight bytes at `data` are all UTF8-1. Precondition: eight bytes are left. */
UTF8_INLINE bool is_ascii8(const uint8_t *data) {
    uint64_t eight;
    memcpy(&eight, data, sizeof eight);
    return (eight & UINT64_C(0x8080808080808080)) == 0;
}

static size_t first_error_scalar(const uint8_t *data, size_t size) {
    size_t at = 0;
    while (at < size) {
        while (size - at >= 8 && is_ascii8(data + at)) at += 8;
        if (at == size) break;
        const int length = sequence(data + at, size - at);
        if (length <= 0) return at; /* ill-formed, or cut off by the end, which is ill-formed here */
        at += (size_t)length;
    }
    return size;
}

static bool is_valid_scalar(const uint8_t *data, size_t size) { return first_error_scalar(data, size) == size; }

size_t utf8_first_error_from(const uint8_t *data, size_t size, size_t checked) {
    /* Go back, by at most four bytes, to the start of the character that contains the last checked byte. Four tail bytes
     * cannot come before `checked`, because all before it is well-formed. */
    size_t at = checked;
    while (at > 0 && checked - at < 4) {
        at--;
        if (!is_tail(data[at])) break;
    }
    return at + first_error_scalar(data + at, size - at);
}

const utf8_kernel utf8_scalar = {"scalar", is_valid_scalar, first_error_scalar, NULL, 0};
