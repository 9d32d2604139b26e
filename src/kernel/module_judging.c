/* The verdict as Python sees it: is_valid, first_error and are_valid. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "module_shared.h"

PyDoc_STRVAR(is_valid_doc,
"is_valid($module, data, /)\n--\n\n"
"Return True when *data* is well-formed UTF-8 (RFC 3629 section 4), else False.\n\n"
"*data* is anything bytes-like and contiguous. TypeError for a str and other things that are not bytes-like,\n"
"BufferError for a view that is not contiguous. Nothing is copied.\n\n"
">>> is_valid(b'caf\\xc3\\xa9'), is_valid(b'\\xc0\\x80')\n"
"(True, False)\n");

UTF8_ASIDE static PyObject *is_valid_buffer(PyObject *data) {
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    const Py_ssize_t size = view.len;
    const Py_ssize_t found = find_error(view.buf, size);
    PyBuffer_Release(&view);
    return found < 0 ? NULL : PyBool_FromLong(found == size);
}

static PyObject *is_valid(PyObject *module, PyObject *data) {
    (void)module;
    const utf8_kernel *kernel = kernel_in_use();
    if (PyBytes_CheckExact(data) && kernel != &python) { /* 7 ns less than the buffer protocol */
        const Py_ssize_t size = Py_SIZE(data);
        if (size < RELEASE_GIL_FROM) {
            if (kernel->is_valid(bytes_of(data), (size_t)size)) Py_RETURN_TRUE;
            Py_RETURN_FALSE;
        }
    }
    return is_valid_buffer(data);
}

PyDoc_STRVAR(first_error_doc,
"first_error($module, data, /)\n--\n\n"
"Return the first ill-formed sequence in *data* as an IllFormed, or None when *data* is well-formed.\n\n"
"Offsets count bytes from the start of *data*; start and end are those of CPython's UnicodeDecodeError (Unicode 3.9,\n"
"\"maximal subpart\"). Accepts and raises what is_valid does, and takes no longer.\n\n"
">>> first_error(b'ab\\xed\\xa0\\x80').code\n"
"'UTF8-SURROGATE'\n");

UTF8_ASIDE static PyObject *first_error_buffer(PyObject *data) {
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    PyObject *result = NULL;
    const Py_ssize_t found = find_error(view.buf, view.len);
    if (found == view.len) {
        result = Py_NewRef(Py_None);
    } else if (found >= 0) {
        result = describe((const uint8_t *)view.buf + found, (size_t)(view.len - found), found);
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *first_error(PyObject *module, PyObject *data) {
    (void)module;
    const utf8_kernel *kernel = kernel_in_use();
    if (PyBytes_CheckExact(data) && kernel != &python) { /* as in is_valid */
        const Py_ssize_t size = Py_SIZE(data);
        if (size < RELEASE_GIL_FROM && kernel->is_valid(bytes_of(data), (size_t)size)) {
            Py_RETURN_NONE;
        }
    }
    return first_error_buffer(data);
}

PyDoc_STRVAR(are_valid_doc,
"are_valid($module, strings, /)\n--\n\n"
"Return a list that says of each of *strings* whether it is well-formed UTF-8, as is_valid does one by one.\n\n"
"*strings* is a list, a tuple or anything else that can be iterated, of bytes-like objects. It raises what is_valid\n"
"raises. For the columns of a table see utf8_abnf.files.arrow.\n\n"
">>> are_valid([b'caf\\xc3\\xa9', b'\\xc0\\x80', b''])\n"
"[True, False, True]\n");

static PyObject *are_valid(PyObject *module, PyObject *strings) {
    PyObject *tuple = PySequence_Tuple(strings); /* nobody can change it meanwhile */
    if (tuple == NULL) return NULL;
    const Py_ssize_t count = PyTuple_Size(tuple);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *verdict = is_valid(module, PyTuple_GetItem(tuple, i));
        if (verdict == NULL || PyList_SetItem(list, i, verdict) < 0) Py_CLEAR(list);
    }
    Py_DECREF(tuple);
    return list;
}

PyMethodDef judging_functions[] = {
    {"is_valid", is_valid, METH_O, is_valid_doc},
    {"first_error", first_error, METH_O, first_error_doc},
    {"are_valid", are_valid, METH_O, are_valid_doc},
    {NULL, NULL, 0, NULL},
};
