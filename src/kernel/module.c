/* utf8_abnf.validator._kernel: the kernels as Python sees them. Its parts are module_judging.c, module_errors.c,
 * module_kernels.c and module_stream.c; module_shared.c has what they share.
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

#include "module_shared.h"

static int execute(PyObject *module) {
    PyObject *bytes = PyBytes_FromStringAndSize("utf8", 4);
    if (bytes == NULL) return -1;
    payload = (size_t)(PyBytes_AsString(bytes) - (char *)bytes);
    Py_DECREF(bytes);
    if (kernel_in_use() == NULL) UTF8_STORE(in_use, utf8_kernel_best());
    if (PyModule_AddFunctions(module, error_functions) < 0) return -1;
    if (PyModule_AddFunctions(module, kernel_functions) < 0) return -1;
    PyObject *type = PyType_FromModuleAndSpec(module, &validator_spec, NULL);
    if (type == NULL) return -1;
    const int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}

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
    .m_methods = judging_functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernel(void) {
    if (Py_Version >= 0x030C0000) slots[1] = (PyModuleDef_Slot){SLOT_MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL_SUPPORTED};
    if (Py_Version >= 0x030D0000) slots[2] = (PyModuleDef_Slot){SLOT_GIL, GIL_NOT_USED};
    return PyModuleDef_Init(&definition);
}
