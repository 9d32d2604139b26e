/* utf8_abnf.validator._summary: what is in a piece of text, counted at a kernel's speed where it is well-formed.
 *
 * The kernel comes in as its address (`_kernel.entry_points`). Private: an address that is none ends the process.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "faults.h"
#include "stateless.h"

enum {
    BLOCK = 64 * 1024,              /* bytes that the kernel and `count` both read, the second time from the cache */
    RELEASE_GIL_FROM = 512 * 1024,  /* below this many bytes the GIL is held: see kernel/module.c */
};

typedef struct {
    uint64_t units, newlines, column; /* units: characters and ill-formed sequences; column: those since the last LF */
    uint64_t codes[UTF8_CODES];
    bool has_first; /* the first ill-formed sequence: its place as above, counted before it */
    uint64_t offset, first_newlines, first_column;
    unsigned code;
} summary;

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
#else
#define totals_32 totals_16
#endif

/* Add the well-formed data[0:size]. */
static void count(const uint8_t *data, size_t size, totals_function *totals, summary *sum) {
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
static void add_fault(const uint8_t *data, size_t size, size_t offset, summary *sum) {
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

static void judge(const utf8_kernel *kernel, const uint8_t *data, size_t size, totals_function *totals, summary *sum) {
    for (size_t at = 0; at < size;) {
        size_t end = size - at < BLOCK ? size : at + BLOCK;
        for (int back = 0; back < 3 && end < size && !begins(data[end]); back++) end--; /* not within a character */
        const size_t fault = utf8_next_fault(kernel, data, at, end);
        count(data + at, fault - at, totals, sum);
        at = fault;
        for (size_t length; (length = utf8_subpart(data + at, size - at)) > 0; at += length) add_fault(data, size, at, sum);
    }
}

PyDoc_STRVAR(judge_doc,
"judge($module, kernel, avx2, data, /)\n--\n\n"
"Return units, newlines, column, codes and first of *data*, as ``summary._judge`` does.\n");

static PyObject *judge_(PyObject *module, PyObject *arguments) {
    (void)module;
    unsigned long long address;
    Py_buffer data;
    int avx2; /* whether the machine has it */
    if (!PyArg_ParseTuple(arguments, "Kpy*", &address, &avx2, &data)) return NULL;
    summary sum = {0};
    totals_function *totals = avx2 ? totals_32 : totals_16;
    const utf8_kernel *kernel = (const utf8_kernel *)(uintptr_t)address;
    if (data.len < RELEASE_GIL_FROM) {
        judge(kernel, data.buf, (size_t)data.len, totals, &sum);
    } else {
        Py_BEGIN_ALLOW_THREADS
        judge(kernel, data.buf, (size_t)data.len, totals, &sum);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&data);
    PyObject *first = sum.has_first ? Py_BuildValue("KKKI", sum.offset, sum.first_newlines, sum.first_column, sum.code)
                                    : Py_NewRef(Py_None);
    if (first == NULL) return NULL;
    return Py_BuildValue("KKK(KKKKKK)N", sum.units, sum.newlines, sum.column, sum.codes[0], sum.codes[1], sum.codes[2],
                         sum.codes[3], sum.codes[4], sum.codes[5], first);
}

PyDoc_STRVAR(count_doc,
"count($module, avx2, data, /)\n--\n\n"
"Return units, newlines and column of *data*, which are well-formed.\n");

static PyObject *count_(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer data;
    int avx2; /* whether the machine has it */
    if (!PyArg_ParseTuple(arguments, "py*", &avx2, &data)) return NULL;
    summary sum = {0};
    totals_function *totals = avx2 ? totals_32 : totals_16;
    if (data.len < RELEASE_GIL_FROM) {
        count(data.buf, (size_t)data.len, totals, &sum);
    } else {
        Py_BEGIN_ALLOW_THREADS
        count(data.buf, (size_t)data.len, totals, &sum);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&data);
    return Py_BuildValue("KKK", sum.units, sum.newlines, sum.column);
}

static PyMethodDef functions[] = {
    {"judge", judge_, METH_VARARGS, judge_doc},
    {"count", count_, METH_VARARGS, count_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.validator._summary",
    .m_doc = "The C loops behind utf8_abnf.Summary.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__summary(void) { return make_stateless(&definition); }
