/* The capsules of the Arrow PyCapsule interface. Include it after Python.h. */
#ifndef UTF8_ARROW_CAPSULES_H
#define UTF8_ARROW_CAPSULES_H

#include "arrow.h"

/* For each of the three structures: release and free it with its capsule; and make a capsule of an empty one. */
#define CAPSULES(type, name, NAME)                                                        \
    static inline void release_##name(struct type *held) {                                \
        if (held->release != NULL) held->release(held);                                   \
    }                                                                                     \
    static inline void free_##name(PyObject *capsule) {                                   \
        struct type *held = PyCapsule_GetPointer(capsule, NAME);                          \
        release_##name(held);                                                             \
        PyMem_Free(held);                                                                 \
    }                                                                                     \
    static inline PyObject *new_##name(struct type **held) {                              \
        *held = PyMem_Calloc(1, sizeof **held);                                           \
        if (*held == NULL) return PyErr_NoMemory();                                       \
        PyObject *capsule = PyCapsule_New(*held, NAME, free_##name);                      \
        if (capsule == NULL) PyMem_Free(*held);                                           \
        return capsule;                                                                   \
    }                                                                                     \
    /* Take what the capsule holds; it holds nothing from then on. */                     \
    static inline int take_##name(PyObject *capsule, struct type *taken) {                \
        struct type *held = NULL;                                                         \
        if (!PyCapsule_IsValid(capsule, NAME)) {                                          \
            PyErr_Format(PyExc_TypeError, "expected a capsule %s", NAME);                 \
            return -1;                                                                    \
        }                                                                                 \
        held = PyCapsule_GetPointer(capsule, NAME);                                       \
        if (held->release == NULL) {                                                      \
            PyErr_Format(PyExc_ValueError, "the capsule %s has been emptied", NAME);      \
            return -1;                                                                    \
        }                                                                                 \
        *taken = *held;                                                                   \
        held->release = NULL;                                                             \
        return 0;                                                                         \
    }

CAPSULES(ArrowSchema, schema, "arrow_schema")
CAPSULES(ArrowArray, array, "arrow_array")
CAPSULES(ArrowArrayStream, stream, "arrow_array_stream")

#endif
