/* utf8_abnf.files.arrow._arrow: columns of other libraries in, columns of our own out, by the Arrow PyCapsule interface.
 *
 * The kernel comes in as its address (`_kernel.entry_points`). Private: an address that is none ends the process. The rows
 * of a column are released as soon as its part of the result is made.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "arrow_column.h"
#include "arrow_results.h"
#include "arrow_source.h"
#include "module_made.h"

/* ---- from rows to results --------------------------------------------------------------------------------------- */

typedef enum { VERDICTS, ERRORS, STRINGS, SUMMARY } wanted;

typedef struct {
    wanted what;
    const utf8_kernel *kernel;
    PyObject *repair; /* of STRINGS: bytes in, bytes out */
    utf8_column_summary summary;
} work;

/* What `repair` makes of the ill-formed ones of `strings`, as a list of bytes. */
static PyObject *repair_each(PyObject *repair, const utf8_strings *strings, const uint8_t *bits) {
    PyObject *list = PyList_New(0);
    for (size_t row = 0; list != NULL && row < strings->rows.count; row++) {
        if (utf8_bit(bits, row)) continue;
        const utf8_text text = utf8_string(strings, row);
        PyObject *repaired = PyObject_CallFunction(repair, "y#", (const char *)text.data, (Py_ssize_t)text.size);
        if (repaired != NULL && !PyBytes_Check(repaired)) {
            Py_CLEAR(repaired);
            PyErr_SetString(PyExc_TypeError, "a repaired string is bytes");
        }
        if (repaired == NULL || PyList_Append(list, repaired) < 0) Py_CLEAR(list);
        Py_XDECREF(repaired);
    }
    return list;
}

static utf8_made *strings_by(PyObject *repair, const utf8_column *column, const uint8_t *rows, const uint8_t *values) {
    const uint8_t *bits = column->index ? values : rows;
    PyObject *list = repair_each(repair, &column->strings, bits);
    if (list == NULL) return NULL;
    const Py_ssize_t count = PyList_Size(list);
    utf8_text *texts = PyMem_Calloc((size_t)count, sizeof *texts);
    for (Py_ssize_t i = 0; texts != NULL && i < count; i++) {
        PyObject *bytes = PyList_GetItem(list, i);
        texts[i] = (utf8_text){(const uint8_t *)PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes)};
    }
    utf8_made *made = texts == NULL ? NULL : utf8_made_strings(&column->strings, bits, texts);
    if (made != NULL && column->index) made = utf8_made_indices(column, made);
    PyMem_Free(texts);
    Py_DECREF(list);
    if (made == NULL) PyErr_NoMemory();
    return made;
}

static utf8_made *result_of(work *task, const utf8_column *column, const uint8_t *rows, const uint8_t *values) {
    utf8_made *made = NULL;
    if (task->what == STRINGS) return strings_by(task->repair, column, rows, values);
    Py_BEGIN_ALLOW_THREADS
    if (task->what == VERDICTS) made = utf8_made_verdicts(column, rows);
    if (task->what == ERRORS) made = utf8_made_errors(task->kernel, column, rows);
    if (task->what == SUMMARY) utf8_summarise(task->kernel, column, rows, &task->summary);
    Py_END_ALLOW_THREADS
    if (made == NULL && task->what != SUMMARY) PyErr_NoMemory();
    return made;
}

static void refuse(utf8_flaw flaw) {
    if (flaw.row < 0) {
        PyErr_Format(PyExc_ValueError, "the column cannot be read: %s", flaw.text);
    } else {
        PyErr_Format(PyExc_ValueError, "the column cannot be read, row %lld of a chunk: %s", (long long)flaw.row, flaw.text);
    }
}

/* The result of one part; NULL with an exception set, or for a summary. */
static utf8_made *treat(work *task, utf8_kind kind, const struct ArrowArray *array) {
    utf8_column column;
    utf8_made *made = NULL;
    utf8_flaw flaw = utf8_open_column(kind, array, &column);
    if (flaw.text != NULL) {
        refuse(flaw);
        return NULL;
    }
    const bool once = task->what == VERDICTS && !column.index; /* what leads to the strings is read once */
    uint8_t *owned = PyMem_Malloc(once ? 0 : utf8_own(&column, NULL)); /* of no bytes, this is not NULL */
    uint8_t *rows = PyMem_Calloc(utf8_bits_size(column.rows.count), 1);
    uint8_t *values = column.index ? PyMem_Calloc(utf8_bits_size(column.strings.rows.count), 1) : NULL;
    if (owned == NULL || rows == NULL || (column.index && values == NULL)) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS
        if (!once) utf8_own(&column, owned);
        flaw = utf8_judge_column(task->kernel->is_valid, &column, rows, values);
        Py_END_ALLOW_THREADS
        if (flaw.text != NULL) {
            refuse(flaw);
        } else {
            made = result_of(task, &column, rows, values);
        }
    }
    PyMem_Free(owned);
    PyMem_Free(rows);
    PyMem_Free(values);
    return made;
}

static int treat_part(work *task, source *from, made_column *out) {
    utf8_made *made = treat(task, from->kind, &from->array);
    if (PyErr_Occurred()) return -1;
    return made == NULL ? 0 : add_part(out, made);
}

/* The result of a part without rows: all parts have its type. */
static utf8_made *prototype_of(work *task, utf8_kind kind) {
    static const char no_rows[16];
    const void *buffers[] = {NULL, no_rows, no_rows};
    struct ArrowArray strings = {.n_buffers = kind.layout == UTF8_ALL_NULL ? 0 : 3, .buffers = buffers}, array = strings;
    if (kind.index) {
        array.n_buffers = 2;
        array.dictionary = &strings;
    }
    kind.in_table = false;
    return treat(task, kind, &array);
}

static int run(work *task, PyObject *column, made_column *out) {
    source from;
    memset(&from, 0, sizeof from);
    int status = open_source(column, &from);
    if (status == 0 && task->what != SUMMARY) {
        out->prototype = prototype_of(task, from.kind);
        if (out->prototype == NULL) status = -1;
    }
    if (status == 0 && !from.chunked) {
        status = treat_part(task, &from, out);
    } else if (status == 0) {
        int more;
        while ((more = next_part(&from)) > 0 && (status = treat_part(task, &from, out)) == 0) continue;
        if (more < 0) status = -1;
    }
    const bool chunked = from.chunked;
    close_source(&from);
    return status < 0 ? -1 : chunked;
}

/* ---- functions of the module ------------------------------------------------------------------------------------ */

typedef struct {
    PyObject *column, *chunked;
} types;

static PyObject *made_by(PyObject *module, work *task, PyObject *column) {
    const types *known = PyModule_GetState(module);
    made_column held = {.prototype = NULL};
    const int chunked = run(task, column, &held);
    PyTypeObject *type = (PyTypeObject *)(chunked > 0 ? known->chunked : known->column);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    made_column *result = chunked < 0 ? NULL : (made_column *)allocate(type, 0);
    if (result != NULL) {
        result->prototype = held.prototype;
        result->parts = held.parts;
        result->count = held.count;
        return (PyObject *)result;
    }
    for (size_t i = 0; i < held.count; i++) utf8_drop(held.parts[i]);
    PyMem_Free(held.parts);
    utf8_drop(held.prototype);
    return NULL;
}

static int read_arguments(PyObject *arguments, const char *format, work *task, PyObject **column) {
    unsigned long long address;
    if (!PyArg_ParseTuple(arguments, format, &address, column, &task->repair)) return -1;
    task->kernel = (const utf8_kernel *)(uintptr_t)address;
    return 0;
}

static PyObject *made_of(PyObject *module, PyObject *arguments, wanted what) {
    work task = {.what = what};
    PyObject *column;
    const char *format = what == STRINGS ? "KOO" : "KO";
    return read_arguments(arguments, format, &task, &column) < 0 ? NULL : made_by(module, &task, column);
}

static PyObject *is_valid(PyObject *module, PyObject *arguments) { return made_of(module, arguments, VERDICTS); }

static PyObject *first_error(PyObject *module, PyObject *arguments) { return made_of(module, arguments, ERRORS); }

static PyObject *replace(PyObject *module, PyObject *arguments) { return made_of(module, arguments, STRINGS); }

static PyObject *summary(PyObject *module, PyObject *arguments) {
    (void)module;
    work task = {.what = SUMMARY};
    PyObject *column;
    task.summary.first_ill_formed = -1;
    if (read_arguments(arguments, "KO", &task, &column) < 0 || run(&task, column, NULL) < 0) return NULL;
    const utf8_column_summary *found = &task.summary;
    const uint64_t *counts = found->counts;
    return Py_BuildValue("KKKL(KKKKKK)", found->rows, found->nulls, found->ill_formed, (long long)found->first_ill_formed,
                         counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
}

static PyMethodDef functions[] = {
    {"is_valid", is_valid, METH_VARARGS, "is_valid($module, kernel, column, /)\n--\n\nAs utf8_abnf.files.arrow.is_valid.\n"},
    {"first_error", first_error, METH_VARARGS, "first_error($module, kernel, column, /)\n--\n\nAs utf8_abnf.files.arrow.first_error.\n"},
    {"replace", replace, METH_VARARGS, "replace($module, kernel, column, repair, /)\n--\n\nReplace what is ill-formed by what *repair*, bytes in and bytes out, makes of it.\n"},
    {"summary", summary, METH_VARARGS, "summary($module, kernel, column, /)\n--\n\nReturn rows, nulls, ill-formed rows, the first of them or -1, and errors by code.\n"},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) {
    types *known = PyModule_GetState(module);
    known->column = PyType_FromModuleAndSpec(module, &column_spec, NULL);
    known->chunked = PyType_FromModuleAndSpec(module, &chunked_spec, NULL);
    if (known->column == NULL || known->chunked == NULL) return -1;
    if (PyModule_AddType(module, (PyTypeObject *)known->column) < 0) return -1;
    return PyModule_AddType(module, (PyTypeObject *)known->chunked);
}

static int visit(PyObject *module, visitproc visit, void *arg) {
    const types *known = PyModule_GetState(module);
    Py_VISIT(known->column);
    Py_VISIT(known->chunked);
    return 0;
}

static int clear(PyObject *module) {
    types *known = PyModule_GetState(module);
    Py_CLEAR(known->column);
    Py_CLEAR(known->chunked);
    return 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.files.arrow._arrow",
    .m_doc = "The C loops behind utf8_abnf.files.arrow.",
    .m_size = sizeof(types),
    .m_methods = functions,
    .m_traverse = visit,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__arrow(void) { return make_module(&definition, execute); }
