/* utf8_abnf.files.profiles._look: refused.c as Python sees it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "refused.h"
#include "stateless.h"

/* Below this many bytes the GIL is held: see module.c. */
enum { RELEASE_GIL_FROM = 512 * 1024 };

/* A sieve comes as the bytes of its members, in their order. */
enum { SIEVE_SIZE = sizeof(utf8_sieve) };

/* Return the sieve, with `places` 0 where `packed` is none. */
static utf8_sieve read_sieve(PyObject *packed) {
    const utf8_sieve none = {.places = 0};
    utf8_sieve sieve;
    if (!PyBytes_Check(packed) || PyBytes_Size(packed) != SIEVE_SIZE) return none;
    memcpy(&sieve, PyBytes_AsString(packed), sizeof sieve);
    if (sieve.places > UTF8_MAX_CHARACTER) return none;
    for (int k = 0; k < sieve.places; k++) {
        if (sieve.before[k] >= sieve.places) return none;
    }
    return sieve;
}

typedef size_t looker(const utf8_sieve *, const uint8_t *, size_t, size_t);

static PyObject *look(PyObject *const *arguments, Py_ssize_t count, looker *next) {
    if (count != 3) return PyErr_Format(PyExc_TypeError, "takes a sieve, data and an index, not %zd arguments", count);
    const Py_ssize_t from = PyNumber_AsSsize_t(arguments[2], PyExc_OverflowError);
    if (from == -1 && PyErr_Occurred()) return NULL;
    Py_buffer data;
    if (PyObject_GetBuffer(arguments[1], &data, PyBUF_SIMPLE) < 0) return NULL;
    PyObject *result = NULL;
    const utf8_sieve sieve = read_sieve(arguments[0]);
    if (sieve.places == 0) {
        PyErr_SetString(PyExc_ValueError, "not a sieve");
    } else if (from < 0 || from > data.len) {
        PyErr_SetString(PyExc_ValueError, "not within the data");
    } else {
        const size_t size = (size_t)data.len;
        size_t found;
        if (data.len - from < RELEASE_GIL_FROM) {
            found = next(&sieve, data.buf, (size_t)from, size);
        } else {
            Py_BEGIN_ALLOW_THREADS
            found = next(&sieve, data.buf, (size_t)from, size);
            Py_END_ALLOW_THREADS
        }
        result = PyLong_FromSsize_t(found < size ? (Py_ssize_t)found : -1);
    }
    PyBuffer_Release(&data);
    return result;
}

PyDoc_STRVAR(next_candidate_doc,
"next_candidate($module, sieve, data, start, /)\n--\n\n"
"Return the lowest index from *start* on where the last byte of a refused character may be; -1 for none.\n");

static PyObject *next_candidate(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    return look(arguments, count, utf8_next_candidate);
}

PyDoc_STRVAR(next_candidate_scalar_doc,
"next_candidate_scalar($module, sieve, data, start, /)\n--\n\n"
"Return the same, one byte at a time.\n");

static PyObject *next_candidate_scalar(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    return look(arguments, count, utf8_next_candidate_scalar);
}

static PyMethodDef functions[] = {
    {"next_candidate", (PyCFunction)(void (*)(void))next_candidate, METH_FASTCALL, next_candidate_doc},
    {"next_candidate_scalar", (PyCFunction)(void (*)(void))next_candidate_scalar, METH_FASTCALL, next_candidate_scalar_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.files.profiles._look",
    .m_doc = "The C loop behind utf8_abnf.files.profiles.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__look(void) { return make_stateless(&definition); }
