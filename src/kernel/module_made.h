/* How an extension module of ours is made: for every interpreter, and without a GIL. Include it after Python.h. */
#ifndef UTF8_MODULE_MADE_H
#define UTF8_MODULE_MADE_H

/* Which slots this Python knows is asked at import: one build for the stable ABI serves every Python from 3.11 on, and 3.11
 * refuses a module with a slot that it does not know. Their numbers and values are those of CPython's moduleobject.h. */
enum { SLOT_MULTIPLE_INTERPRETERS = 3, SLOT_GIL = 4 }; /* Py_mod_multiple_interpreters (3.12), Py_mod_gil (3.13) */
#define PER_INTERPRETER_GIL_SUPPORTED ((void *)2)
#define GIL_NOT_USED ((void *)1)

/* Make the module of this definition, which `execute` fills. */
static inline PyObject *make_module(PyModuleDef *definition, int (*execute)(PyObject *)) {
    static PyModuleDef_Slot slots[4]; /* the zeros after the last one end the list */
    slots[0] = (PyModuleDef_Slot){Py_mod_exec, (void *)execute};
    if (Py_Version >= 0x030C0000) slots[1] = (PyModuleDef_Slot){SLOT_MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL_SUPPORTED};
    if (Py_Version >= 0x030D0000) slots[2] = (PyModuleDef_Slot){SLOT_GIL, GIL_NOT_USED};
    definition->m_slots = slots;
    return PyModuleDef_Init(definition);
}

#endif
