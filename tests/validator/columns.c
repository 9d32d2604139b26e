/* Columns, by every kernel, between guard pages: the same as string by string, by the scalar kernel; no read
 * outside of the values and the offsets. Prints one line, or the first column that breaks a law. Usage: columns [COLUMNS].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "columns.h"

enum { ROOM = 64 * 1024, MOST = 300 };

static uint64_t state = UINT64_C(88172645463325252);

static size_t below(uint64_t limit) { /* xorshift: the same columns in every run */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

/* The end of ROOM bytes between two pages without access. */
static uint8_t *guarded(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *all = mmap(NULL, ROOM + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, ROOM, PROT_READ | PROT_WRITE) != 0) exit(2);
    return all + page + ROOM;
}

/* Pieces of text, whole and broken; one string may get several, or the half of one. */
static size_t fill(uint8_t *text, int64_t *offsets, size_t count) {
    static const char *const pieces[] = {"a", "plain words\x7F", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "\xC3", "\xA9",
                                         "\xE4\xBD", "\xA0", "\xF0\x9F", "\x98\x80", "\xFF", "\xED\xA0\x80", "\xC0\xAF", "\xF4\x90"};
    const uint64_t odd = below(4) == 0 ? 2 : 60; /* one in so many pieces is broken */
    size_t size = 0;
    offsets[0] = (int64_t)below(3);
    memset(text, 0xBF, (size_t)offsets[0]); /* no string has these bytes */
    size = (size_t)offsets[0];
    for (size_t i = 1; i <= count; i++) {
        for (uint64_t left = below(5); left > 0; left--) {
            const char *piece = pieces[below(odd) ? below(5) : below(15)];
            memcpy(text + size, piece, strlen(piece));
            size += strlen(piece);
        }
        offsets[i] = (int64_t)size;
        if (below(odd) == 0 && size > (size_t)offsets[i - 1]) offsets[i]--; /* cut a character, perhaps */
        if (below(odd) == 0 && i > 1 && offsets[i - 1] > offsets[i - 2]) offsets[i] = offsets[i - 1]; /* an empty one */
    }
    return (size_t)offsets[count];
}

static int fail(const char *kernel, const char *law, size_t column) {
    printf("column %zu, kernel %s: %s\n", column, kernel, law);
    return 1;
}

/* An offset lies where its number and width say, beyond 4 GiB as well: it is read at the end of what `packed` begins. */
static bool finds_a_far_offset(uint8_t *packed) {
    static const int64_t number = INT64_C(0x123456789ABCDEF);
    const size_t far = SIZE_MAX / 8 < (size_t)1 << 29 ? 0 : (size_t)1 << 29;
    memcpy(packed, &number, sizeof number);
    return utf8_offset((const void *)((uintptr_t)packed - 8 * far), UTF8_OFFSETS_64, far) == number;
}

int main(int count_of_arguments, char **arguments) {
    static uint8_t text[ROOM];
    static int64_t offsets[MOST + 1];
    const size_t columns = count_of_arguments > 1 ? (size_t)atol(arguments[1]) : 3000;
    uint8_t *const text_end = guarded(), *const offsets_end = guarded(), *const out_end = guarded();
    if (!utf8_are_valid(utf8_scalar.is_valid, NULL, 0, NULL, UTF8_OFFSETS_32, 0, NULL)) return fail("any", "no strings", 0);
    if (!finds_a_far_offset(offsets_end - 8)) return fail("any", "an offset is read elsewhere", 0);
    for (size_t column = 0; column < columns; column++) {
        const size_t count = below(3) ? below(20) : below(MOST);
        const size_t size = fill(text, offsets, count);
        uint8_t *const values = text_end - size;
        memcpy(values, text, size);
        const size_t out_size = (count + 7) / 8;
        for (size_t k = 0; k < utf8_kernel_count; k++) {
            const utf8_kernel *kernel = utf8_kernels[k];
            if (!utf8_kernel_runs(kernel)) continue;
            for (unsigned width = 4; width <= 8; width += 4) {
                uint8_t *const packed = offsets_end - (count + 1) * width, *const out = out_end - out_size;
                for (size_t i = 0; i <= count; i++) {
                    const int32_t narrow = (int32_t)offsets[i];
                    memcpy(packed + i * width, width == 4 ? (const void *)&narrow : (const void *)&offsets[i], width);
                }
                memset(out, 0xAA, out_size);
                if (!utf8_are_valid(kernel->is_valid, values, size, packed, (utf8_offset_width)width, count, out)) {
                    return fail(kernel->name, "right offsets are refused", column);
                }
                for (size_t i = 0; i < out_size * 8; i++) {
                    const bool bit = out[i / 8] >> (i % 8) & 1;
                    const bool wanted =
                        i < count && utf8_scalar.is_valid(values + offsets[i], (size_t)(offsets[i + 1] - offsets[i]));
                    if (bit != wanted) return fail(kernel->name, "a verdict is wrong", column);
                }
                if (utf8_wrong_offset(size, packed, (utf8_offset_width)width, count) != count + 1) {
                    return fail(kernel->name, "a right offset is called wrong", column);
                }
                if (count == 0) continue;
                const size_t spoilt = below(count + 1);
                const int64_t wrongs[] = {-1, (int64_t)size + 1, spoilt ? offsets[spoilt - 1] - 1 : -5};
                const int64_t wrong = wrongs[below(3)];
                const int32_t narrow = (int32_t)wrong;
                memcpy(packed + spoilt * width, width == 4 ? (const void *)&narrow : (const void *)&wrong, width);
                if (utf8_are_valid(kernel->is_valid, values, size, packed, (utf8_offset_width)width, count, out)) {
                    return fail(kernel->name, "a wrong offset is accepted", column);
                }
                if (utf8_wrong_offset(size, packed, (utf8_offset_width)width, count) != spoilt) {
                    return fail(kernel->name, "another offset is called wrong", column);
                }
            }
        }
    }
    printf("%zu columns: all laws hold\n", columns);
    return 0;
}
