/* What a decoder should answer to frames: positions, replacements, verdicts on the chunks of a stream. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "machine.h"

typedef struct {
    suite_machine machine;
    uint16_t sink;
} suite_oracle;

/* The offset of the first ill-formed sequence from `from` on, `size` where there is none; its length, or 0, in `length`. */
static size_t first_error(const suite_oracle *oracle, const uint8_t *data, size_t from, size_t size, size_t *length) {
    uint16_t state = oracle->machine.start;
    size_t begin = from;
    for (size_t i = from; i < size; i++) {
        state = oracle->machine.next[(size_t)state * 256 + data[i]];
        if (state == oracle->sink) {
            *length = i == begin ? 1 : i - begin;
            return begin;
        }
        if (state == oracle->machine.start) begin = i + 1;
    }
    *length = oracle->machine.accepting[state] ? 0 : size - begin;
    return *length > 0 ? begin : size;
}

typedef struct {
    uint8_t *bytes;
    size_t size, room;
} output;

enum { DONE = 0, NO_MEMORY = -1, NOT_WHOLE = -2 }; /* what the functions below return */

static int grow(output *out, size_t more) {
    if (out->size + more <= out->room) return 0;
    const size_t room = (out->size + more) * 2;
    uint8_t *const bytes = realloc(out->bytes, room);
    if (bytes == NULL) return NO_MEMORY;
    out->bytes = bytes;
    out->room = room;
    return DONE;
}

static int answer_position(const suite_oracle *oracle, const uint8_t *data, size_t size, output *out) {
    size_t length;
    const size_t begin = first_error(oracle, data, 0, size, &length);
    if (grow(out, 5) < 0) return NO_MEMORY;
    put_u32(out->bytes + out->size, length > 0 ? (uint32_t)begin : UINT32_MAX);
    out->bytes[out->size + 4] = (uint8_t)length;
    out->size += 5;
    return DONE;
}

static int answer_replacement(const suite_oracle *oracle, const uint8_t *data, size_t size, output *out) {
    if (grow(out, 4 + 3 * size) < 0) return NO_MEMORY; /* U+FFFD has three bytes and replaces one at least */
    uint8_t *const head = out->bytes + out->size, *to = head + 4;
    for (size_t from = 0; from < size;) {
        size_t length;
        const size_t begin = first_error(oracle, data, from, size, &length);
        memcpy(to, data + from, begin - from);
        to += begin - from;
        if (length > 0) {
            memcpy(to, "\xEF\xBF\xBD", 3);
            to += 3;
        }
        from = begin + length;
    }
    put_u32(head, (uint32_t)(to - head - 4));
    out->size += (size_t)(to - head);
    return DONE;
}

static int answer_stream(const suite_oracle *oracle, const uint8_t *frame, size_t size, output *out) {
    if (size < 4) return NOT_WHOLE;
    const size_t chunks = get_u32(frame);
    size_t at = 4 + 4 * chunks;
    if (chunks > size / 4 || at > size) return NOT_WHOLE;
    if (grow(out, chunks + 1) < 0) return NO_MEMORY;
    uint16_t state = oracle->machine.start;
    for (size_t i = 0; i < chunks; i++) {
        const size_t length = get_u32(frame + 4 + 4 * i);
        if (length > size - at) return NOT_WHOLE;
        state = run(&oracle->machine, state, frame + at, length);
        at += length;
        out->bytes[out->size++] = state == oracle->sink ? '0' : oracle->machine.accepting[state] ? '1' : '?';
    }
    if (at != size) return NOT_WHOLE;
    out->bytes[out->size++] = oracle->machine.accepting[state] ? '1' : '0';
    return DONE;
}

static int answer_all(const suite_oracle *oracle, int mode, const uint8_t *frames, size_t size, output *out) {
    for (size_t at = 0; at < size;) {
        if (size - at < 4 || get_u32(frames + at) > size - at - 4) return NOT_WHOLE;
        const size_t length = get_u32(frames + at);
        const uint8_t *const data = frames + at + 4;
        const int failed = mode == 'p'   ? answer_position(oracle, data, length, out)
                           : mode == 'r' ? answer_replacement(oracle, data, length, out)
                                         : answer_stream(oracle, data, length, out);
        if (failed != DONE) return failed;
        at += 4 + length;
    }
    return DONE;
}

PyObject *answers(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *next, *accepting, *data;
    Py_ssize_t next_size, states, size;
    unsigned int start, sink;
    int mode, failed;
    suite_oracle oracle;
    output out = {0};
    if (!PyArg_ParseTuple(arguments, "y#y#IICy#", &next, &next_size, &accepting, &states, &start, &sink, &mode, &data, &size)) {
        return NULL;
    }
    if (machine_from(&oracle.machine, next, next_size, accepting, states, start) < 0) return NULL;
    oracle.sink = (uint16_t)sink;
    if (mode != 'p' && mode != 'r' && mode != 's') {
        PyErr_SetString(PyExc_ValueError, "mode is one of p, r, s");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    failed = answer_all(&oracle, mode, (const uint8_t *)data, (size_t)size, &out);
    Py_END_ALLOW_THREADS
    PyObject *answer = NULL;
    if (failed == NO_MEMORY) {
        PyErr_NoMemory();
    } else if (failed == NOT_WHOLE) {
        PyErr_SetString(PyExc_ValueError, "the frames are not whole");
    } else {
        answer = PyBytes_FromStringAndSize((const char *)out.bytes, (Py_ssize_t)out.size);
    }
    free(out.bytes);
    return answer;
}
