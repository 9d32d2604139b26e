/* utf8_abnf.validator._summary: what is in a piece of text, counted by a kernel's speed where it is well-formed.
 *
 * Two loops: `count` for bytes in which a kernel found no fault, and `step_through` for the others, which follows a table
 * that Python makes from `ill_formed.describe`. So no number of RFC 3629 stands here but that of UTF8-tail.
 * The kernel comes in as the address of its `first_error` (`_kernel.entry_points`), 0 for none. Private: an address that
 * is none ends the process.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "stateless.h"

enum {
    STATES = 8,                     /* of the automaton; 0 is its start */
    CODES = 6,                      /* in an entry of the table, the code number c stands as STATES + c */
    BLOCK = 64 * 1024,              /* bytes that the kernel and `count` both read, the second time from the cache */
    CALM = 64,                      /* well-formed bytes in a row, after which the kernel goes on */
    RELEASE_GIL_FROM = 512 * 1024,  /* below this many bytes the GIL is held: see kernel/module.c */
};

typedef size_t finder(const uint8_t *data, size_t size);

typedef struct {
    uint64_t units, newlines, column; /* units: characters and ill-formed sequences; column: those since the last LF */
    uint64_t codes[CODES];
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
/* The same, a register of `bytes` at a time: a lane of a comparison is -1 where it is true, and counts to 127. Eight
 * lanes at once are added up: those with an even number to the others, then four sums of 16 bits by a multiplication.
 * Lane by lane a piece of 256 KiB took 1.4 times as long (Zen 1, AVX2, gcc 12). */
#define TOTALS(name, bytes)                                                                                            \
    static void name(const uint8_t *data, size_t size, uint64_t *first_bytes, uint64_t *newlines) {                    \
        typedef int8_t lanes __attribute__((vector_size(bytes)));                                                      \
        typedef uint64_t eights __attribute__((vector_size(bytes)));                                                   \
        const eights even = (eights){0} + UINT64_C(0x00FF00FF00FF00FF);                                                \
        while (size >= bytes) {                                                                                        \
            const size_t rounds = size / bytes < 127 ? size / bytes : 127;                                             \
            lanes begin = {0}, end = {0}, text;                                                                        \
            FOUR_AT_ONCE for (size_t round = 0; round < rounds; round++, data += bytes) {                              \
                memcpy(&text, data, bytes);                                                                            \
                begin -= text > (int8_t)0xBF;                                                                          \
                end -= text == '\n';                                                                                   \
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

static void add_fault(summary *sum, uint64_t offset, unsigned code) {
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

/* Add data[at:size] up to where the text has been calm for a while, and return that offset. Precondition: a character or
 * an ill-formed sequence begins at `at`. A sequence that `size` cuts is one with a missing tail. */
static size_t step_through(const uint8_t *data, size_t size, size_t at, const uint8_t *table, unsigned missing_tail,
                           summary *sum) {
    unsigned state = 0;
    size_t start = at, calm = 0;
    while (at < size && (state != 0 || calm < CALM)) {
        if (state == 0) start = at;
        const unsigned next = table[state * 256 + data[at]];
        if (next >= STATES) {
            add_fault(sum, start, next - STATES);
            calm = 0;
            at += state == 0; /* otherwise this byte is read again, from the start */
            state = 0;
            continue;
        }
        if (next == 0) {
            sum->units++;
            sum->column++;
            if (data[at] == '\n') {
                sum->newlines++;
                sum->column = 0;
            }
        }
        state = next;
        calm++;
        at++;
    }
    if (state != 0) add_fault(sum, start, missing_tail);
    return at;
}

static void judge(const uint8_t *data, size_t size, finder *first_error, totals_function *totals, const uint8_t *table,
                  unsigned missing_tail, summary *sum) {
    for (size_t at = 0; at < size;) {
        size_t end = size - at < BLOCK ? size : at + BLOCK;
        for (int back = 0; back < 3 && end < size && !begins(data[end]); back++) end--; /* not within a character */
        const size_t good = first_error == NULL ? 0 : first_error(data + at, end - at);
        count(data + at, good, totals, sum);
        at += good;
        if (at < end) at = step_through(data, size, at, table, missing_tail, sum);
    }
}

PyDoc_STRVAR(judge_doc,
"judge($module, first_error, avx2, data, table, missing_tail, /)\n--\n\n"
"Return units, newlines, column, codes and first of *data*, as ``summary._judge`` does.\n");

static PyObject *judge_(PyObject *module, PyObject *arguments) {
    (void)module;
    unsigned long long address;
    Py_buffer data;
    const char *table;
    Py_ssize_t table_size;
    unsigned int missing_tail;
    int avx2; /* whether the machine has it */
    if (!PyArg_ParseTuple(arguments, "Kpy*y#I", &address, &avx2, &data, &table, &table_size, &missing_tail)) return NULL;
    PyObject *result = NULL;
    bool fits = table_size == STATES * 256 && missing_tail < CODES;
    for (Py_ssize_t at = 0; fits && at < table_size; at++) fits = (uint8_t)table[at] < STATES + CODES;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "not a table of this automaton");
    } else {
        summary sum = {0};
        totals_function *totals = avx2 ? totals_32 : totals_16;
        finder *first_error = (finder *)(uintptr_t)address;
        if (data.len < RELEASE_GIL_FROM) {
            judge(data.buf, (size_t)data.len, first_error, totals, (const uint8_t *)table, missing_tail, &sum);
        } else {
            Py_BEGIN_ALLOW_THREADS
            judge(data.buf, (size_t)data.len, first_error, totals, (const uint8_t *)table, missing_tail, &sum);
            Py_END_ALLOW_THREADS
        }
        PyObject *first = sum.has_first ? Py_BuildValue("KKKI", sum.offset, sum.first_newlines, sum.first_column, sum.code)
                                        : Py_NewRef(Py_None);
        if (first != NULL) {
            result = Py_BuildValue("KKK(KKKKKK)N", sum.units, sum.newlines, sum.column, sum.codes[0], sum.codes[1],
                                   sum.codes[2], sum.codes[3], sum.codes[4], sum.codes[5], first);
        }
    }
    PyBuffer_Release(&data);
    return result;
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
