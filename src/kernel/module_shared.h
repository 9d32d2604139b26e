/* What the parts of utf8_abnf.validator._kernel share. Include it after Python.h. */
#ifndef UTF8_MODULE_SHARED_H
#define UTF8_MODULE_SHARED_H

#include "compiler.h"
#include "utf8_kernel.h"

/* Below this many bytes the GIL is held. Releasing and taking it costs some 40 ns when no thread waits for it, and a
 * switch of threads when one does; the kernels read 512 KiB in about 10 microseconds. */
enum { RELEASE_GIL_FROM = 512 * 1024 };

/* The dispatch pointer: the kernel that decides, in the whole process; NULL until the module is first imported. It is
 * not kept for each interpreter, because asking for a module's state takes as long as judging eight bytes. */
UTF8_OURS extern const utf8_kernel *in_use;

/* CPython's own decoder: it needs the GIL, so it is not called through these pointers. */
UTF8_OURS extern const utf8_kernel python;

/* The offset of the bytes within an exact bytes object. It is the same for all of them and is computed once, because
 * PyBytes_AsString is a call and a check of the type each time. */
UTF8_OURS extern size_t payload;

static inline const uint8_t *bytes_of(PyObject *bytes) { return (const uint8_t *)bytes + payload; }

static inline const utf8_kernel *kernel_in_use(void) { return (const utf8_kernel *)UTF8_LOAD(in_use); }

/* The same, but for the kernel "python" the scalar one. */
static inline const utf8_kernel *compiled_kernel(void) {
    const utf8_kernel *kernel = kernel_in_use();
    return kernel == &python ? &utf8_scalar : kernel;
}

/* `name` of a module of ours, imported when it is first needed. */
UTF8_OURS PyObject *import_from(const char *module_name, const char *name);

/* The offset of the first error, `size` where there is none, -1 with an exception set. */
UTF8_OURS Py_ssize_t find_error(const uint8_t *data, Py_ssize_t size);

/* Export `data` as contiguous bytes. TypeError for a str and other things that are not bytes-like; BufferError for a
 * view that is not contiguous. */
UTF8_OURS int export_bytes(PyObject *data, Py_buffer *view);

/* The function that describes what is wrong, and what it says of `offset`, where `window` bytes are left to look at. */
UTF8_OURS PyObject *import_describe(void);
UTF8_OURS PyObject *describe_by(PyObject *function, const uint8_t *data, size_t window, long long offset);
UTF8_OURS PyObject *describe(const uint8_t *data, size_t window, long long offset);

/* What the function `name` of _python.py, our stand-in, makes of these arguments: for the kernel "python". */
UTF8_OURS PyObject *by_python(const char *name, PyObject *arguments);

/* The functions of each part, and the type, which module.c puts into the module. */
UTF8_OURS extern PyMethodDef judging_functions[], error_functions[], kernel_functions[], summary_functions[],
    repair_functions[];
UTF8_OURS extern PyType_Spec validator_spec;

#endif
