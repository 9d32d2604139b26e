/* What is in a piece of text as Python sees it: the loops behind utf8_abnf.Summary. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "module_shared.h"
#include "summary.h"

typedef void summing_function(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum);

/* Let `add` read the bytes of `data`; -1 with an exception set. */
static int sum_up(PyObject *data, summing_function *add, utf8_summary *sum) {
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return -1;
    const utf8_kernel *kernel = compiled_kernel();
    if (view.len < RELEASE_GIL_FROM) {
        add(kernel, view.buf, (size_t)view.len, sum);
    } else {
        Py_BEGIN_ALLOW_THREADS
        add(kernel, view.buf, (size_t)view.len, sum);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&view);
    return 0;
}

PyDoc_STRVAR(summarize_doc,
"summarize($module, data, /)\n--\n\n"
"Return units, newlines, column, codes and first of *data*, as ``summary._judge`` has them. Private.\n");

static PyObject *summarize(PyObject *module, PyObject *data) {
    (void)module;
    utf8_summary sum = {0};
    if (kernel_in_use() == &python) {
        PyObject *arguments = PyTuple_Pack(1, data);
        PyObject *found = arguments == NULL ? NULL : by_python("summarize", arguments);
        Py_XDECREF(arguments);
        return found;
    }
    if (sum_up(data, utf8_summarize, &sum) < 0) return NULL;
    PyObject *first = sum.has_first ? Py_BuildValue("KKKI", sum.offset, sum.first_newlines, sum.first_column, sum.code)
                                    : Py_NewRef(Py_None);
    if (first == NULL) return NULL;
    return Py_BuildValue("KKK(KKKKKK)N", sum.units, sum.newlines, sum.column, sum.codes[0], sum.codes[1], sum.codes[2],
                         sum.codes[3], sum.codes[4], sum.codes[5], first);
}

PyDoc_STRVAR(count_well_formed_doc,
"count_well_formed($module, data, /)\n--\n\n"
"Return how many characters well-formed *data* have, how many LF, and how many characters after the last one. Private.\n");

static PyObject *count_well_formed(PyObject *module, PyObject *data) {
    (void)module;
    utf8_summary sum = {0};
    if (sum_up(data, utf8_count_well_formed, &sum) < 0) return NULL;
    return Py_BuildValue("KKK", sum.units, sum.newlines, sum.column);
}

PyMethodDef summary_functions[] = {
    {"summarize", summarize, METH_O, summarize_doc},
    {"count_well_formed", count_well_formed, METH_O, count_well_formed_doc},
    {NULL, NULL, 0, NULL},
};
