/* Words that are a product of short lists: made from Python's objects, and gone through. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "product.h"

void walk(suite_product *p, size_t level, size_t size, uint16_t state) {
    if (level + 1 == p->depth) {
        p->last(p, size, state);
        return;
    }
    const suite_part *const part = &p->parts[level];
    for (size_t i = 0; i < part->count && !p->stop; i++) {
        const suite_item *const item = &part->items[i];
        put(p->word + size, item);
        walk(p, level + 1, size + item->size, level < p->skip ? state : run(&p->machine, state, item->bytes, item->size));
    }
}

int machine_from(suite_machine *machine, const char *next, Py_ssize_t next_size, const char *accepting,
                 Py_ssize_t states, unsigned int start) {
    machine->next = (const uint16_t *)next;
    machine->accepting = (const uint8_t *)accepting;
    machine->states = (size_t)states;
    machine->start = (uint16_t)start;
    if (states < 1 || states > 65535 || next_size != states * 512 || start >= (unsigned int)states) {
        PyErr_SetString(PyExc_ValueError, "the table does not fit the number of states");
        return -1;
    }
    for (size_t i = 0; i < (size_t)states * 256; i++) {
        if (machine->next[i] < states) continue;
        PyErr_SetString(PyExc_ValueError, "the table names a state that is not there");
        return -1;
    }
    return 0;
}

void product_free(suite_product *p) {
    for (size_t i = 0; i < p->depth; i++) PyMem_Free(p->parts[i].items);
    PyMem_Free(p->ends);
    PyMem_Free(p->failed);
}

static int part_from(suite_part *part, PyObject *tuple) {
    const Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) return -1;
    part->items = PyMem_Malloc(((size_t)count + 1) * sizeof(suite_item));
    if (part->items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    part->count = (size_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        char *bytes;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &bytes, &size) < 0) return -1;
        part->items[i] = (suite_item){(const uint8_t *)bytes, (size_t)size};
    }
    return 0;
}

/* Count the words and their bytes; refuse sizes that do not fit. */
static int measure(suite_product *p) {
    p->count = 1;
    p->bytes = p->longest = 0;
    for (const suite_part *part = p->parts; part < p->parts + p->depth; part++) {
        size_t total = 0, longest = 0;
        for (size_t i = 0; i < part->count; i++) {
            const size_t size = part->items[i].size;
            total += size;
            if (size > longest) longest = size;
        }
        if (total > SIZE_MAX / 4 / (p->count + 1) || part->count > SIZE_MAX / 4 / (p->count + p->bytes + 1)) {
            PyErr_SetString(PyExc_OverflowError, "too many words in a block");
            return -1;
        }
        p->bytes = p->bytes * part->count + total * p->count;
        p->count *= part->count;
        p->longest += longest;
    }
    return 0;
}

static int make_ends(suite_product *p) {
    const suite_part *const last = &p->parts[p->depth - 1];
    if (p->depth - 1 < p->skip || last->count == 0 || last->count > MAX_ENDS / p->machine.states) return 0;
    if (p->count == last->count) return 0; /* each entry would be asked for once */
    p->ends = PyMem_Malloc(last->count * p->machine.states);
    if (p->ends == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(p->ends, UNKNOWN, last->count * p->machine.states);
    return 0;
}

int product_from(suite_product *p, PyObject *parts) {
    const Py_ssize_t depth = PyTuple_Size(parts);
    if (depth < 1 || depth > MOST_PARTS) {
        if (depth >= 0) PyErr_SetString(PyExc_ValueError, "a block has 1 to 16 parts");
        return -1;
    }
    for (Py_ssize_t i = 0; i < depth; i++) {
        p->depth = (size_t)i + 1;
        if (part_from(&p->parts[i], PyTuple_GetItem(parts, i)) < 0) return -1;
    }
    return measure(p) < 0 || make_ends(p) < 0 ? -1 : 0;
}
