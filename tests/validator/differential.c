/* Every kernel that runs here against the scalar one: verdicts, offsets and each next fault, at the edges of memory, blocks and pages.
 *
 * The scalar kernel is compared with CPython's decoder elsewhere (test_differential.py). Each text is placed so that a read
 * before its first byte or behind its last one meets a page without access. Prints one line per law and stops at the
 * first text that two kernels disagree on. Usage: differential [STRIDE]: with a stride of n, one text in n.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "faults.h"

enum { ROOM = 1536 * 1024 }; /* bytes between the guards */

static uint8_t *first, *end; /* the room: guards lie before `first` and from `end` on */
static uint8_t *text;        /* the text being judged, before it is placed */
static bool runs[8];         /* asking the processor is slow under a hypervisor */
static unsigned long turns, stride = 1, texts, calls;
static uint64_t answers; /* a checksum of the scalar kernel's: on every machine the same */

/* Return `size` bytes that lie between two pages without access, NULL where there are none. */
static uint8_t *guarded(size_t size) {
#ifdef _WIN32
    const size_t page = 1 << 16;
    uint8_t *all = VirtualAlloc(NULL, size + 2 * page, MEM_RESERVE, PAGE_NOACCESS);
    return all == NULL ? NULL : VirtualAlloc(all + page, size, MEM_COMMIT, PAGE_READWRITE);
#else
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *all = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return all == MAP_FAILED || mprotect(all + page, size, PROT_READ | PROT_WRITE) != 0 ? NULL : all + page;
#endif
}

static void make_room(void) {
    first = guarded(ROOM);
    text = malloc(ROOM);
    if (first == NULL || text == NULL) exit(2);
    end = first + ROOM;
}

/* The first faults of a text by the scalar kernel, then its size. */
enum { FAULTS = 8 };

static void find_faults(const utf8_kernel *kernel, const uint8_t *place, size_t size, size_t *faults) {
    size_t at = 0;
    for (size_t i = 0; i < FAULTS; i++) {
        faults[i] = utf8_next_fault(kernel, place, at, size);
        at = faults[i] + utf8_subpart(place + faults[i], size - faults[i]);
    }
}

static void fail(const utf8_kernel *kernel, const char *what, const uint8_t *place, size_t size, size_t found, size_t expected) {
    printf("%s: %zu bytes: %s at %zu, but scalar says %zu; from there:", kernel->name, size, what, found, expected);
    for (size_t at = expected; at < size && at < expected + 8; at++) printf(" %02X", place[at]);
    printf("\n");
    exit(1);
}

static void judge(const uint8_t *place, size_t size, const size_t *expected) {
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        const utf8_kernel *kernel = utf8_kernels[i];
        if (kernel == &utf8_scalar || !runs[i]) continue;
        size_t faults[FAULTS];
        const size_t found = kernel->first_error(place, size);
        if (found != expected[0]) fail(kernel, "first error", place, size, found, expected[0]);
        if (kernel->is_valid(place, size) != (found == size)) fail(kernel, "is_valid errs", place, size, found, expected[0]);
        find_faults(kernel, place, size, faults);
        for (size_t n = 0; n < FAULTS; n++) {
            if (faults[n] != expected[n]) fail(kernel, "next fault", place, size, faults[n], expected[n]);
        }
        calls += 3;
    }
}

/* Judge `text` with its start `gap` bytes behind the first guard, then with its end `gap` bytes before the second. */
static void place(size_t size, size_t gap) {
    texts++;
    size_t expected[FAULTS];
    find_faults(&utf8_scalar, text, size, expected);
    answers = answers * 31 + expected[0];
    uint8_t *low = first + gap, *high = end - gap - size;
    memcpy(low, text, size);
    judge(low, size, expected);
    memcpy(high, text, size);
    judge(high, size, expected);
}

/* A character of each length, so that every lead and tail byte has its turn; returns its length. */
static size_t character(unsigned long number, size_t room, uint8_t *out) {
    static const char *const some[] = {"a", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "\xE0\xA0\x80", "\xED\x9F\xBF",
                                       "\xF4\x8F\xBF\xBF", "\xDF\xBF", "\xEF\xBF\xBD", "\xF0\x90\x80\x80"};
    const char *one = some[number % (sizeof some / sizeof *some)];
    size_t size = strlen(one);
    if (size > room) one = "z", size = 1;
    memcpy(out, one, size);
    return size;
}

/* Fill text[0..size) with characters: 0 ASCII, 1..3 one kind, else a mixture. Always well-formed. */
static void fill(size_t size, unsigned long kind) {
    unsigned long number = 0;
    for (size_t at = 0; at < size; number++) at += character(kind <= 3 ? kind : number * kind, size - at, text + at);
}

/* Whether this text is one of those to judge. */
static bool its_turn(void) { return turns++ % stride == 0; }

static void report(const char *law) {
    printf("%s: %lu texts, %lu calls\n", law, texts, calls);
    fflush(stdout);
    turns = texts = calls = 0;
}

/* Each line of the RFC's ranges has its edges here, with the bytes next to them. */
static const uint8_t edges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
                                0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFE, 0xFF};
enum { EDGES = sizeof edges };

static void every_length_and_alignment(void) {
    for (size_t size = 0; size <= 512; size++) {
        for (size_t gap = 0; gap < 64; gap++) {
            if (!its_turn()) continue;
            fill(size, (size + gap) % 5);
            place(size, gap);
            if (size > 0) { /* the last byte becomes a lead, a tail or ASCII */
                text[size - 1] = edges[(size + gap) % EDGES];
                place(size, gap);
            }
        }
    }
    report("guard pages at every length 0..512 and alignment 0..63");
}

static void every_byte_in_every_lane(void) {
    for (size_t size = 1; size <= 330; size += size < 140 ? 1 : 19) {
        for (size_t at = 0; at < size; at++) {
            for (size_t edge = 0; edge < EDGES; edge++) {
                if (!(edges[edge] >= 0xFE || (at + edge) % 7 == 0 || size - at <= 3) || !its_turn()) continue;
                fill(size, edge % 5);
                text[at] = edges[edge];
                place(size, at % 64);
            }
        }
    }
    report("FF and every edge in every lane, and in the last three bytes");
}

static void every_edge_sequence(void) {
    for (unsigned number = 0; number < EDGES * EDGES * EDGES * EDGES; number++) {
        if (!its_turn()) continue;
        const size_t at = number % 131, size = 140 + number % 67;
        fill(size, number % 5);
        const uint8_t word[4] = {edges[number % EDGES], edges[number / EDGES % EDGES], edges[number / EDGES / EDGES % EDGES],
                                 edges[number / EDGES / EDGES / EDGES]};
        memcpy(text + at, word, 4);
        place(size, number % 64);
    }
    report("all four-byte sequences of edges");
}

static void sizes_around_blocks_and_pages(void) {
    static const size_t around[] = {1024, 2048, 4096, 8192, 8192 + 256, 8192 + 1024, 12288, 16384, 65536, 1048576};
    const unsigned long before = stride;
    stride = before > 8 ? before / 8 : 1; /* few texts, and each counts */
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        for (size_t size = around[i] - 5; size <= around[i] + 5; size++) {
            for (unsigned long kind = 0; kind <= 4; kind += 2) {
                if (!its_turn()) continue;
                fill(size, kind);
                place(size, size % 64);
                for (size_t back = 1; back <= 5; back++) { /* a byte that cannot stand there, near the end */
                    const uint8_t kept = text[size - back];
                    text[size - back] = back % 2 ? 0xF1 : 0x80;
                    place(size, 0);
                    text[size - back] = kept;
                }
                text[around[i] / 2] = 0xFF; /* and in the middle */
                place(size, 1);
            }
        }
    }
    stride = before;
    report("sizes around blocks, pages, 64 KiB and 1 MiB");
}

static uint64_t state = UINT64_C(88172645463325252);

static size_t below(uint64_t limit) { /* xorshift: the same texts in every run */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

/* Lay `length` bytes of ASCII at `at`, then as much of what stands there as comes; returns where the next run begins. */
static size_t lay_ascii(size_t at, size_t length, size_t *border) {
    memset(text + at, 'a', length);
    *border = below(2) ? at : at + length;
    return at + length + below(150) * 12;
}

/* Two runs of ASCII in a text of one kind, between two looks for ASCII, across them, and behind them. Half of the runs
 * begin and end where characters do. Then a byte is spoilt in two texts of three, mostly beside a border. */
static void runs_of_ascii(void) {
    for (size_t start = 0; start <= 2300; start++) {
        for (unsigned turn = 0; turn < 4; turn++) {
            if (!its_turn()) continue;
            const size_t whole = turn % 2 ? 12 : 1; /* one kind's characters have 2, 3 or 4 bytes */
            fill(start + 8000, 1 + below(3));
            size_t border, size = start - start % whole;
            size = lay_ascii(size, 12 * below(120) + (turn % 2 ? 0 : below(12)), &border);
            size = lay_ascii(size, 12 * below(60), &border) + below(128);
            if (below(3)) {
                const size_t at = below(4) ? border + below(7) : below(size + 1);
                if (at >= 3 && at < size + 3) text[at - 3] = edges[below(EDGES)];
            }
            place(size, below(64));
        }
    }
    report("runs of ASCII from every offset on");
}

/* The same fault twice, as far apart as blocks are: one must not undo the other. */
static void two_faults(void) {
    static const size_t sizes[] = {100, 160, 192, 255, 256, 300, 700, 2304}, apart[] = {16, 32, 64, 96, 128, 192, 256, 512};
    static const char *const faults[] = {"\xFF", "\x80", "\xC3", "\xE1\x80", "\xF1\x80\x80", "\xED\xA0\x80"};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (size_t at = 0; at < sizes[n]; at++) {
            for (size_t d = 0; d < sizeof apart / sizeof *apart && at + apart[d] + 3 <= sizes[n]; d++) {
                if (!its_turn()) continue;
                const char *const fault = faults[(at + d) % (sizeof faults / sizeof *faults)];
                memset(text, 'a', sizes[n]);
                memcpy(text + at, fault, strlen(fault));
                memcpy(text + at + apart[d], fault, strlen(fault));
                place(sizes[n], at % 64);
            }
        }
    }
    report("the same fault twice");
}

/* The first bytes of texts long enough for a kernel to align its loads, at every alignment. */
static void beginnings_of_long_texts(void) {
    static const uint8_t faults[] = {0x80, 0xC3, 0xF0, 0xFF};
    for (size_t at = 0; at < 400; at++) {
        for (size_t n = 0; n < 2 * sizeof faults; n++) {
            if (!its_turn()) continue;
            fill(2048 + at, n % 5);
            text[at] = faults[n % sizeof faults];
            place(2048 + at, n < sizeof faults ? 0 : (at + n) % 64);
        }
    }
    report("every fault at the beginning of texts of 2 KiB");
}

static void random_edits(void) {
    for (unsigned long round = 0; round < 60000; round++) {
        size_t size = below(round % 64 == 0 ? 40000 : round % 8 == 0 ? 3000 : 300);
        if (!its_turn()) continue;
        fill(size, below(12));
        for (uint64_t edits = below(3); edits > 0 && size > 0; edits--) {
            const size_t at = below(2) ? below(size) : size - 1 - below(size < 5 ? size : 5);
            for (size_t next = at; next < size && next < at + 1 + below(4); next++) text[next] = edges[below(EDGES)];
        }
        place(size, below(64));
    }
    report("random edits");
}

int main(int count, char **arguments) {
    if (count > 1) stride = strtoul(arguments[1], NULL, 10);
    make_room();
    printf("kernels:");
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        runs[i] = utf8_kernel_runs(utf8_kernels[i]);
        printf(" %s%s", utf8_kernels[i]->name, runs[i] ? "" : " (does not run here)");
    }
    printf("\n");
    every_length_and_alignment();
    every_byte_in_every_lane();
    every_edge_sequence();
    sizes_around_blocks_and_pages();
    runs_of_ascii();
    two_faults();
    beginnings_of_long_texts();
    random_edits();
    printf("answers %016" PRIx64 "\nall agree\n", answers);
    return 0;
}
