/* An automaton as a table, and numbers of four bytes, as frames have them. Include it after Python.h. */
#ifndef UTF8_SUITE_MACHINE_H
#define UTF8_SUITE_MACHINE_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* next[state * 256 + byte] is a state; accepting[state] is 0 or 1. */
typedef struct {
    const uint16_t *next;
    const uint8_t *accepting;
    size_t states;
    uint16_t start;
} suite_machine;

/* Take over the caller's table. 0, or -1 with ValueError where it does not fit the number of states. */
UTF8_OURS int machine_from(suite_machine *machine, const char *next, Py_ssize_t next_size, const char *accepting,
                           Py_ssize_t states, unsigned int start);

UTF8_INLINE uint16_t run_plain(const suite_machine *machine, uint16_t state, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) state = machine->next[(size_t)state * 256 + bytes[i]];
    return state;
}

enum { PERIOD = 24 }; /* bytes: a run of one character of 1, 2, 3 or 4 bytes repeats itself after so many */

/* Long words mostly repeat a character. Bytes that led from a state back to it do so again, and are skipped. */
UTF8_INLINE uint16_t run(const suite_machine *machine, uint16_t state, const uint8_t *bytes, size_t size) {
    while (size >= 2 * PERIOD) {
        const uint16_t before = state;
        state = run_plain(machine, state, bytes, PERIOD);
        bytes += PERIOD;
        size -= PERIOD;
        if (state != before) continue;
        for (; size >= PERIOD && memcmp(bytes - PERIOD, bytes, PERIOD) == 0; size -= PERIOD) bytes += PERIOD;
    }
    return run_plain(machine, state, bytes, size);
}

UTF8_INLINE void put_u32(uint8_t *to, uint32_t number) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(number >> 8 * i);
}

UTF8_INLINE uint32_t get_u32(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Functions of the module that have a file of their own. */
UTF8_OURS PyObject *judge(PyObject *module, PyObject *arguments);
UTF8_OURS PyObject *answers(PyObject *module, PyObject *arguments);
UTF8_OURS extern PyMethodDef prove_functions[];

#endif
