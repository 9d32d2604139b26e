/* How an extension module without state is made: for every interpreter, and without a GIL. Include it after Python.h. */
#ifndef UTF8_STATELESS_H
#define UTF8_STATELESS_H

/* Which slots this Python knows is asked at import, because one build for the stable ABI serves several. Their numbers and
 * values are those of CPython's moduleobject.h from 3.12 and 3.13 on. */
static PyModuleDef_Slot slots[3];
enum { SLOT_MULTIPLE_INTERPRETERS = 3, SLOT_GIL = 4 };
#define PER_INTERPRETER_GIL_SUPPORTED ((void *)2)
#define GIL_NOT_USED ((void *)1)

/* Fill in `slots` and make the module of this definition, which has them for its slots. */
static inline PyObject *make_stateless(PyModuleDef *definition) {
    if (Py_Version >= 0x030C0000) slots[0] = (PyModuleDef_Slot){SLOT_MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL_SUPPORTED};
    if (Py_Version >= 0x030D0000) slots[1] = (PyModuleDef_Slot){SLOT_GIL, GIL_NOT_USED};
    return PyModuleDef_Init(definition);
}

#endif
