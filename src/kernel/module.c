/* utf8_abnf.validator._kernel: the kernels as Python sees them. The only file here that includes Python.h.
 *
 * The functions return verdicts; `ill_formed.describe`, in Python, describes an ill-formed sequence.
 * There is one kernel more than the C ones: "python", CPython's own decoder, behind the same functions. So `is_valid`
 * stays one object, whatever `kernel.use` chooses.
 *
 * Free-threaded builds: declared safe (Py_mod_gil). The kernels keep no state; the module keeps the dispatch pointer,
 * which is read and written atomically; an IncrementalValidator works under its critical section. Bytes that another
 * thread changes meanwhile may give a verdict for no single state of the buffer, as they do under the GIL, which long
 * inputs release: an exported buffer cannot move or shrink, so memory stays safe.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "compiler.h"
#include "faults.h"
#include "utf8_kernel.h"

/* Below this many bytes the GIL is held. Releasing and taking it costs some 40 ns when no thread waits for it, and a
 * switch of threads when one does; the kernels read 512 KiB in about 10 microseconds. */
enum { RELEASE_GIL_FROM = 512 * 1024 };

/* The dispatch pointer: the kernel that decides, in the whole process; NULL until the module is first imported. It is
 * not kept for each interpreter, because asking for a module's state takes as long as judging eight bytes. */
static const utf8_kernel *in_use = NULL;

/* CPython's own decoder: it needs the GIL, so it is not called through these pointers. */
static const utf8_kernel python = {"python", NULL, NULL, NULL, 0};

/* The offset of the bytes within an exact bytes object. It is the same for all of them and is computed once, because
 * PyBytes_AsString is a call and a check of the type each time. */
static size_t payload = 0;

static const uint8_t *bytes_of(PyObject *bytes) { return (const uint8_t *)bytes + payload; }

static const utf8_kernel *kernel_in_use(void) { return (const utf8_kernel *)UTF8_LOAD(in_use); }

static PyObject *attribute_of(PyObject *module, const char *name) {
    PyObject *found = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    Py_XDECREF(module);
    return found;
}

/* `name` of a module of ours, imported when it is first needed: a program whose bytes are all well-formed never loads
 * the modules for errors, and `import utf8_abnf` costs less than a millisecond. Later it is taken from sys.modules, which
 * saves 2 us; where another thread is still importing it, the name may be missing there, and the import waits for it. */
static PyObject *import_from(const char *module_name, const char *name) {
    PyObject *full_name = PyUnicode_FromString(module_name);
    if (full_name == NULL) return NULL;
    PyObject *found = attribute_of(PyImport_GetModule(full_name), name);
    Py_DECREF(full_name);
    if (found != NULL) return found;
    PyErr_Clear();
    return attribute_of(PyImport_ImportModule(module_name), name);
}

/* ---- the verdict ------------------------------------------------------------------------------------------------ */

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
static Py_ssize_t find_error(const uint8_t *data, Py_ssize_t size) {
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
 * view that is not contiguous, also from exporters that raise ValueError there (numpy does). */
static int export_bytes(PyObject *data, Py_buffer *view) {
    if (PyObject_GetBuffer(data, view, PyBUF_SIMPLE) == 0) return 0;
    if (!PyErr_ExceptionMatches(PyExc_ValueError)) return -1;
    PyErr_Clear();
    if (PyObject_GetBuffer(data, view, PyBUF_FULL_RO) < 0) return -1; /* a closed mmap, for example, raises ValueError */
    if (PyBuffer_IsContiguous(view, 'C')) return 0;
    PyBuffer_Release(view);
    PyErr_SetString(PyExc_BufferError, "the buffer is not contiguous: pass a contiguous copy of it");
    return -1;
}

/* The function that describes what is wrong: it is called with bytes and an offset. */
static PyObject *import_describe(void) { return import_from("utf8_abnf.validator.ill_formed", "describe"); }

/* What is wrong at `offset`, where `window` bytes are left to look at. */
static PyObject *describe_by(PyObject *function, const uint8_t *data, size_t window, long long offset) {
    return PyObject_CallFunction(function, "y#L", (const char *)data, (Py_ssize_t)(window < 4 ? window : 4), offset);
}

static PyObject *describe(const uint8_t *data, size_t window, long long offset) {
    PyObject *function = import_describe();
    if (function == NULL) return NULL;
    PyObject *error = describe_by(function, data, window, offset);
    Py_DECREF(function);
    return error;
}

/* What the function `name` of _python.py, our stand-in, makes of these arguments: for the kernel "python". */
static PyObject *by_python(const char *name, PyObject *arguments) {
    PyObject *function = import_from("utf8_abnf.validator._python", name);
    PyObject *result = function == NULL ? NULL : PyObject_CallObject(function, arguments);
    Py_XDECREF(function);
    return result;
}

/* ---- functions of the module ------------------------------------------------------------------------------------ */

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

PyDoc_STRVAR(errors_from_doc,
"errors_from($module, data, start, most, /)\n--\n\n"
"Return the first ill-formed sequences of *data* at or after the offset *start*, *most* of them at most, as a list.\n\n"
"Private: *start* must be where a sequence begins.\n");

enum { MAX_ERRORS = 256 }; /* in one call of errors_from */

/* Write the offsets of the next faults from `at` on into `starts`; return how many there are, `most` at most. */
static Py_ssize_t find_faults(utf8_finder *finder, const uint8_t *data, size_t at, size_t size, size_t *starts,
                              Py_ssize_t most) {
    Py_ssize_t count = 0;
    while (count < most && (at = utf8_next_fault(finder, data, at, size)) < size) {
        starts[count++] = at;
        at += utf8_subpart(data + at, size - at);
    }
    return count;
}

static PyObject *list_errors(utf8_finder *finder, const uint8_t *data, Py_ssize_t size, Py_ssize_t start,
                             Py_ssize_t most) {
    size_t starts[MAX_ERRORS];
    Py_ssize_t count;
    if (most > MAX_ERRORS) most = MAX_ERRORS;
    if (size - start < RELEASE_GIL_FROM) {
        count = find_faults(finder, data, (size_t)start, (size_t)size, starts, most);
    } else {
        Py_BEGIN_ALLOW_THREADS
        count = find_faults(finder, data, (size_t)start, (size_t)size, starts, most);
        Py_END_ALLOW_THREADS
    }
    PyObject *list = PyList_New(0);
    if (list == NULL || count == 0) return list;
    PyObject *function = import_describe();
    if (function == NULL) Py_CLEAR(list);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        const size_t at = starts[i];
        PyObject *error = describe_by(function, data + at, (size_t)size - at, (long long)at);
        if (error == NULL || PyList_Append(list, error) < 0) Py_CLEAR(list);
        Py_XDECREF(error);
    }
    Py_XDECREF(function);
    return list;
}

static PyObject *errors_from(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *data;
    Py_ssize_t start, most;
    const utf8_kernel *kernel = kernel_in_use(); /* asked once: to export a buffer may run Python, which may choose another */
    if (kernel == &python) return by_python("errors_from", arguments);
    if (!PyArg_ParseTuple(arguments, "Onn", &data, &start, &most)) return NULL;
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    PyObject *result = NULL;
    if (start < 0 || most < 0) {
        PyErr_SetString(PyExc_ValueError, "start and most must not be negative");
    } else {
        result = list_errors(kernel->first_error, view.buf, view.len, start < view.len ? start : view.len, most);
    }
    PyBuffer_Release(&view);
    return result;
}

PyDoc_STRVAR(count_by_code_doc,
"count_by_code($module, data, /)\n--\n\n"
"Return how many ill-formed sequences *data* has of each code, in the order of ill_formed.CODES. Private.\n");

static PyObject *count_by_code(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *data;
    const utf8_kernel *kernel = kernel_in_use(); /* once, as above */
    if (kernel == &python) return by_python("count_by_code", arguments);
    if (!PyArg_ParseTuple(arguments, "O", &data)) return NULL;
    Py_buffer view;
    if (export_bytes(data, &view) < 0) return NULL;
    uint64_t counts[UTF8_CODES] = {0};
    if (view.len < RELEASE_GIL_FROM) {
        utf8_count_errors(kernel->first_error, view.buf, (size_t)view.len, counts);
    } else {
        Py_BEGIN_ALLOW_THREADS
        utf8_count_errors(kernel->first_error, view.buf, (size_t)view.len, counts);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&view);
    return Py_BuildValue("(KKKKKK)", counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
}

PyDoc_STRVAR(are_valid_doc,
"are_valid($module, strings, /)\n--\n\n"
"Return a list that says of each of *strings* whether it is well-formed UTF-8, as is_valid does one by one.\n\n"
"*strings* is a list, a tuple or anything else that can be iterated, of bytes-like objects. It raises what is_valid\n"
"raises. For the columns of a table see utf8_abnf.arrow.\n\n"
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
"first_error, lanes, width) for each kernel that runs here, and \"sequence\" and \"unfinished\" of the scalar part.\n");

static PyObject *entry_points(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *result = Py_BuildValue("{s:(K),s:(K)}", "sequence", (unsigned long long)(uintptr_t)utf8_sequence,
                                     "unfinished", (unsigned long long)(uintptr_t)utf8_unfinished);
    for (size_t i = 0; result != NULL && i < utf8_kernel_count; i++) {
        const utf8_kernel *kernel = utf8_kernels[i];
        if (!utf8_kernel_runs(kernel)) continue;
        PyObject *row = Py_BuildValue("(KKKn)", (unsigned long long)(uintptr_t)kernel->is_valid,
                                      (unsigned long long)(uintptr_t)kernel->first_error,
                                      (unsigned long long)(uintptr_t)kernel->lanes, (Py_ssize_t)kernel->width);
        if (row == NULL || PyDict_SetItemString(result, kernel->name, row) < 0) Py_CLEAR(result);
        Py_XDECREF(row);
    }
    return result;
}

/* ---- IncrementalValidator --------------------------------------------------------------------------------------- */

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
#define LOCKED_BEGIN(object) Py_BEGIN_CRITICAL_SECTION(object)
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
        if ((size_t)found < whole || (tail > 0 && utf8_sequence(data + at + whole, tail) == UTF8_ILL_FORMED)) {
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
"ValueError after finish(): reset() begins another stream. One thread at a time.\n");

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

static PyObject *getstate(PyObject *object, PyObject *unused) {
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

static PyObject *setstate(PyObject *object, PyObject *state) {
    PyObject *result;
    LOCKED_BEGIN(object)
    result = setstate_locked((validator *)object, state);
    LOCKED_END()
    return result;
}

PyDoc_STRVAR(reduce_doc, "__reduce__($self, /)\n--\n\nHow pickle and copy take a validator apart.\n");

static PyObject *reduce(PyObject *object, PyObject *unused) {
    PyObject *state = getstate(object, unused);
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
    {"getstate", getstate, METH_NOARGS, getstate_doc},
    {"setstate", setstate, METH_O, setstate_doc},
    {"__setstate__", setstate, METH_O, setstate_doc},
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

static PyType_Spec validator_spec = {
    .name = "utf8_abnf.IncrementalValidator",
    .basicsize = sizeof(validator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = validator_slots,
};

/* ---- the module ------------------------------------------------------------------------------------------------- */

static int execute(PyObject *module) {
    PyObject *bytes = PyBytes_FromStringAndSize("utf8", 4);
    if (bytes == NULL) return -1;
    payload = (size_t)(PyBytes_AsString(bytes) - (char *)bytes);
    Py_DECREF(bytes);
    if (kernel_in_use() == NULL) UTF8_STORE(in_use, utf8_kernel_best());
    PyObject *type = PyType_FromModuleAndSpec(module, &validator_spec, NULL);
    if (type == NULL) return -1;
    const int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}

static PyMethodDef functions[] = {
    {"is_valid", is_valid, METH_O, is_valid_doc},
    {"first_error", first_error, METH_O, first_error_doc},
    {"are_valid", are_valid, METH_O, are_valid_doc},
    {"errors_from", errors_from, METH_VARARGS, errors_from_doc},
    {"count_by_code", count_by_code, METH_VARARGS, count_by_code_doc},
    {"available", available, METH_NOARGS, available_doc},
    {"active", active, METH_NOARGS, active_doc},
    {"use", use, METH_O, use_doc},
    {"entry_points", entry_points, METH_NOARGS, entry_points_doc},
    {NULL, NULL, 0, NULL},
};

/* Room for all slots. Which of them this Python knows is asked at import: one abi3 build serves every Python from 3.11
 * on, and 3.11 refuses a module with a slot that it does not know. */
static PyModuleDef_Slot slots[4] = {{Py_mod_exec, (void *)execute}}; /* the zeros after it end the list */

enum { SLOT_MULTIPLE_INTERPRETERS = 3, SLOT_GIL = 4 }; /* Py_mod_multiple_interpreters (3.12), Py_mod_gil (3.13) */
#define PER_INTERPRETER_GIL_SUPPORTED ((void *)2) /* interpreters share only the dispatch pointer */
#define GIL_NOT_USED ((void *)1)                  /* the top of this file says why that is safe */

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.validator._kernel",
    .m_doc = "The C kernels behind utf8_abnf.validator and utf8_abnf.kernel.",
    .m_size = 0, /* no state: see in_use */
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernel(void) {
    if (Py_Version >= 0x030C0000) slots[1] = (PyModuleDef_Slot){SLOT_MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL_SUPPORTED};
    if (Py_Version >= 0x030D0000) slots[2] = (PyModuleDef_Slot){SLOT_GIL, GIL_NOT_USED};
    return PyModuleDef_Init(&definition);
}
