/* Where the rows come from: a column of another library, by the Arrow PyCapsule interface. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arrow_source.h"

#include <errno.h>

#include "arrow_capsules.h"

void close_source(source *from) {
    PyObject *type, *exception, *traceback; /* a library that runs Python to release must not find an exception */
    PyErr_Fetch(&type, &exception, &traceback);
    release_array(&from->array);
    release_stream(&from->stream);
    release_schema(&from->schema);
    PyErr_Restore(type, exception, traceback);
}

/* An error of the library that the stream is from. */
static int stream_failed(source *from, int error) {
    const char *text = from->stream.get_last_error(&from->stream);
    if (!PyErr_Occurred() && error == ENOMEM) PyErr_NoMemory();
    if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_OSError, "the column cannot be read: %s (error %d)", text ? text : "no reason is given", error);
    }
    return -1;
}

static int open_array(PyObject *pair, source *from) {
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ has to return two capsules");
        return -1;
    }
    if (take_schema(PyTuple_GetItem(pair, 0), &from->schema) < 0) return -1;
    return take_array(PyTuple_GetItem(pair, 1), &from->array);
}

static int open_stream(PyObject *capsule, source *from) {
    if (take_stream(capsule, &from->stream) < 0) return -1;
    from->chunked = true;
    int error;
    Py_BEGIN_ALLOW_THREADS /* the library's threads may need the GIL */
    error = from->stream.get_schema(&from->stream, &from->schema);
    Py_END_ALLOW_THREADS
    return error == 0 ? 0 : stream_failed(from, error);
}

/* An attribute; NULL where there is none, or, with an exception set, where it cannot be had. */
static PyObject *attribute_of(PyObject *column, const char *name) {
    PyObject *attribute = PyObject_GetAttrString(column, name);
    if (attribute == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    return attribute;
}

int open_source(PyObject *column, source *from) {
    int status = -1;
    PyObject *array = attribute_of(column, "__arrow_c_array__");
    PyObject *stream = array != NULL || PyErr_Occurred() ? NULL : attribute_of(column, "__arrow_c_stream__");
    if (PyErr_Occurred()) return -1;
    if (array == NULL && stream == NULL) {
        PyErr_SetString(PyExc_TypeError, "a column has __arrow_c_array__ or __arrow_c_stream__ (Arrow's PyCapsule interface)");
        return -1;
    }
    PyObject *answer = PyObject_CallObject(array != NULL ? array : stream, NULL);
    if (answer != NULL) status = array != NULL ? open_array(answer, from) : open_stream(answer, from);
    Py_XDECREF(answer);
    Py_XDECREF(array);
    Py_XDECREF(stream);
    if (status < 0) return -1;
    from->kind = utf8_kind_of(&from->schema);
    if (from->kind.layout != UTF8_NO_TEXT) return 0;
    PyErr_Format(PyExc_TypeError,
                 "a column of Arrow's type %s is not read: rows have to be strings or bytes, in one piece, as views or in a "
                 "dictionary; of a table, choose a column",
                 from->schema.format ? from->schema.format : "(none)");
    return -1;
}

int next_part(source *from) {
    int error;
    release_array(&from->array);
    Py_BEGIN_ALLOW_THREADS
    error = from->stream.get_next(&from->stream, &from->array);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        from->array.release = NULL;
        return stream_failed(from, error);
    }
    return from->array.release != NULL;
}
