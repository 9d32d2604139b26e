/* utf8_abnf.suite.blocks in C: words that are a product of short lists, written as frames or judged in place.
 *
 * Rule 1: nothing here knows UTF-8. The verdict on a word comes from the automaton that the caller passes as a table.
 * Rule 2: blocks.py and oracle.py have a plain twin of every function; a test compares the bytes that both return.
 * Rule 3: a decoder under test gets a pointer into an arena of our own between two pages that may not be touched.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

typedef int (*Decoder)(const uint8_t *, size_t);

typedef struct {
    const uint8_t *bytes;
    size_t size;
} Item;

typedef struct {
    Item *items;
    size_t count;
} Part;

/* next[state * 256 + byte] is a state; accepting[state] is 0 or 1. */
typedef struct {
    const uint16_t *next;
    const uint8_t *accepting;
    size_t states;
    uint16_t start;
} Machine;

#define MOST_PARTS 16
#define AROUND 8 /* bytes before and behind a word that is judged */
#define MAX_ENDS 65536 /* entries of the table of verdicts after the last part, which saves running the machine over it */
#define UNKNOWN 2     /* an entry that nobody has asked for yet */

typedef struct Product Product;
struct Product {
    Machine machine;
    Part parts[MOST_PARTS];
    size_t depth;   /* how many parts */
    size_t skip;    /* the first `skip` parts are not for the machine (the chunk sizes of a stream) */
    uint8_t *ends;  /* ends[item * states + state]: the verdict after the last part's item, from state, or UNKNOWN; or NULL */
    uint8_t *word;  /* where the word is built */
    size_t longest; /* bytes in the longest word */
    size_t count;   /* words */
    size_t bytes;   /* bytes in all words */
    void (*last)(Product *, size_t size, uint16_t state); /* goes through the last part */
    /* what it needs */
    uint8_t *frames, *verdicts;
    Decoder decoder;
    uint8_t *flush_to; /* the word is moved so that it ends here; NULL: it stays */
    const uint8_t *before, *behind; /* what may lie around a word: AROUND bytes each before it, one byte each behind it */
    size_t before_count, behind_count, place; /* how many of these; a word has *place* bytes before it that may be written */
    uint64_t first;                 /* the number that the first word has in its family */
    volatile uint64_t *asked; /* the number of the word that is asked is written here, for who looks after a crash */
    size_t judged, failures, keep, kept, stop_at; /* stop after stop_at failures; 0: never */
    size_t *failed;
    int stop;
};

static uint16_t run(const Machine *machine, uint16_t state, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        state = machine->next[(size_t)state * 256 + bytes[i]];
    return state;
}

static void put(uint8_t *to, const Item *item)
{
    if (item->size > 8)
        memcpy(to, item->bytes, item->size);
    else
        for (size_t i = 0; i < item->size; i++)
            to[i] = item->bytes[i];
}

static void put_u32(uint8_t *to, uint32_t n)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(n >> 8 * i);
}

static uint32_t get_u32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Visit every word whose first *level* items are chosen already: they are word[0..size), and lead the machine to state. */
static void walk(Product *p, size_t level, size_t size, uint16_t state)
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

/* The verdict after item *i* of the last part, from *state*. */
static int verdict(const Product *p, size_t i, uint16_t state)
{
    const Item *item = &p->parts[p->depth - 1].items[i];
    uint8_t *known = p->ends ? &p->ends[i * p->machine.states + state] : NULL;
    if (known && *known != UNKNOWN)
        return *known;
    uint8_t found = p->machine.accepting[run(&p->machine, state, item->bytes, item->size)];
    if (known)
        *known = found;
    return found;
}

static void write_frames(Product *p, size_t size, uint16_t state)
{
    const Part *part = &p->parts[p->depth - 1];
    for (size_t i = 0; i < part->count; i++) {
        put(p->word + size, &part->items[i]);
        size_t n = size + part->items[i].size;
        put_u32(p->frames, (uint32_t)n);
        memcpy(p->frames + 4, p->word, n);
        p->frames += 4 + n;
        *p->verdicts++ = verdict(p, i, state) ? '1' : '0';
    }
}

static void failed(Product *p)
{
    if (p->kept < p->keep)
        p->failed[p->kept++] = p->judged;
    p->stop = ++p->failures == p->stop_at;
}

/* Write what lies around word[0..n): blocks.around says which bytes for which word, and this does the same. */
static void surround(const Product *p, uint8_t *word, size_t n)
{
    uint32_t drawn = (uint32_t)(p->first + p->judged) * 2654435761u >> 16;
    size_t room = p->place < AROUND ? p->place : AROUND;
    memcpy(word - room, p->before + AROUND * (drawn % p->before_count) + AROUND - room, room);
    if (!p->flush_to)
        memset(word + n, p->behind[drawn / p->before_count % p->behind_count], AROUND);
}

static void judge_words(Product *p, size_t size, uint16_t state)
{
    const Part *part = &p->parts[p->depth - 1];
    for (size_t i = 0; i < part->count && !p->stop; i++) {
        put(p->word + size, &part->items[i]);
        size_t n = size + part->items[i].size;
        uint8_t *word = p->word;
        if (p->flush_to) {
            word = p->flush_to - n;
            memcpy(word, p->word, n);
        }
        surround(p, word, n);
        *p->asked = p->judged;
        if ((p->decoder(word, n) != 0) != verdict(p, i, state))
            failed(p);
        p->judged++;
    }
}

/* ---- from Python objects to a Product ---- */

static void product_free(Product *p)
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

static int machine_from(Machine *machine, const char *next, Py_ssize_t next_size, const char *accepting,
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

static int product_from(Product *p, PyObject *parts)
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

/* ---- frames(next, accepting, start, parts, skip) -> (frames, verdicts) ---- */

static PyObject *frames(PyObject *self, PyObject *args)
{
    (void)self;
    const char *next, *accepting;
    Py_ssize_t next_size, states;
    unsigned int start, skip;
    PyObject *parts, *written = NULL, *verdicts = NULL, *answer = NULL;
    Product p = {0};
    if (!PyArg_ParseTuple(args, "y#y#IO!I", &next, &next_size, &accepting, &states, &start, &PyTuple_Type, &parts, &skip))
        return NULL;
    if (machine_from(&p.machine, next, next_size, accepting, states, start) < 0)
        return NULL;
    p.skip = skip;
    if (product_from(&p, parts) == 0 && p.longest > UINT32_MAX)
        PyErr_SetString(PyExc_OverflowError, "a frame holds less than 4 GiB");
    else if (!PyErr_Occurred()) {
        written = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(p.bytes + 4 * p.count));
        verdicts = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)p.count);
        p.word = PyMem_Malloc(p.longest + 1);
        if (!p.word)
            PyErr_NoMemory();
        if (written && verdicts && p.word) {
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

/* ---- judge(next, accepting, start, parts, decoder, before, behind, first, place, keep, stop_at, asked)
 *      -> (count, failures, failed) ---- */

typedef struct {
    uint8_t *map, *base, *end;
    size_t size;
} Arena;

#ifndef _WIN32
/* Memory for *room* bytes between two pages that may not be touched. */
static int arena_open(Arena *arena, size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inside = (room + page - 1) / page * page;
    arena->size = inside + 2 * page;
    arena->map = mmap(NULL, arena->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena->map == MAP_FAILED || mprotect(arena->map, page, PROT_NONE) < 0 ||
        mprotect(arena->map + page + inside, page, PROT_NONE) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    arena->base = arena->map + page;
    arena->end = arena->base + inside;
    return 0;
}

static void arena_close(Arena *arena)
{
    munmap(arena->map, arena->size);
}
#else
static int arena_open(Arena *arena, size_t room)
{
    arena->size = room + 64;
    arena->map = PyMem_Malloc(arena->size);
    if (!arena->map) {
        PyErr_NoMemory();
        return -1;
    }
    arena->base = arena->map + (64 - (uintptr_t)arena->map % 64) % 64;
    arena->end = arena->base + room; /* no forbidden page follows it here */
    return 0;
}

static void arena_close(Arena *arena)
{
    PyMem_Free(arena->map);
}
#endif

static PyObject *failed_as_tuple(const Product *p)
{
    PyObject *failed = PyTuple_New((Py_ssize_t)p->kept);
    for (size_t i = 0; failed && i < p->kept; i++)
        PyTuple_SetItem(failed, (Py_ssize_t)i, PyLong_FromSize_t(p->failed[i]));
    return failed;
}

static PyObject *judge(PyObject *self, PyObject *args)
{
    (void)self;
    const char *next, *accepting;
    const char *before, *behind;
    Py_ssize_t next_size, states, before_size, behind_size, keep, stop_at;
    unsigned int start;
    unsigned long long decoder, first, asked = 0;
    uint64_t nobody_looks;
    int place;
    PyObject *parts, *answer = NULL;
    Product p = {0};
    Arena arena;
    if (!PyArg_ParseTuple(args, "y#y#IO!Ky#y#Kinn|K", &next, &next_size, &accepting, &states, &start, &PyTuple_Type, &parts,
                          &decoder, &before, &before_size, &behind, &behind_size, &first, &place, &keep, &stop_at, &asked))
        return NULL;
    p.asked = asked ? (volatile uint64_t *)(uintptr_t)asked : &nobody_looks;
    if (machine_from(&p.machine, next, next_size, accepting, states, start) < 0)
        return NULL;
    if (before_size < AROUND || before_size % AROUND || behind_size < 1) {
        PyErr_SetString(PyExc_ValueError, "what lies around a word: eight bytes or more before it, one or more behind it");
        return NULL;
    }
    p.decoder = (Decoder)(uintptr_t)decoder;
    p.before = (const uint8_t *)before, p.before_count = (size_t)before_size / AROUND;
    p.behind = (const uint8_t *)behind, p.behind_count = (size_t)behind_size;
    p.first = first;
    p.keep = keep < 0 ? 0 : (size_t)keep;
    p.stop_at = stop_at < 0 ? 0 : (size_t)stop_at;
    if (product_from(&p, parts) == 0 && arena_open(&arena, 2 * p.longest + 256) == 0) {
        p.failed = PyMem_Malloc((p.keep + 1) * sizeof(size_t));
        if (p.failed) {
            p.place = place < 0 ? AROUND : (size_t)place % 64;
            p.word = arena.base + (place < 0 ? 0 : p.place);
            p.flush_to = place < 0 ? arena.end : NULL;
            p.last = judge_words;
            Py_BEGIN_ALLOW_THREADS
            walk(&p, 0, 0, p.machine.start);
            Py_END_ALLOW_THREADS
            PyObject *failed = failed_as_tuple(&p);
            if (failed)
                answer = Py_BuildValue("nnN", (Py_ssize_t)p.judged, (Py_ssize_t)p.failures, failed);
        } else
            PyErr_NoMemory();
        arena_close(&arena);
    }
    product_free(&p);
    return answer;
}

/* ---- answers(next, accepting, start, sink, mode, frames) -> bytes ---- */

typedef struct {
    Machine machine;
    uint16_t sink;
} Oracle;

/* The first ill-formed sequence at or after *from*: its offset, and its length in *length; size where there is none. */
static size_t first_error(const Oracle *oracle, const uint8_t *data, size_t from, size_t size, size_t *length)
{
    uint16_t state = oracle->machine.start;
    size_t begin = from;
    for (size_t i = from; i < size; i++) {
        state = oracle->machine.next[(size_t)state * 256 + data[i]];
        if (state == oracle->sink) {
            *length = i == begin ? 1 : i - begin;
            return begin;
        }
        if (state == oracle->machine.start)
            begin = i + 1;
    }
    *length = oracle->machine.accepting[state] ? 0 : size - begin;
    return *length ? begin : size;
}

typedef struct {
    uint8_t *bytes;
    size_t size, room;
} Output;

static int grow(Output *out, size_t more)
{
    if (out->size + more <= out->room)
        return 0;
    size_t room = (out->size + more) * 2;
    uint8_t *bytes = realloc(out->bytes, room);
    if (!bytes)
        return -1;
    out->bytes = bytes;
    out->room = room;
    return 0;
}

static int answer_position(const Oracle *oracle, const uint8_t *data, size_t size, Output *out)
{
    size_t length, begin = first_error(oracle, data, 0, size, &length);
    if (grow(out, 5) < 0)
        return -1;
    put_u32(out->bytes + out->size, length ? (uint32_t)begin : 0xFFFFFFFFu);
    out->bytes[out->size + 4] = (uint8_t)length;
    out->size += 5;
    return 0;
}

static int answer_replacement(const Oracle *oracle, const uint8_t *data, size_t size, Output *out)
{
    if (grow(out, 4 + 3 * size) < 0) /* U+FFFD has three bytes and replaces one at least */
        return -1;
    uint8_t *head = out->bytes + out->size, *to = head + 4;
    for (size_t from = 0; from < size;) {
        size_t length, begin = first_error(oracle, data, from, size, &length);
        memcpy(to, data + from, begin - from);
        to += begin - from;
        if (length) {
            memcpy(to, "\xEF\xBF\xBD", 3);
            to += 3;
        }
        from = begin + length;
    }
    put_u32(head, (uint32_t)(to - head - 4));
    out->size += (size_t)(to - head);
    return 0;
}

static int answer_stream(const Oracle *oracle, const uint8_t *frame, size_t size, Output *out)
{
    if (size < 4)
        return -2;
    size_t chunks = get_u32(frame), at = 4 + 4 * chunks;
    if (chunks > size / 4 || at > size || grow(out, chunks + 1) < 0)
        return -2;
    uint16_t state = oracle->machine.start;
    for (size_t i = 0; i < chunks; i++) {
        size_t length = get_u32(frame + 4 + 4 * i);
        if (length > size - at)
            return -2;
        state = run(&oracle->machine, state, frame + at, length);
        at += length;
        out->bytes[out->size++] = state == oracle->sink ? '0' : oracle->machine.accepting[state] ? '1' : '?';
    }
    if (at != size)
        return -2;
    out->bytes[out->size++] = oracle->machine.accepting[state] ? '1' : '0';
    return 0;
}

static int answer_all(const Oracle *oracle, int mode, const uint8_t *frames_, size_t size, Output *out)
{
    for (size_t at = 0; at < size;) {
        if (size - at < 4 || get_u32(frames_ + at) > size - at - 4)
            return -2;
        size_t length = get_u32(frames_ + at);
        const uint8_t *data = frames_ + at + 4;
        int failed = mode == 'p'   ? answer_position(oracle, data, length, out)
                     : mode == 'r' ? answer_replacement(oracle, data, length, out)
                                   : answer_stream(oracle, data, length, out);
        if (failed)
            return failed;
        at += 4 + length;
    }
    return 0;
}

static PyObject *answers(PyObject *self, PyObject *args)
{
    (void)self;
    const char *next, *accepting, *data;
    Py_ssize_t next_size, states, size;
    unsigned int start, sink;
    int mode, failed;
    Oracle oracle;
    Output out = {0};
    if (!PyArg_ParseTuple(args, "y#y#IICy#", &next, &next_size, &accepting, &states, &start, &sink, &mode, &data, &size))
        return NULL;
    if (machine_from(&oracle.machine, next, next_size, accepting, states, start) < 0)
        return NULL;
    oracle.sink = (uint16_t)sink;
    if (mode != 'p' && mode != 'r' && mode != 's') {
        PyErr_SetString(PyExc_ValueError, "mode is one of p, r, s");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    failed = answer_all(&oracle, mode, (const uint8_t *)data, (size_t)size, &out);
    Py_END_ALLOW_THREADS
    PyObject *answer = NULL;
    if (failed == -1)
        PyErr_NoMemory();
    else if (failed)
        PyErr_SetString(PyExc_ValueError, "the frames are not whole");
    else
        answer = PyBytes_FromStringAndSize((const char *)out.bytes, (Py_ssize_t)out.size);
    free(out.bytes);
    return answer;
}

static PyMethodDef methods[] = {
    {"frames", frames, METH_VARARGS, "frames(next, accepting, start, parts, skip) -> (frames, verdicts)"},
    {"judge", judge, METH_VARARGS,
     "judge(next, accepting, start, parts, decoder, before, behind, first, place, keep, stop_at, asked=0)"
     " -> (count, failures, failed)"},
    {"answers", answers, METH_VARARGS, "answers(next, accepting, start, sink, mode, frames) -> bytes"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_mod_multiple_interpreters
#if !defined(Py_LIMITED_API) || Py_LIMITED_API + 0 >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "utf8_abnf.suite._suite", NULL, 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__suite(void)
{
    return PyModuleDef_Init(&module);
}
