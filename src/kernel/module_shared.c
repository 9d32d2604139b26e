/* What the parts of the module share: how a name of ours is imported, a buffer exported, an error found and described. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "module_shared.h"

const utf8_kernel *in_use = NULL;
const utf8_kernel python = {"python", NULL, NULL, NULL, 0, NULL};
size_t payload = 0;

static PyObject *attribute_of(PyObject *module, const char *name) {
    PyObject *found = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    Py_XDECREF(module);
    return found;
}

/* `name` of a module of ours, imported when it is first needed: a program whose bytes are all well-formed never loads
 * the modules for errors, and `import utf8_abnf` costs less than a millisecond. Later it is taken from sys.modules, which
 * saves 2 us; where another thread is still importing it, the name may be missing there, and the import waits for it. */
PyObject *import_from(const char *module_name, const char *name) {
    PyObject *full_name = PyUnicode_FromString(module_name);
    if (full_name == NULL) return NULL;
    PyObject *found = attribute_of(PyImport_GetModule(full_name), name);
    Py_DECREF(full_name);
    if (found != NULL) return found;
    PyErr_Clear();
    return attribute_of(PyImport_ImportModule(module_name), name);
}

/* CPython's own decoder, called through _python.py. */
static Py_ssize_t first_error_python(const uint8_t *data, Py_ssize_t size) {
    PyObject *error_start = import_from("utf8_abnf.validator._python", "error_start");
    if (error_start == NULL) return -1;
    PyObject *view = PyMemoryView_FromMemory(size ? (char *)(uintptr_t)data : "", size, PyBUF_READ);
    PyObject *answer = view == NULL ? NULL : PyObject_CallFunctionObjArgs(error_start, view, NULL);
    Py_DECREF(error_start);
    Py_XDECREF(view);
    if (answer == NULL) return -1;
    const Py_ssize_t found = PyLong_AsSsize_t(answer);
    Py_DECREF(answer);
    return found;
}

/* The offset of the first error, `size` where there is none, -1 with an exception set. */
Py_ssize_t find_error(const uint8_t *data, Py_ssize_t size) {
    const utf8_kernel *kernel = kernel_in_use();
    if (kernel == &python) return first_error_python(data, size);
    if (size < RELEASE_GIL_FROM) return (Py_ssize_t)kernel->first_error(data, (size_t)size);
    size_t found;
    Py_BEGIN_ALLOW_THREADS
    found = kernel->first_error(data, (size_t)size);
    Py_END_ALLOW_THREADS
    return (Py_ssize_t)found;
}

/* Export `data` as contiguous bytes. TypeError for a str and other things that are not bytes-like; BufferError for a
 * view that is not contiguous. The exporter is asked once. Others than CPython's own are asked for a view of any shape:
 * where a simple one is not possible, numpy raises ValueError, as a closed mmap does. That takes 13 ns longer. */
int export_bytes(PyObject *data, Py_buffer *view) {
    if (PyBytes_CheckExact(data) || PyByteArray_CheckExact(data) || PyMemoryView_Check(data)) {
        return PyObject_GetBuffer(data, view, PyBUF_SIMPLE);
    }
    if (PyObject_GetBuffer(data, view, PyBUF_INDIRECT) < 0) return -1;
    if (PyBuffer_IsContiguous(view, 'C')) return 0;
    PyBuffer_Release(view);
    PyErr_SetString(PyExc_BufferError, "the buffer is not contiguous: pass a contiguous copy of it");
    return -1;
}

/* The function that describes what is wrong: it is called with bytes and an offset. */
PyObject *import_describe(void) { return import_from("utf8_abnf.validator.ill_formed", "describe"); }

/* What is wrong at `offset`, where `window` bytes are left to look at. */
PyObject *describe_by(PyObject *function, const uint8_t *data, size_t window, long long offset) {
    return PyObject_CallFunction(function, "y#L", (const char *)data, (Py_ssize_t)(window < 4 ? window : 4), offset);
}

PyObject *describe(const uint8_t *data, size_t window, long long offset) {
    PyObject *function = import_describe();
    if (function == NULL) return NULL;
    PyObject *error = describe_by(function, data, window, offset);
    Py_DECREF(function);
    return error;
}

/* What the function `name` of _python.py, our stand-in, makes of these arguments: for the kernel "python". */
PyObject *by_python(const char *name, PyObject *arguments) {
    PyObject *function = import_from("utf8_abnf.validator._python", name);
    PyObject *result = function == NULL ? NULL : PyObject_CallObject(function, arguments);
    Py_XDECREF(function);
    return result;
}
