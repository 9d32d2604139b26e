/* Column and ChunkedColumn: a result, which other libraries take by the Arrow PyCapsule interface. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arrow_column.h"

#include "arrow_capsules.h"

static void free_column(PyObject *object) {
    made_column *self = (made_column *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (size_t i = 0; i < self->count; i++) utf8_drop(self->parts[i]);
    PyMem_Free(self->parts);
    utf8_drop(self->prototype);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static Py_ssize_t column_length(PyObject *object) {
    const made_column *self = (const made_column *)object;
    int64_t length = 0;
    for (size_t i = 0; i < self->count; i++) length += self->parts[i]->length;
    return (Py_ssize_t)length;
}

PyDoc_STRVAR(schema_doc, "__arrow_c_schema__($self, /)\n--\n\nReturn the type as a capsule \"arrow_schema\".\n");

static PyObject *column_schema(PyObject *object, PyObject *unused) {
    (void)unused;
    struct ArrowSchema *schema;
    PyObject *capsule = new_schema(&schema);
    if (capsule != NULL && !utf8_export_schema(((made_column *)object)->prototype, schema)) {
        Py_CLEAR(capsule);
        PyErr_NoMemory();
    }
    return capsule;
}

/* The type that is asked for is passed over: the interface leaves it to us which type we give. */
static int no_other_arguments(PyObject *arguments, PyObject *keywords, const char *format) {
    static char *names[] = {"requested_schema", NULL};
    PyObject *requested = NULL;
    return PyArg_ParseTupleAndKeywords(arguments, keywords, format, names, &requested) ? 0 : -1;
}

PyDoc_STRVAR(array_doc,
"__arrow_c_array__($self, requested_schema=None)\n--\n\nReturn the type and the rows as two capsules.\n");

static PyObject *column_array(PyObject *object, PyObject *arguments, PyObject *keywords) {
    if (no_other_arguments(arguments, keywords, "|O:__arrow_c_array__") < 0) return NULL;
    PyObject *schema = column_schema(object, NULL);
    if (schema == NULL) return NULL;
    struct ArrowArray *array;
    PyObject *capsule = new_array(&array);
    if (capsule != NULL && !utf8_export_array(((made_column *)object)->parts[0], array)) {
        Py_CLEAR(capsule);
        PyErr_NoMemory();
    }
    if (capsule != NULL) return Py_BuildValue("NN", schema, capsule);
    Py_DECREF(schema);
    return NULL;
}

PyDoc_STRVAR(stream_doc,
"__arrow_c_stream__($self, requested_schema=None)\n--\n\nReturn the parts as a capsule \"arrow_array_stream\".\n");

static PyObject *column_stream(PyObject *object, PyObject *arguments, PyObject *keywords) {
    const made_column *self = (const made_column *)object;
    if (no_other_arguments(arguments, keywords, "|O:__arrow_c_stream__") < 0) return NULL;
    struct ArrowArrayStream *stream;
    PyObject *capsule = new_stream(&stream);
    if (capsule != NULL && !utf8_export_stream(self->prototype, self->parts, self->count, stream)) {
        Py_CLEAR(capsule);
        PyErr_NoMemory();
    }
    return capsule;
}

static PyMethodDef column_methods[] = {
    {"__arrow_c_schema__", column_schema, METH_NOARGS, schema_doc},
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))column_stream, METH_VARARGS | METH_KEYWORDS, stream_doc},
    {"__arrow_c_array__", (PyCFunction)(void (*)(void))column_array, METH_VARARGS | METH_KEYWORDS, array_doc},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef chunked_methods[] = {
    {"__arrow_c_schema__", column_schema, METH_NOARGS, schema_doc},
    {"__arrow_c_stream__", (PyCFunction)(void (*)(void))column_stream, METH_VARARGS | METH_KEYWORDS, stream_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(column_doc,
"A column that pyarrow.array, polars.Series and others take: it has the Arrow PyCapsule interface. len() counts rows.\n");
PyDoc_STRVAR(chunked_doc,
"A column in chunks, as pyarrow.chunked_array, polars.Series and others take it. len() counts rows.\n");

static PyType_Slot column_slots[] = {
    {Py_tp_doc, (void *)column_doc},
    {Py_tp_dealloc, (void *)free_column},
    {Py_tp_methods, column_methods},
    {Py_sq_length, (void *)column_length},
    {0, NULL},
};

static PyType_Slot chunked_slots[] = {
    {Py_tp_doc, (void *)chunked_doc},
    {Py_tp_dealloc, (void *)free_column},
    {Py_tp_methods, chunked_methods},
    {Py_sq_length, (void *)column_length},
    {0, NULL},
};

enum { TYPE_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION };

PyType_Spec column_spec = {"utf8_abnf.files.arrow.Column", sizeof(made_column), 0, TYPE_FLAGS, column_slots};
PyType_Spec chunked_spec = {"utf8_abnf.files.arrow.ChunkedColumn", sizeof(made_column), 0, TYPE_FLAGS, chunked_slots};

int add_part(made_column *self, utf8_made *part) {
    utf8_made **more = PyMem_Realloc(self->parts, (self->count + 1) * sizeof *more);
    if (more == NULL) {
        utf8_drop(part);
        PyErr_NoMemory();
        return -1;
    }
    self->parts = more;
    self->parts[self->count++] = part;
    return 0;
}
