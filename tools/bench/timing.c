/* The stopwatch: a scratch extension that times C functions from C, and binds them to Python as tightly as CPython allows.
 *
 * A peer that is a C library is measured in two ways. `timed` calls it in a loop of C, so that no call cost of Python is
 * in the figure. `bind` gives it the cheapest binding there is (METH_O, exact bytes), so that a short call can be
 * compared with ours as a Python program would feel it. Times are CPU time of the thread, in nanoseconds.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef bool (*plain_function)(const char *, size_t);
typedef bool (*method_function)(const void *, const char *, size_t); /* a C++ method that leaves `this` alone */

static int64_t
cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* timed(address, shape, data, repeats) -> (ns for all repeats, number of calls that said yes) */
static PyObject *
timed(PyObject *module, PyObject *args)
{
    unsigned long long address;
    const char *shape;
    Py_buffer data;
    Py_ssize_t repeats;
    (void)module;
    if (!PyArg_ParseTuple(args, "Ksy*n", &address, &shape, &data, &repeats))
        return NULL;
    const char *bytes = data.buf;
    size_t size = (size_t)data.len;
    Py_ssize_t yes = 0;
    int64_t start = cpu_now();
    if (shape[0] == 'm') {
        method_function function = (method_function)(uintptr_t)address;
        for (Py_ssize_t i = 0; i < repeats; i++)
            yes += function(NULL, bytes, size);
    } else {
        plain_function function = (plain_function)(uintptr_t)address;
        for (Py_ssize_t i = 0; i < repeats; i++)
            yes += function(bytes, size);
    }
    int64_t spent = cpu_now() - start;
    PyBuffer_Release(&data);
    return Py_BuildValue("Ln", (long long)spent, yes);
}

/* timed_slices(address, shape, data, offsets, size, repeats) -> (ns for all calls, number of calls that said yes): each
 * repeat calls the function for the `size` bytes from each of the offsets, which are unsigned 64-bit numbers. */
static PyObject *
timed_slices(PyObject *module, PyObject *args)
{
    unsigned long long address;
    const char *shape;
    Py_buffer data, offsets;
    Py_ssize_t size, repeats;
    (void)module;
    if (!PyArg_ParseTuple(args, "Ksy*y*nn", &address, &shape, &data, &offsets, &size, &repeats))
        return NULL;
    const char *bytes = data.buf;
    const uint64_t *from = offsets.buf;
    const Py_ssize_t count = offsets.len / (Py_ssize_t)sizeof *from;
    Py_ssize_t yes = 0;
    int64_t start = cpu_now();
    for (Py_ssize_t i = 0; i < repeats; i++) {
        for (Py_ssize_t j = 0; j < count; j++) {
            if (shape[0] == 'm')
                yes += ((method_function)(uintptr_t)address)(NULL, bytes + from[j], (size_t)size);
            else
                yes += ((plain_function)(uintptr_t)address)(bytes + from[j], (size_t)size);
        }
    }
    int64_t spent = cpu_now() - start;
    PyBuffer_Release(&offsets);
    PyBuffer_Release(&data);
    return Py_BuildValue("Ln", (long long)spent, yes);
}

/* read_speed(data, repeats) -> ns: what it costs to load every byte once and do next to nothing with it */
static PyObject *
read_speed(PyObject *module, PyObject *args)
{
    typedef uint64_t wide __attribute__((vector_size(32)));
    Py_buffer data;
    Py_ssize_t repeats;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*n", &data, &repeats))
        return NULL;
    const char *bytes = data.buf;
    wide sum[4] = {{0}};
    int64_t start = cpu_now();
    for (Py_ssize_t i = 0; i < repeats; i++) {
        for (Py_ssize_t at = 0; at + 128 <= data.len; at += 128) {
            wide part[4];
            __builtin_memcpy(part, bytes + at, 128);
            for (int j = 0; j < 4; j++)
                sum[j] |= part[j];
        }
        __asm__ volatile("" : "+m"(sum) : : "memory"); /* every round reads again */
    }
    int64_t spent = cpu_now() - start;
    PyBuffer_Release(&data);
    return Py_BuildValue("L", (long long)spent);
}

static PyObject *
call_plain(PyObject *self, PyObject *data)
{
    plain_function function = (plain_function)PyCapsule_GetPointer(self, "plain");
    if (!PyBytes_CheckExact(data))
        return PyErr_Format(PyExc_TypeError, "bytes expected");
    return PyBool_FromLong(function(PyBytes_AS_STRING(data), (size_t)PyBytes_GET_SIZE(data)));
}

static PyObject *
call_method(PyObject *self, PyObject *data)
{
    method_function function = (method_function)PyCapsule_GetPointer(self, "method");
    if (!PyBytes_CheckExact(data))
        return PyErr_Format(PyExc_TypeError, "bytes expected");
    return PyBool_FromLong(function(NULL, PyBytes_AS_STRING(data), (size_t)PyBytes_GET_SIZE(data)));
}

static PyMethodDef plain_definition = {"plain", call_plain, METH_O, NULL};
static PyMethodDef method_definition = {"method", call_method, METH_O, NULL};

/* bind(address, shape) -> a Python function of bytes */
static PyObject *
bind(PyObject *module, PyObject *args)
{
    unsigned long long address;
    const char *shape;
    (void)module;
    if (!PyArg_ParseTuple(args, "Ks", &address, &shape))
        return NULL;
    int method = shape[0] == 'm';
    PyObject *self = PyCapsule_New((void *)(uintptr_t)address, method ? "method" : "plain", NULL);
    if (self == NULL)
        return NULL;
    PyObject *function = PyCFunction_New(method ? &method_definition : &plain_definition, self);
    Py_DECREF(self);
    return function;
}

/* empty(data) -> True: the cost of a call that does nothing */
static PyObject *
empty(PyObject *module, PyObject *data)
{
    (void)module;
    (void)data;
    Py_RETURN_TRUE;
}

static PyMethodDef methods[] = {
    {"timed", timed, METH_VARARGS, NULL},
    {"timed_slices", timed_slices, METH_VARARGS, NULL},
    {"read_speed", read_speed, METH_VARARGS, NULL},
    {"bind", bind, METH_VARARGS, NULL},
    {"empty", empty, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "timing", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit_timing(void)
{
    return PyModule_Create(&definition);
}
