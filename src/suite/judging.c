/* Words judged in place: a decoder gets each where it was built, in an arena of our own. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "product.h"

static void failed(suite_product *p) {
    if (p->kept < p->keep) p->failed[p->kept++] = p->judged;
    p->stop = ++p->failures == p->stop_at;
}

/* Write what lies around word[0..size): blocks.around says which bytes for which word, and this does the same. */
static void surround(const suite_product *p, uint8_t *word, size_t size) {
    const uint32_t drawn = (uint32_t)(p->first + p->judged) * 2654435761u >> 16;
    const size_t room = p->place < AROUND ? p->place : AROUND;
    memcpy(word - room, p->before + AROUND * (drawn % p->before_count) + AROUND - room, room);
    if (p->flush_to == NULL) memset(word + size, p->behind[drawn / p->before_count % p->behind_count], AROUND);
}

static void judge_words(suite_product *p, size_t size, uint16_t state) {
    const suite_part *const part = &p->parts[p->depth - 1];
    for (size_t i = 0; i < part->count && !p->stop; i++) {
        put(p->word + size, &part->items[i]);
        const size_t whole = size + part->items[i].size;
        uint8_t *const word = p->flush_to == NULL ? p->word : p->flush_to - whole;
        if (word != p->word) memcpy(word, p->word, whole);
        surround(p, word, whole);
        *p->asked = p->judged;
        if ((p->decoder(word, whole) != 0) != verdict(p, i, state)) failed(p);
        p->judged++;
    }
}

/* ---- where words are built ---- */

typedef struct {
    uint8_t *map, *base, *end;
    size_t size;
} arena;

#ifndef _WIN32
/* Memory for `room` bytes between two pages that may not be touched. */
static int arena_open(arena *arena, size_t room) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inside = (room + page - 1) / page * page;
    arena->size = inside + 2 * page;
    arena->map = mmap(NULL, arena->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena->map == MAP_FAILED) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    if (mprotect(arena->map, page, PROT_NONE) < 0 || mprotect(arena->map + page + inside, page, PROT_NONE) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        munmap(arena->map, arena->size);
        return -1;
    }
    arena->base = arena->map + page;
    arena->end = arena->base + inside;
    return 0;
}

static void arena_close(arena *arena) { munmap(arena->map, arena->size); }
#else
static int arena_open(arena *arena, size_t room) {
    arena->size = room + 64;
    arena->map = PyMem_Malloc(arena->size);
    if (arena->map == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    arena->base = arena->map + (64 - (uintptr_t)arena->map % 64) % 64;
    arena->end = arena->base + room; /* no forbidden page follows it here */
    return 0;
}

static void arena_close(arena *arena) { PyMem_Free(arena->map); }
#endif

/* ---- judge(next, accepting, start, parts, decoder, before, behind, first, place, keep, stop_at, asked)
 *      -> (count, failures, failed) ---- */

static PyObject *failed_as_tuple(const suite_product *p) {
    PyObject *failed = PyTuple_New((Py_ssize_t)p->kept);
    for (size_t i = 0; failed != NULL && i < p->kept; i++) {
        PyObject *number = PyLong_FromSize_t(p->failed[i]);
        if (number == NULL || PyTuple_SetItem(failed, (Py_ssize_t)i, number) < 0) Py_CLEAR(failed);
    }
    return failed;
}

/* Judge every word in the arena: a word that is flush ends at the forbidden page, another one begins at `p->place`. */
static PyObject *judge_in(suite_product *p, const arena *arena, bool flush) {
    p->failed = PyMem_Calloc(p->keep + 1, sizeof *p->failed); /* or NULL where so many are too many */
    if (p->failed == NULL) return PyErr_NoMemory();
    p->word = arena->base + (flush ? 0 : p->place);
    p->flush_to = flush ? arena->end : NULL;
    p->last = judge_words;
    Py_BEGIN_ALLOW_THREADS
    walk(p, 0, 0, p->machine.start);
    Py_END_ALLOW_THREADS
    PyObject *failed = failed_as_tuple(p);
    return failed == NULL ? NULL : Py_BuildValue("nnN", (Py_ssize_t)p->judged, (Py_ssize_t)p->failures, failed);
}

PyObject *judge(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *next, *accepting, *before, *behind;
    Py_ssize_t next_size, states, before_size, behind_size, keep, stop_at;
    unsigned int start;
    unsigned long long decoder, first, asked = 0;
    uint64_t nobody_looks;
    int place; /* below 0: words are flush with the end of memory */
    PyObject *parts, *answer = NULL;
    suite_product p = {0};
    arena arena;
    if (!PyArg_ParseTuple(arguments, "y#y#IO!Ky#y#Kinn|K", &next, &next_size, &accepting, &states, &start, &PyTuple_Type, &parts,
                          &decoder, &before, &before_size, &behind, &behind_size, &first, &place, &keep, &stop_at, &asked)) {
        return NULL;
    }
    if (machine_from(&p.machine, next, next_size, accepting, states, start) < 0) return NULL;
    if (before_size < AROUND || before_size % AROUND || behind_size < 1) {
        PyErr_SetString(PyExc_ValueError, "what lies around a word: eight bytes or more before it, one or more behind it");
        return NULL;
    }
    p.decoder = (suite_decoder *)(uintptr_t)decoder;
    p.asked = asked ? (volatile uint64_t *)(uintptr_t)asked : &nobody_looks;
    p.before = (const uint8_t *)before;
    p.before_count = (size_t)before_size / AROUND;
    p.behind = (const uint8_t *)behind;
    p.behind_count = (size_t)behind_size;
    p.first = first;
    p.place = place < 0 ? AROUND : (size_t)place % 64;
    p.keep = keep < 0 ? 0 : (size_t)keep;
    p.stop_at = stop_at < 0 ? 0 : (size_t)stop_at;
    if (product_from(&p, parts) == 0 && arena_open(&arena, 2 * p.longest + 256) == 0) {
        answer = judge_in(&p, &arena, place < 0);
        arena_close(&arena);
    }
    product_free(&p);
    return answer;
}
