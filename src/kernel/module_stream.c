/* IncrementalValidator: a stream, chunk by chunk. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "module_shared.h"

typedef struct {
    PyObject_HEAD
    long long offset;   /* bytes of the stream read so far: all that was fed, or up to the byte that cannot be right */
    PyObject *error;    /* an IllFormed once there is one, and from then on; else NULL */
    uint8_t pending[4]; /* the first bytes of a character that the next chunk may complete; of the error, once there is one */
    uint8_t held;       /* how many; 0 once there is an error */
    uint8_t window;     /* how many of the error: what `describe` was told of it */
    bool finished;
    bool busy;          /* a feed that has released the GIL is running */
} validator;

#ifdef Py_GIL_DISABLED
#define LOCKED_BEGIN(object) Py_BEGIN_CRITICAL_SECTION(object); /* which ends without one */
#define LOCKED_END() Py_END_CRITICAL_SECTION()
#else
#define LOCKED_BEGIN(object) {
#define LOCKED_END() }
#endif

/* The stream is ill-formed where `window` begins, `offset` bytes from its start. */
static int fail(validator *self, const uint8_t *window, size_t size, long long offset) {
    if (size > sizeof self->pending) size = sizeof self->pending;
    PyObject *error = describe(window, size, offset);
    if (error == NULL) return -1;
    if (error == Py_None) {
        Py_DECREF(error);
        PyErr_SetString(PyExc_ValueError, "the chunk was changed while it was read");
        return -1;
    }
    PyObject *offending = PyObject_GetAttrString(error, "offending");
    self->offset = offending ? PyLong_AsLongLong(offending) : -1;
    Py_XDECREF(offending);
    if (self->offset < 0) {
        Py_DECREF(error);
        return -1;
    }
    memmove(self->pending, window, size);
    self->window = (uint8_t)size;
    self->error = error;
    self->held = 0;
    return 0;
}

static int read_chunk(validator *self, const uint8_t *data, size_t size) {
    size_t at = 0;
    while (self->held > 0 && at < size) {
        self->pending[self->held++] = data[at++];
        const int length = utf8_sequence(self->pending, self->held);
        const long long start = self->offset + (long long)at - self->held;
        if (length == UTF8_ILL_FORMED) return fail(self, self->pending, self->held, start);
        if (length > 0) self->held = 0;
    }
    const size_t rest = size - at;
    if (rest > 0) {
        const size_t tail = utf8_unfinished(data + at, rest);
        const size_t whole = rest - tail;
        const Py_ssize_t found = find_error(data + at, (Py_ssize_t)whole);
        if (found < 0) return -1;
        /* A sequence that starts in the last three bytes is held back, unless it is already wrong. */
        if ((size_t)found < whole || utf8_sequence(data + at + whole, tail) == UTF8_ILL_FORMED) {
            const size_t start = at + (size_t)found;
            return fail(self, data + start, size - start, self->offset + (long long)start);
        }
        memcpy(self->pending, data + size - tail, tail);
        self->held = (uint8_t)tail;
    }
    self->offset += (long long)size;
    return 0;
}

static void forget(validator *self) {
    self->offset = 0;
    self->held = 0;
    self->finished = false;
    Py_CLEAR(self->error);
}

static PyObject *outcome(validator *self) { return Py_NewRef(self->error == NULL ? Py_None : self->error); }

PyDoc_STRVAR(feed_doc,
"feed($self, chunk, /)\n--\n\n"
"Read *chunk* (anything bytes-like) and return the stream's first IllFormed, or None while all may still be right.\n\n"
"An error is reported as soon as its first wrong byte has come; later calls return it again and read nothing.\n"
"ValueError after finish(): reset() begins another stream. It may also be raised where another thread changes *chunk*\n"
"meanwhile. One thread at a time.\n");

static bool refuse_if_busy(const validator *self) {
    if (self->busy) PyErr_SetString(PyExc_ValueError, "this validator is being fed by another thread");
    return self->busy;
}

static PyObject *feed_locked(validator *self, PyObject *chunk) {
    if (refuse_if_busy(self)) return NULL;
    if (self->finished) {
        PyErr_SetString(PyExc_ValueError, "finish() has ended this stream: reset() begins another");
        return NULL;
    }
    if (self->error != NULL) return outcome(self);
    int status;
    self->busy = true;
    if (PyBytes_CheckExact(chunk)) {
        status = read_chunk(self, bytes_of(chunk), (size_t)Py_SIZE(chunk));
    } else {
        Py_buffer view;
        status = export_bytes(chunk, &view);
        if (status == 0) {
            status = read_chunk(self, view.buf, (size_t)view.len);
            PyBuffer_Release(&view);
        }
    }
    self->busy = false;
    return status < 0 ? NULL : outcome(self);
}

static PyObject *feed(PyObject *object, PyObject *chunk) {
    PyObject *result;
    LOCKED_BEGIN(object)
    result = feed_locked((validator *)object, chunk);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(finish_doc,
"finish($self, /)\n--\n\n"
"End the stream and return its first IllFormed, or None when all of it was well-formed.\n\n"
"A character that the end cuts is ill-formed now, with code UTF8-TRUNCATED. Calling finish() again gives the same.\n");

static PyObject *finish_locked(validator *self) {
    if (refuse_if_busy(self)) return NULL;
    if (self->held > 0 && fail(self, self->pending, self->held, self->offset - self->held) < 0) return NULL;
    self->finished = true;
    return outcome(self);
}

static PyObject *finish(PyObject *object, PyObject *unused) {
    (void)unused;
    PyObject *result;
    LOCKED_BEGIN(object)
    result = finish_locked((validator *)object);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(reset_doc, "reset($self, /)\n--\n\nForget everything: the next chunk begins a stream at offset 0.\n");

static PyObject *reset_locked(validator *self) {
    if (refuse_if_busy(self)) return NULL;
    forget(self);
    Py_RETURN_NONE;
}

static PyObject *reset(PyObject *object, PyObject *unused) {
    (void)unused;
    PyObject *result;
    LOCKED_BEGIN(object)
    result = reset_locked((validator *)object);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(getstate_doc,
"getstate($self, /)\n--\n\n"
"Return the state, a pair of bytes and an int as the decoders of codecs have it: setstate() goes on from there.\n\n"
"The bytes are those pending, or the first of the error. The int is the offset of the first of them times 4, plus 2\n"
"after an error, plus 1 after finish(). A validator can also be pickled and copied.\n");

enum { STATE_FINISHED = 1, STATE_FAILED = 2, STATE_OFFSET_SHIFT = 2 };

static PyObject *getstate_locked(const validator *self) {
    if (refuse_if_busy(self)) return NULL;
    const uint8_t size = self->error == NULL ? self->held : self->window;
    long long start = self->offset - self->held;
    if (self->error != NULL) {
        PyObject *error_start = PyObject_GetAttrString(self->error, "start");
        if (error_start == NULL) return NULL;
        start = PyLong_AsLongLong(error_start);
        Py_DECREF(error_start);
    }
    const long long flags = (self->finished ? STATE_FINISHED : 0) | (self->error != NULL ? STATE_FAILED : 0);
    return Py_BuildValue("y#L", (const char *)self->pending, (Py_ssize_t)size, (start << STATE_OFFSET_SHIFT) | flags);
}

static PyObject *get_state(PyObject *object, PyObject *unused) {
    (void)unused;
    PyObject *result;
    LOCKED_BEGIN(object)
    result = getstate_locked((const validator *)object);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(setstate_doc,
"setstate($self, state, /)\n--\n\n"
"Go on from *state*, which getstate() has returned; ValueError for a state that no stream can be in.\n");

static PyObject *setstate_locked(validator *self, PyObject *state) {
    const char *bytes;
    Py_ssize_t size;
    long long number;
    if (refuse_if_busy(self)) return NULL;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "a state is a tuple of bytes and an int");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "y#L:setstate", &bytes, &size, &number)) return NULL;
    const uint8_t *const window = (const uint8_t *)bytes;
    const bool failed = (number & STATE_FAILED) != 0, finished = (number & STATE_FINISHED) != 0;
    const long long start = number >> STATE_OFFSET_SHIFT;
    bool possible = start >= 0 && size <= (failed ? 4 : 3);
    if (possible && failed) {
        possible = size > 0 && utf8_sequence(window, (size_t)size) <= 0 &&
                   (finished || utf8_sequence(window, (size_t)size) == UTF8_ILL_FORMED);
    } else if (possible) {
        possible = size == 0 || (!finished && utf8_sequence(window, (size_t)size) == UTF8_UNFINISHED);
    }
    if (!possible) {
        PyErr_SetString(PyExc_ValueError, "no stream can be in this state");
        return NULL;
    }
    forget(self);
    if (failed) {
        if (fail(self, window, (size_t)size, start) < 0) return NULL;
    } else {
        memcpy(self->pending, window, (size_t)size);
        self->held = (uint8_t)size;
        self->offset = start + size;
    }
    self->finished = finished;
    Py_RETURN_NONE;
}

static PyObject *set_state(PyObject *object, PyObject *state) {
    PyObject *result;
    LOCKED_BEGIN(object)
    result = setstate_locked((validator *)object, state);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(reduce_doc, "__reduce__($self, /)\n--\n\nHow pickle and copy take a validator apart.\n");

static PyObject *reduce(PyObject *object, PyObject *unused) {
    PyObject *state = get_state(object, unused);
    return state == NULL ? NULL : Py_BuildValue("O()N", (PyObject *)Py_TYPE(object), state);
}

static PyObject *get_offset(PyObject *object, void *unused) {
    (void)unused;
    return PyLong_FromLongLong(((validator *)object)->offset);
}

static PyObject *get_pending(PyObject *object, void *unused) {
    (void)unused;
    const validator *self = (const validator *)object;
    return PyBytes_FromStringAndSize((const char *)self->pending, self->held);
}

static PyObject *new_validator(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    if (PyTuple_Size(arguments) > 0 || (keywords != NULL && PyDict_Size(keywords) > 0)) {
        PyErr_SetString(PyExc_TypeError, "IncrementalValidator() takes no arguments");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0); /* zeroed: at offset 0, nothing pending, no error */
}

static void free_validator(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(((validator *)object)->error);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyDoc_STRVAR(validator_doc,
"IncrementalValidator()\n--\n\n"
"Validates a stream chunk by chunk, however it is cut; offsets count from the start of the stream.\n\n"
">>> validator = IncrementalValidator()\n"
">>> validator.feed(b'caf\\xc3'), validator.pending, validator.offset\n"
"(None, b'\\xc3', 4)\n"
">>> validator.feed(b'(').start\n"
"3\n");

static PyMethodDef validator_methods[] = {
    {"feed", feed, METH_O, feed_doc},
    {"finish", finish, METH_NOARGS, finish_doc},
    {"reset", reset, METH_NOARGS, reset_doc},
    {"getstate", get_state, METH_NOARGS, getstate_doc},
    {"setstate", set_state, METH_O, setstate_doc},
    {"__setstate__", set_state, METH_O, setstate_doc},
    {"__reduce__", reduce, METH_NOARGS, reduce_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef validator_attributes[] = {
    {"offset", get_offset, NULL,
     "How many bytes of the stream have been read; after an error, the offset of the first byte that cannot be right.",
     NULL},
    {"pending", get_pending, NULL, "The bytes (0 to 3) of a character that the next chunk may complete.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot validator_slots[] = {
    {Py_tp_doc, (void *)validator_doc},
    {Py_tp_new, (void *)new_validator},
    {Py_tp_dealloc, (void *)free_validator},
    {Py_tp_methods, validator_methods},
    {Py_tp_getset, validator_attributes},
    {0, NULL},
};

PyType_Spec validator_spec = {
    .name = "utf8_abnf.IncrementalValidator",
    .basicsize = sizeof(validator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = validator_slots,
};
