/* Words that are a product of short lists: made from Python's objects, and gone through. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "product.h"

void walk(Product *p, size_t level, size_t size, uint16_t state)
{
    if (level + 1 == p->depth) {
        p->last(p, size, state);
        return;
    }
    const Part *part = &p->parts[level];
    for (size_t i = 0; i < part->count && !p->stop; i++) {
        put(p->word + size, &part->items[i]);
        uint16_t next = level < p->skip ? state : run(&p->machine, state, part->items[i].bytes, part->items[i].size);
        walk(p, level + 1, size + part->items[i].size, next);
    }
}

int machine_from(Machine *machine, const char *next, Py_ssize_t next_size, const char *accepting,
                 Py_ssize_t states, unsigned int start)
{
    machine->next = (const uint16_t *)next;
    machine->accepting = (const uint8_t *)accepting;
    machine->states = (size_t)states;
    machine->start = (uint16_t)start;
    if (states < 1 || states > 65535 || next_size != states * 512 || start >= (unsigned int)states) {
        PyErr_SetString(PyExc_ValueError, "the table does not fit the number of states");
        return -1;
    }
    for (size_t i = 0; i < (size_t)states * 256; i++)
        if (machine->next[i] >= states) {
            PyErr_SetString(PyExc_ValueError, "the table names a state that is not there");
            return -1;
        }
    return 0;
}

void product_free(Product *p)
{
    for (size_t i = 0; i < p->depth; i++)
        PyMem_Free(p->parts[i].items);
    PyMem_Free(p->ends);
    PyMem_Free(p->failed);
}

static int part_from(Part *part, PyObject *tuple)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0)
        return -1;
    part->items = PyMem_Malloc(((size_t)count + 1) * sizeof(Item));
    if (!part->items) {
        PyErr_NoMemory();
        return -1;
    }
    part->count = (size_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        char *bytes;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, i), &bytes, &size) < 0)
            return -1;
        part->items[i].bytes = (const uint8_t *)bytes;
        part->items[i].size = (size_t)size;
    }
    return 0;
}

/* Count the words and their bytes; refuse sizes that do not fit. */
static int measure(Product *p)
{
    p->count = 1, p->bytes = 0, p->longest = 0;
    for (size_t d = 0; d < p->depth; d++) {
        size_t total = 0, longest = 0;
        for (size_t i = 0; i < p->parts[d].count; i++) {
            size_t size = p->parts[d].items[i].size;
            total += size;
            longest = size > longest ? size : longest;
        }
        if (total > SIZE_MAX / 4 / (p->count + 1) || p->parts[d].count > SIZE_MAX / 4 / (p->count + p->bytes + 1)) {
            PyErr_SetString(PyExc_OverflowError, "too many words in a block");
            return -1;
        }
        p->bytes = p->bytes * p->parts[d].count + total * p->count;
        p->count *= p->parts[d].count;
        p->longest += longest;
    }
    return 0;
}

static int make_ends(Product *p)
{
    const Part *last = &p->parts[p->depth - 1];
    if (p->depth - 1 < p->skip || last->count == 0 || last->count > MAX_ENDS / p->machine.states)
        return 0;
    if (p->count == last->count) /* each entry would be asked for once */
        return 0;
    p->ends = PyMem_Malloc(last->count * p->machine.states);
    if (!p->ends) {
        PyErr_NoMemory();
        return -1;
    }
    memset(p->ends, UNKNOWN, last->count * p->machine.states);
    return 0;
}

int product_from(Product *p, PyObject *parts)
{
    Py_ssize_t depth = PyTuple_Size(parts);
    if (depth < 1 || depth > MOST_PARTS) {
        if (depth >= 0)
            PyErr_SetString(PyExc_ValueError, "a block has 1 to 16 parts");
        return -1;
    }
    for (Py_ssize_t i = 0; i < depth; i++) {
        p->depth = (size_t)i + 1;
        if (part_from(&p->parts[i], PyTuple_GetItem(parts, i)) < 0)
            return -1;
    }
    return measure(p) < 0 || make_ends(p) < 0 ? -1 : 0;
}
