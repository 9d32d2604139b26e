/* Which kernels there are, which one decides, and where their functions lie. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "module_shared.h"

PyDoc_STRVAR(available_doc,
"available($module, /)\n--\n\nReturn the names of the kernels that run here, best first.\n");

static PyObject *available(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *names = PyList_New(0);
    for (size_t i = 0; names != NULL && i <= utf8_kernel_count; i++) {
        if (i < utf8_kernel_count && !utf8_kernel_runs(utf8_kernels[i])) continue;
        PyObject *name = PyUnicode_FromString(i < utf8_kernel_count ? utf8_kernels[i]->name : python.name);
        if (name == NULL || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    if (names == NULL) return NULL;
    PyObject *result = PyList_AsTuple(names);
    Py_DECREF(names);
    return result;
}

PyDoc_STRVAR(active_doc, "active($module, /)\n--\n\nReturn the name of the kernel that decides.\n");

static PyObject *active(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    return PyUnicode_FromString(kernel_in_use()->name);
}

PyDoc_STRVAR(use_doc,
"use($module, name, /)\n--\n\nLet the kernel called *name* decide from now on, in the whole process; False when none of that name runs here.\n");

static PyObject *use(PyObject *module, PyObject *wanted) {
    (void)module;
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(wanted, &length);
    if (name == NULL) return NULL;
    if (strcmp(name, python.name) == 0) {
        UTF8_STORE(in_use, &python);
        Py_RETURN_TRUE;
    }
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        if (strcmp(name, utf8_kernels[i]->name) == 0 && utf8_kernel_runs(utf8_kernels[i])) {
            UTF8_STORE(in_use, utf8_kernels[i]);
            Py_RETURN_TRUE;
        }
    }
    Py_RETURN_FALSE;
}

PyDoc_STRVAR(entry_points_doc,
"entry_points($module, /)\n--\n\n"
"Return the addresses of the C functions that decide here, for proofs and measurements: kernel name to (is_valid,\n"
"first_error, lanes, width, the kernel) for each that runs here, and \"sequence\" and \"unfinished\" of the scalar part.\n");

static PyObject *entry_points(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *result = Py_BuildValue("{s:(K),s:(K)}", "sequence", (unsigned long long)(uintptr_t)utf8_sequence,
                                     "unfinished", (unsigned long long)(uintptr_t)utf8_unfinished);
    for (size_t i = 0; result != NULL && i < utf8_kernel_count; i++) {
        const utf8_kernel *kernel = utf8_kernels[i];
        if (!utf8_kernel_runs(kernel)) continue;
        PyObject *row = Py_BuildValue("(KKKnK)", (unsigned long long)(uintptr_t)kernel->is_valid,
                                      (unsigned long long)(uintptr_t)kernel->first_error,
                                      (unsigned long long)(uintptr_t)kernel->lanes, (Py_ssize_t)kernel->width,
                                      (unsigned long long)(uintptr_t)kernel);
        if (row == NULL || PyDict_SetItemString(result, kernel->name, row) < 0) Py_CLEAR(result);
        Py_XDECREF(row);
    }
    return result;
}

PyMethodDef kernel_functions[] = {
    {"available", available, METH_NOARGS, available_doc},
    {"active", active, METH_NOARGS, active_doc},
    {"use", use, METH_O, use_doc},
    {"entry_points", entry_points, METH_NOARGS, entry_points_doc},
    {NULL, NULL, 0, NULL},
};
