#include "summary.h"

#include <string.h>

#include "compiler.h"
#include "faults.h"

enum { BLOCK = 64 * 1024 }; /* bytes that the kernel and `count` both read, the second time from the cache */

/* UTF8-tail = %x80-BF: every other byte begins a character, or an ill-formed sequence. */
static inline bool begins(uint8_t byte) { return (int8_t)byte > (int8_t)0xBF; }

/* How many bytes of data[0:size] begin something, and how many of them are LF. */
typedef void totals_function(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines);

static void totals_scalar(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {
    for (size_t at = 0; at < size; at++) {
        *first_bytes += begins(data[at]);
        *newlines += data[at] == '\n';
    }
}

#if defined(__GNUC__) && !defined(__clang__) /* clang does so by itself */
#define FOUR_AT_ONCE _Pragma("GCC unroll 4")
#else
#define FOUR_AT_ONCE
#endif
#if defined(__GNUC__) || defined(__clang__)
/* The same, a register of `bytes` at a time: a lane of a comparison is -1 where it is true, and counts to 255. Eight
 * lanes at once are added up: those with an even number to the others, then four sums of 16 bits by a multiplication.
 * Lane by lane a piece of 256 KiB took 1.4 times as long (Zen 1, AVX2, gcc 12). */
#define TOTALS(name, bytes)                                                                                            \
    static void name(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {                    \
        typedef int8_t lanes __attribute__((vector_size(bytes)));                                                      \
        typedef uint8_t counts __attribute__((vector_size(bytes)));                                                    \
        typedef uint64_t eights __attribute__((vector_size(bytes)));                                                   \
        const eights even = (eights){0} + UINT64_C(0x00FF00FF00FF00FF);                                                \
        while (size >= bytes) {                                                                                        \
            const size_t rounds = size / bytes < 252 ? size / bytes : 252;                                             \
            counts begin = {0}, end = {0};                                                                             \
            lanes text;                                                                                                \
            FOUR_AT_ONCE for (size_t round = 0; round < rounds; round++, data += bytes) {                              \
                memcpy(&text, data, bytes);                                                                            \
                begin -= (counts)(text > (int8_t)0xBF);                                                                \
                end -= (counts)(text == '\n');                                                                         \
            }                                                                                                          \
            size -= rounds * bytes;                                                                                    \
            const eights starts = ((eights)begin & even) + ((eights)begin >> 8 & even);                                \
            const eights ends = ((eights)end & even) + ((eights)end >> 8 & even);                                      \
            for (int at = 0; at < bytes / 8; at++) {                                                                   \
                *first_bytes += starts[at] * 0x0001000100010001 >> 48;                                                 \
                *newlines += ends[at] * 0x0001000100010001 >> 48;                                                      \
            }                                                                                                          \
        }                                                                                                              \
        totals_scalar(data, size, first_bytes, newlines);                                                              \
    }
TOTALS(totals_16, 16)
#else
#define totals_16 totals_scalar
#endif
#if UTF8_X86 && (defined(__GNUC__) || defined(__clang__))
UTF8_TARGET("avx2") TOTALS(totals_32, 32)

/* Where one of these kernels runs, the machine has AVX2. */
static totals_function *totals_beside(const utf8_kernel *kernel) {
    return kernel == &utf8_avx2 || kernel == &utf8_avx512 ? totals_32 : totals_16;
}
#else
static totals_function *totals_beside(const utf8_kernel *kernel) {
    (void)kernel;
    return totals_16;
}
#endif

/* Add the well-formed data[0:size]. */
static void count(const uint8_t *data, size_t size, totals_function *totals, utf8_summary *sum) {
    uint64_t units = 0, newlines = 0, ignored = 0;
    totals(data, size, &units, &newlines);
    sum->units += units;
    sum->newlines += newlines;
    if (newlines == 0) {
        sum->column += units;
        return;
    }
    size_t line = size;
    while (line > 0 && data[line - 1] != '\n') line--; /* > 0: another thread may have changed the bytes since */
    sum->column = 0;
    totals(data + line, size - line, &sum->column, &ignored);
}

/* Add the ill-formed sequence at `offset`. One that the end cuts has a missing tail. */
static void add_fault(const uint8_t *data, size_t size, size_t offset, utf8_summary *sum) {
    utf8_code code = utf8_code_of(data + offset, size - offset);
    if (code == UTF8_TRUNCATED) code = UTF8_MISSING_TAIL;
    if (!sum->has_first) {
        sum->has_first = true;
        sum->offset = offset;
        sum->first_newlines = sum->newlines;
        sum->first_column = sum->column;
        sum->code = code;
    }
    sum->codes[code]++;
    sum->units++;
    sum->column++;
}

void utf8_summarize(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum) {
    totals_function *const totals = totals_beside(kernel);
    for (size_t at = 0; at < size;) {
        size_t end = size - at < BLOCK ? size : at + BLOCK;
        for (int back = 0; back < 3 && end < size && !begins(data[end]); back++) end--; /* not within a character */
        const size_t fault = utf8_next_fault(kernel, data, at, end);
        count(data + at, fault - at, totals, sum);
        at = fault;
        for (size_t length; (length = utf8_subpart(data + at, size - at)) > 0; at += length) add_fault(data, size, at, sum);
    }
}

void utf8_count_well_formed(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum) {
    count(data, size, totals_beside(kernel), sum);
}
