#include "summary.h"

#include <string.h>

#include "compiler.h"
#include "faults.h"
#include "scalar.h"

enum { BLOCK = 64 * 1024 }; /* bytes that the kernel and `count` both read, the second time from the cache */

/* How many bytes of data[0:size] begin a character or an ill-formed sequence (all but tail bytes do), and how many are LF:
 *
 *   totals_scalar   byte by byte, in what is left, and everywhere if the compiler knows no vectors
 *   totals_16       a register of 16 bytes at a time
 *   totals_32       a register of AVX2
 */
typedef void totals_function(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines);

static void totals_scalar(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {
    for (size_t at = 0; at < size; at++) {
        *first_bytes += !is_tail(data[at]);
        *newlines += data[at] == '\n';
    }
}

#if defined(__GNUC__) || defined(__clang__)
static void totals_16(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {
#define BYTES 16
#include "totals.h"
}

#if UTF8_X86
UTF8_TARGET("avx2") static void totals_32(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {
#define BYTES 32
#include "totals.h"
}
#endif
#endif

static totals_function *totals_beside(const utf8_kernel *kernel) {
    (void)kernel;
#if !defined(__GNUC__) && !defined(__clang__)
    return totals_scalar;
#elif UTF8_X86
    return kernel == &utf8_avx2 || kernel == &utf8_avx512 ? totals_32 : totals_16; /* where these run, there is AVX2 */
#else
    return totals_16;
#endif
}

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
        for (int back = 0; back < 3 && end < size && is_tail(data[end]); back++) end--; /* not within a character */
        const size_t fault = utf8_next_fault(kernel, data, at, end);
        count(data + at, fault - at, totals, sum);
        at = fault;
        for (size_t length; (length = utf8_subpart(data + at, size - at)) > 0; at += length) add_fault(data, size, at, sum);
    }
}

void utf8_count_well_formed(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum) {
    count(data, size, totals_beside(kernel), sum);
}
