/* repair.c as Python sees it: the loops behind utf8_abnf.files.repairing. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "module_shared.h"
#include "repair.h"

/* A policy comes as 256 bytes of `known`, 256 of `size`, 256 times UTF8_MAX_NEW of `bytes`, then `take`, `pairs` and
 * `shortest`. */
enum { POLICY_SIZE = 512 + 256 * UTF8_MAX_NEW + 3 };

static int read_policy(const char *packed, Py_ssize_t size, utf8_policy *policy) {
    if (size != POLICY_SIZE) {
        PyErr_Format(PyExc_ValueError, "a policy has %d bytes, not %zd", POLICY_SIZE, size);
        return -1;
    }
    memcpy(policy->known, packed, 256);
    memcpy(policy->size, packed + 256, 256);
    memcpy(policy->bytes, packed + 512, sizeof policy->bytes);
    policy->take = (utf8_take)packed[size - 3];
    policy->pairs = (uint8_t)packed[size - 2];
    policy->shortest = (uint8_t)packed[size - 1];
    for (int byte = 0; byte < 256; byte++) {
        if (policy->size[byte] > UTF8_MAX_NEW) {
            PyErr_SetString(PyExc_ValueError, "a byte becomes too many");
            return -1;
        }
    }
    return 0;
}

/* Give `log`, a bytearray, room for `count` changes of `job`; return -1, with MemoryError set, when memory runs out. */
static int resize(PyObject *log, utf8_repair_job *job, size_t count) {
    if (PyByteArray_Resize(log, (Py_ssize_t)(count * sizeof *job->changes)) < 0) return -1;
    job->changes = (utf8_change *)(void *)PyByteArray_AsString(log);
    job->most = count;
    return 0;
}

/* Find the changes of `job` and write them into `log`; return -1, with MemoryError set, when memory runs out. */
static int find_changes(const utf8_policy *policy, const utf8_kernel *kernel, utf8_repair_job *job, PyObject *log) {
    for (bool done = false; !done;) {
        if (resize(log, job, 2 * job->most + UTF8_STRETCH_CHANGES) < 0) return -1;
        if (job->size < RELEASE_GIL_FROM) {
            done = utf8_find_changes(policy, kernel, job);
        } else {
            Py_BEGIN_ALLOW_THREADS
            done = utf8_find_changes(policy, kernel, job);
            Py_END_ALLOW_THREADS
        }
    }
    return resize(log, job, job->count);
}

/* Ask for large pages where fresh memory of `size` bytes will be written: one page fault in place of 512. 64 MiB are repaired
 * at 1.7 to 1.9 GB/s in place of 0.9, and copied at 1.2 (Zen 4, busy). What the system answers does not matter. */
static void prefer_large_pages(uint8_t *memory, size_t size) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 4096, FROM = 4 * 1024 * 1024 };
    if (size < FROM) return;
    const size_t skipped = PAGE - (uintptr_t)memory % PAGE; /* the first page has more than these bytes */
    (void)madvise(memory + skipped, size - skipped, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

/* What `job` makes of its input, as bytes. */
static PyObject *output(const utf8_policy *policy, const utf8_repair_job *job, PyObject *data) {
    if (job->count == 0 && job->used == job->size) return Py_NewRef(data); /* nothing was to be changed */
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)job->written);
    if (out == NULL) return NULL;
    uint8_t *bytes = (uint8_t *)PyBytes_AsString(out);
    prefer_large_pages(bytes, job->written);
    if (job->size < RELEASE_GIL_FROM) {
        utf8_repair(policy, job, bytes);
    } else {
        Py_BEGIN_ALLOW_THREADS
        utf8_repair(policy, job, bytes);
        Py_END_ALLOW_THREADS
    }
    return out;
}

PyDoc_STRVAR(repair_doc,
"repair($module, data, final, policy, /)\n--\n\n"
"Return the repaired bytes, how many bytes of *data* that took, and the changes, packed, in a bytearray.\n"
"Private.\n");

static PyObject *repair(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *data, *packed; /* bytes, which nobody can change meanwhile */
    int final;
    if (!PyArg_ParseTuple(arguments, "SpS", &data, &final, &packed)) return NULL;
    utf8_policy policy;
    if (read_policy(PyBytes_AsString(packed), PyBytes_Size(packed), &policy) < 0) return NULL;
    utf8_repair_job job = {.final = final != 0};
    job.data = (const uint8_t *)PyBytes_AsString(data);
    job.size = (size_t)PyBytes_Size(data);
    PyObject *log = PyByteArray_FromStringAndSize(NULL, 0);
    if (log != NULL && find_changes(&policy, compiled_kernel(), &job, log) == 0) {
        PyObject *out = output(&policy, &job, data);
        if (out != NULL) return Py_BuildValue("NnN", out, (Py_ssize_t)job.used, log);
    }
    Py_XDECREF(log);
    return NULL;
}

PyDoc_STRVAR(stretch_doc,
"stretch($module, data, start, limit, most, /)\n--\n\n"
"Return where the first stretch of data[start:limit] starts and ends; *limit* twice where there is none.\n"
"Private.\n");

static PyObject *stretch(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *object;
    Py_buffer data;
    Py_ssize_t start, limit, most;
    if (!PyArg_ParseTuple(arguments, "Onnn", &object, &start, &limit, &most)) return NULL;
    if (export_bytes(object, &data) < 0) return NULL;
    const utf8_kernel *kernel = compiled_kernel();
    PyObject *result = NULL;
    if (start < 0 || start > limit || limit > data.len || most < 0) {
        PyErr_SetString(PyExc_ValueError, "not within the data");
    } else {
        const uint8_t *bytes = data.buf;
        size_t from;
        if (limit - start < RELEASE_GIL_FROM) {
            from = utf8_next_fault(kernel, bytes, (size_t)start, (size_t)limit);
        } else {
            Py_BEGIN_ALLOW_THREADS
            from = utf8_next_fault(kernel, bytes, (size_t)start, (size_t)limit);
            Py_END_ALLOW_THREADS
        }
        const size_t length = utf8_stretch(bytes + from, (size_t)limit - from, (size_t)most);
        result = Py_BuildValue("nn", (Py_ssize_t)from, (Py_ssize_t)(from + length));
    }
    PyBuffer_Release(&data);
    return result;
}

PyMethodDef repair_functions[] = {
    {"repair", repair, METH_VARARGS, repair_doc},
    {"stretch", stretch, METH_VARARGS, stretch_doc},
    {NULL, NULL, 0, NULL},
};
