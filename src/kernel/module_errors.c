/* All errors of one buffer: a list of them, and how many there are of each code. For utf8_abnf.validator alone. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "faults.h"
#include "module_shared.h"

PyDoc_STRVAR(errors_from_doc,
"errors_from($module, data, start, most, /)\n--\n\n"
"Return the first ill-formed sequences of *data* at or after the offset *start*, *most* of them at most, as a list.\n\n"
"Private: *start* must be where a sequence begins.\n");

enum { MAX_ERRORS = 256 }; /* in one call of errors_from */

/* Write the offsets of the next faults from `at` on into `starts`; return how many there are, `most` at most. */
static Py_ssize_t find_faults(const utf8_kernel *kernel, const uint8_t *data, size_t at, size_t size, size_t *starts,
                              Py_ssize_t most) {
    Py_ssize_t count = 0;
    while (count < most && (at = utf8_next_fault(kernel, data, at, size)) < size) {
        starts[count++] = at;
        at += utf8_subpart(data + at, size - at);
    }
    return count;
}

static PyObject *list_errors(const utf8_kernel *kernel, const uint8_t *data, Py_ssize_t size, Py_ssize_t start,
                             Py_ssize_t most) {
    size_t starts[MAX_ERRORS];
    Py_ssize_t count;
    if (most > MAX_ERRORS) most = MAX_ERRORS;
    if (size - start < RELEASE_GIL_FROM) {
        count = find_faults(kernel, data, (size_t)start, (size_t)size, starts, most);
    } else {
        Py_BEGIN_ALLOW_THREADS
        count = find_faults(kernel, data, (size_t)start, (size_t)size, starts, most);
        Py_END_ALLOW_THREADS
    }
    PyObject *list = PyList_New(0);
    if (list == NULL || count == 0) return list;
    PyObject *function = import_describe();
    if (function == NULL) Py_CLEAR(list);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        const size_t at = starts[i];
        PyObject *error = describe_by(function, data + at, (size_t)size - at, (long long)at);
        /* None: another thread has changed the bytes since */
        if (error == NULL || (error != Py_None && PyList_Append(list, error) < 0)) Py_CLEAR(list);
        Py_XDECREF(error);
    }
    Py_XDECREF(function);
    return list;
}

static PyObject *errors_from(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *data;
    Py_ssize_t start, most;
    const utf8_kernel *kernel = kernel_in_use(); /* asked once: to export a buffer may run Python, which may choose another */
    if (kernel == &python) return by_python("errors_from", arguments);
    if (!PyArg_ParseTuple(arguments, "Onn", &data, &start, &most)) return NULL;
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    PyObject *result = NULL;
    if (start < 0 || most < 0) {
        PyErr_SetString(PyExc_ValueError, "start and most must not be negative");
    } else {
        result = list_errors(kernel, view.buf, view.len, start < view.len ? start : view.len, most);
    }
    PyBuffer_Release(&view);
    return result;
}

PyDoc_STRVAR(count_by_code_doc,
"count_by_code($module, data, /)\n--\n\n"
"Return how many ill-formed sequences *data* has of each code, in the order of ill_formed.CODES. Private.\n");

static PyObject *count_by_code(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *data;
    const utf8_kernel *kernel = kernel_in_use(); /* once, as above */
    if (kernel == &python) return by_python("count_by_code", arguments);
    if (!PyArg_ParseTuple(arguments, "O", &data)) return NULL;
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    uint64_t counts[UTF8_CODES] = {0};
    if (view.len < RELEASE_GIL_FROM) {
        utf8_count_errors(kernel, view.buf, (size_t)view.len, counts);
    } else {
        Py_BEGIN_ALLOW_THREADS
        utf8_count_errors(kernel, view.buf, (size_t)view.len, counts);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&view);
    return Py_BuildValue("(KKKKKK)", counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
}

PyMethodDef error_functions[] = {
    {"errors_from", errors_from, METH_VARARGS, errors_from_doc},
    {"count_by_code", count_by_code, METH_VARARGS, count_by_code_doc},
    {NULL, NULL, 0, NULL},
};
