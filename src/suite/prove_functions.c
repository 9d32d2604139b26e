/* prove.c as Python sees it. The kernels come in as addresses (`_kernel.entry_points`), so that what is judged is the code
 * that is installed. Private: an address that is none ends the process.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "machine.h"
#include "prove.h"

#define AS_FUNCTION(type, address) ((type)(uintptr_t)(address))

/* None, or (window, size, at). */
static PyObject *as_python(prove_fault fault) {
    if (!fault.found) Py_RETURN_NONE;
    return Py_BuildValue("III", (unsigned int)fault.window, (unsigned int)fault.size, (unsigned int)fault.at);
}

static bool read_oracle(const char *packed, Py_ssize_t size, prove_oracle *oracle) {
    if (size != (Py_ssize_t)sizeof *oracle) {
        PyErr_Format(PyExc_ValueError, "a packed automaton has %zu bytes, not %zd", sizeof *oracle, size);
        return false;
    }
    memcpy(oracle, packed, sizeof *oracle);
    return true;
}

static PyObject *next_window(PyObject *module, PyObject *argument) {
    (void)module;
    const unsigned long window = PyLong_AsUnsignedLong(argument);
    if (window == (unsigned long)-1 && PyErr_Occurred()) return NULL;
    return PyLong_FromUnsignedLong(prove_next_window((uint32_t)window));
}

static bool good_width(Py_ssize_t width) {
    if (width > 0 && width <= PROVE_WIDEST && width % 8 == 0) return true;
    PyErr_Format(PyExc_ValueError, "a block of %zd lanes", width);
    return false;
}

/* lanes(address, width, oracle, window, count) */
static PyObject *lanes(PyObject *module, PyObject *arguments) {
    (void)module;
    unsigned long long address, count;
    Py_ssize_t width, size;
    const char *packed;
    unsigned int window;
    prove_oracle oracle;
    if (!PyArg_ParseTuple(arguments, "Kny#IK", &address, &width, &packed, &size, &window, &count)) return NULL;
    if (!read_oracle(packed, size, &oracle) || !good_width(width)) return NULL;
    prove_fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = prove_lanes(AS_FUNCTION(prove_lanes_of, address), (size_t)width, &oracle, window, count);
    Py_END_ALLOW_THREADS
    return as_python(fault);
}

/* text(address, width, oracle, text) */
static PyObject *text(PyObject *module, PyObject *arguments) {
    (void)module;
    unsigned long long address;
    Py_ssize_t width, size, length;
    const char *packed, *bytes;
    prove_oracle oracle;
    if (!PyArg_ParseTuple(arguments, "Kny#y#", &address, &width, &packed, &size, &bytes, &length)) return NULL;
    if (!read_oracle(packed, size, &oracle) || !good_width(width)) return NULL;
    if (length < 3) return PyErr_Format(PyExc_ValueError, "a text of at least three bytes is wanted");
    prove_fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = prove_text(AS_FUNCTION(prove_lanes_of, address), (size_t)width, &oracle, (const uint8_t *)bytes, (size_t)length);
    Py_END_ALLOW_THREADS
    return as_python(fault);
}

/* four(is_valid, oracle, first), sequence(utf8_sequence, oracle, first), unfinished(utf8_unfinished, oracle, first) */
typedef enum { FOUR, SEQUENCE, UNFINISHED } by_first_check;

static PyObject *by_first(PyObject *arguments, by_first_check check) {
    unsigned long long address;
    const char *packed;
    Py_ssize_t size;
    unsigned char first;
    prove_oracle oracle;
    if (!PyArg_ParseTuple(arguments, "Ky#b", &address, &packed, &size, &first)) return NULL;
    if (!read_oracle(packed, size, &oracle)) return NULL;
    prove_fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = check == FOUR       ? prove_four(AS_FUNCTION(prove_is_valid, address), &oracle, first)
            : check == SEQUENCE ? prove_sequence(AS_FUNCTION(prove_sequence_of, address), &oracle, first)
                                : prove_unfinished(AS_FUNCTION(prove_unfinished_of, address), &oracle, first);
    Py_END_ALLOW_THREADS
    return as_python(fault);
}

static PyObject *four(PyObject *module, PyObject *arguments) {
    (void)module;
    return by_first(arguments, FOUR);
}

static PyObject *sequence(PyObject *module, PyObject *arguments) {
    (void)module;
    return by_first(arguments, SEQUENCE);
}

static PyObject *unfinished(PyObject *module, PyObject *arguments) {
    (void)module;
    return by_first(arguments, UNFINISHED);
}

/* positions(is_valid, first_error, oracle, filler, word, skew, low, high, from_end),
 * runs(is_valid, first_error, oracle, filler, word, skew, low, high, step, length, behind, sweep): texts begin `skew`
 * bytes after a multiple of 64. */
static PyObject *faults(PyObject *arguments, bool in_runs) {
    unsigned long long is_valid, first_error;
    const char *packed, *filler, *word;
    Py_ssize_t size, filler_size, word_size, skew, low, high, more[4] = {0, 0, 0, 0};
    prove_oracle oracle;
    if (!PyArg_ParseTuple(arguments, in_runs ? "KKy#y#y#nnnnnnn" : "KKy#y#y#nnnn", &is_valid, &first_error, &packed, &size,
                          &filler, &filler_size, &word, &word_size, &skew, &low, &high, &more[0], &more[1], &more[2],
                          &more[3])) {
        return NULL;
    }
    if (!read_oracle(packed, size, &oracle)) return NULL;
    bool sound = filler_size >= 1 && word_size >= 1 && skew >= 0 && skew <= 63 && low >= 0 && high >= low;
    for (size_t i = 0; i < 4; i++) sound = sound && more[i] >= 0;
    if (in_runs) sound = sound && more[0] > 0 && more[3] > 0;
    if (!sound) return PyErr_Format(PyExc_ValueError, "no filler, no word, or no such sizes or places");
    const size_t longest = (size_t)high + (in_runs ? (size_t)more[1] + (size_t)more[2] : 0);
    uint8_t *room = PyMem_Malloc(2 * longest + (size_t)filler_size + 128);
    if (room == NULL) return PyErr_NoMemory();
    uint8_t *text = room + (64 - ((uintptr_t)room & 63)) + skew;
    uint8_t *many = text + longest;
    for (size_t i = 0; i < longest; i += (size_t)filler_size) memcpy(many + i, filler, (size_t)filler_size);
    const prove_filler fillers = {many, (size_t)filler_size};
    const prove_word words = {(const uint8_t *)word, (size_t)word_size};
    const prove_places places = {(size_t)low, (size_t)high, (size_t)more[0]};
    const prove_ascii ascii = {(size_t)low, (size_t)high, (size_t)more[0], (size_t)more[1], (size_t)more[2], (size_t)more[3]};
    const prove_is_valid first = AS_FUNCTION(prove_is_valid, is_valid);
    const prove_first_error second = AS_FUNCTION(prove_first_error, first_error);
    prove_fault fault;
    Py_BEGIN_ALLOW_THREADS
    fault = in_runs ? prove_runs(first, second, &oracle, &fillers, &words, &ascii, text)
                    : prove_positions(first, second, &oracle, &fillers, &words, &places, text);
    Py_END_ALLOW_THREADS
    PyMem_Free(room);
    return as_python(fault);
}

static PyObject *positions(PyObject *module, PyObject *arguments) {
    (void)module;
    return faults(arguments, false);
}

static PyObject *runs(PyObject *module, PyObject *arguments) {
    (void)module;
    return faults(arguments, true);
}

PyMethodDef prove_functions[] = {
    {"next_window", next_window, METH_O, NULL},
    {"lanes", lanes, METH_VARARGS, NULL},
    {"text", text, METH_VARARGS, NULL},
    {"four", four, METH_VARARGS, NULL},
    {"sequence", sequence, METH_VARARGS, NULL},
    {"unfinished", unfinished, METH_VARARGS, NULL},
    {"positions", positions, METH_VARARGS, NULL},
    {"runs", runs, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
