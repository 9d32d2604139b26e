/* utf8_abnf.conformance.suite.blocks in C: words that are a product of short lists, written as frames or judged in place.
 *
 * Rule 1: nothing here knows UTF-8. The verdict on a word comes from the automaton that the caller passes as a table.
 * Rule 2: blocks.py and oracle.py have a plain twin of every function; a test compares the bytes that both return.
 * Rule 3: a decoder under test gets a pointer into an arena of our own between two pages that may not be touched.
 *
 * The words are made by product.c; judging.c judges them and answers.c answers frames. prove_functions.c has the enumerations
 * of `utf8-abnf prove`, which need none of that.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "module_made.h"
#include "product.h"

static void write_frames(suite_product *p, size_t size, uint16_t state) {
    const suite_part *const part = &p->parts[p->depth - 1];
    for (size_t i = 0; i < part->count; i++) {
        const size_t whole = size + part->items[i].size;
        put_u32(p->frames, (uint32_t)whole);
        memcpy(p->frames + 4, p->word, size);
        put(p->frames + 4 + size, &part->items[i]);
        p->frames += 4 + whole;
        *p->verdicts++ = verdict(p, i, state) ? '1' : '0';
    }
}

/* ---- frames(next, accepting, start, parts, skip) -> (frames, verdicts) ---- */

static PyObject *frames(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *next, *accepting;
    Py_ssize_t next_size, states;
    unsigned int start, skip;
    PyObject *parts, *written = NULL, *verdicts = NULL, *answer = NULL;
    suite_product p = {0};
    if (!PyArg_ParseTuple(arguments, "y#y#IO!I", &next, &next_size, &accepting, &states, &start, &PyTuple_Type, &parts,
                          &skip)) {
        return NULL;
    }
    if (machine_from(&p.machine, next, next_size, accepting, states, start) < 0) return NULL;
    p.skip = skip;
    if (product_from(&p, parts) == 0 && p.longest > UINT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a frame holds less than 4 GiB");
    } else if (!PyErr_Occurred()) {
        written = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(p.bytes + 4 * p.count));
        verdicts = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)p.count);
        p.word = PyMem_Malloc(p.longest + 1);
        if (p.word == NULL) PyErr_NoMemory();
        if (written != NULL && verdicts != NULL && p.word != NULL) {
            p.frames = (uint8_t *)PyBytes_AsString(written);
            p.verdicts = (uint8_t *)PyBytes_AsString(verdicts);
            p.last = write_frames;
            Py_BEGIN_ALLOW_THREADS
            walk(&p, 0, 0, p.machine.start);
            Py_END_ALLOW_THREADS
            answer = PyTuple_Pack(2, written, verdicts);
        }
        PyMem_Free(p.word);
    }
    Py_XDECREF(written);
    Py_XDECREF(verdicts);
    product_free(&p);
    return answer;
}

static PyMethodDef functions[] = {
    {"frames", frames, METH_VARARGS, "frames(next, accepting, start, parts, skip) -> (frames, verdicts)"},
    {"judge", judge, METH_VARARGS,
     "judge(next, accepting, start, parts, decoder, before, behind, first, place, keep, stop_at, asked=0)"
     " -> (count, failures, failed)"},
    {"answers", answers, METH_VARARGS, "answers(next, accepting, start, sink, mode, frames) -> bytes"},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) { return PyModule_AddFunctions(module, prove_functions); }

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "utf8_abnf.conformance.suite._suite",
    .m_doc = "The loops behind utf8_abnf.conformance.suite, and the enumerations behind utf8_abnf.conformance.proving.",
    .m_size = 0,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__suite(void) { return make_module(&definition, execute); }
