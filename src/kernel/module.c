/* utf8_abnf.validator._kernel: the kernels as Python sees them. Its parts are module_judging.c, module_errors.c,
 * module_kernels.c, module_stream.c, module_summary.c and module_repair.c; module_shared.c has what they share.
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

#include "module_made.h"
#include "module_shared.h"

static int execute(PyObject *module) {
    PyObject *bytes = PyBytes_FromStringAndSize("utf8", 4);
    if (bytes == NULL) return -1;
    payload = (size_t)(PyBytes_AsString(bytes) - (char *)bytes);
    Py_DECREF(bytes);
    if (kernel_in_use() == NULL) UTF8_STORE(in_use, utf8_kernel_best());
    PyMethodDef *const parts[] = {error_functions, kernel_functions, summary_functions, repair_functions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (PyModule_AddFunctions(module, parts[i]) < 0) return -1;
    }
    PyObject *type = PyType_FromModuleAndSpec(module, &validator_spec, NULL);
    if (type == NULL) return -1;
    const int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.validator._kernel",
    .m_doc = "The C kernels behind utf8_abnf.validator and utf8_abnf.kernel.",
    .m_size = 0, /* no state: see in_use */
    .m_methods = judging_functions,
};

PyMODINIT_FUNC PyInit__kernel(void) { return make_module(&definition, execute); }
