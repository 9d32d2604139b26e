/* The validators: bytes in, verdict out. Plain C11: no Python, no allocation, no read outside the buffer.
 *
 * A kernel is one instruction set's validator. Every kernel accepts exactly the strings of RFC 3629 section 4's
 * `UTF8-octets` and names the same offset for the first ill-formed sequence; they differ only in speed.
 * `data` may be NULL where `size` is 0. Every function is pure and may be called from any number of threads.
 */
#ifndef UTF8_KERNEL_H
#define UTF8_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct utf8_kernel {
    const char *name;

    /* Whether the whole of `data` is well-formed. */
    bool (*is_valid)(const uint8_t *data, size_t size);

    /* The offset at which the first ill-formed sequence starts; `size` when there is none. */
    size_t (*first_error)(const uint8_t *data, size_t size);

    /* For proofs: the answer of the wide kernel's inner loop for each of the `width` bytes from `block` on, given that byte
     * and the three before it: not zero where they cannot follow each other. Reads block[-16] .. block[width-1].
     * NULL and 0 for a kernel without blocks. */
    void (*lanes)(const uint8_t *block, uint8_t *flags);
    size_t width;

    /* Where about the first error of a few bytes is: the first of the `count` (1..width) bytes at `data`, from `from` on,
     * that cannot follow the three before it, as `lanes` says, and nothing precedes the first; `width` where there is none.
     * Less than `width` bytes are followed by NUL: so `count` is the answer where a character is cut. NULL without blocks. */
    size_t (*first_lane)(const uint8_t *data, size_t count, size_t from);
} utf8_kernel;

/* The kernels of this build, best first, `scalar` last. This machine may not be able to run all of them. */
extern const utf8_kernel *const utf8_kernels[];
extern const size_t utf8_kernel_count;

/* Whether this machine's processor and operating system can run `kernel`. */
bool utf8_kernel_runs(const utf8_kernel *kernel);

/* What an x86 processor says of itself: registers EAX, EBX, ECX, EDX of cpuid's leaves 1 and 7, and XCR0, which says what
 * the operating system saves (0 where cpuid has no OSXSAVE). Whether such a machine can run `kernel`: no other question is
 * asked. */
typedef struct utf8_machine {
    uint32_t leaf1[4], leaf7[4];
    uint64_t xcr0;
} utf8_machine;
bool utf8_kernel_runs_on(const utf8_kernel *kernel, const utf8_machine *machine);

/* The first of `utf8_kernels` that runs here. */
const utf8_kernel *utf8_kernel_best(void);

/* The same two questions, answered by the best kernel. */
bool utf8_is_valid(const uint8_t *data, size_t size);
size_t utf8_first_error(const uint8_t *data, size_t size);

/* The sequence that begins `data`: the length of a well-formed character (1..4), UTF8_UNFINISHED when `data` ends
 * within one that more bytes could complete, UTF8_ILL_FORMED when no continuation makes it well-formed. */
enum { UTF8_UNFINISHED = 0, UTF8_ILL_FORMED = -1 };
int utf8_sequence(const uint8_t *data, size_t size);

/* How many bytes at the start of `data` are ill-formed as one, a maximal subpart (Unicode 3.9); where `data` ends within a
 * character, its bytes. 0 where a well-formed character begins, or nothing is left. */
size_t utf8_subpart(const uint8_t *data, size_t size);

/* How many bytes (0..3) at the end of `data` start a character that is longer than what is left of `data`. */
size_t utf8_unfinished(const uint8_t *data, size_t size);

/* Each kernel by its own name: a build holds those of its processor family. */
extern const utf8_kernel utf8_scalar, utf8_sse4, utf8_avx2, utf8_avx512, utf8_neon, utf8_wasm;

#endif
