/* Which kernels this build holds, which of them this machine can run, and the choice of the best. */
#include "compiler.h"
#include "utf8_kernel.h"

const utf8_kernel *const utf8_kernels[] = {
    &utf8_scalar,
};
const size_t utf8_kernel_count = sizeof utf8_kernels / sizeof *utf8_kernels;

bool utf8_kernel_runs(const utf8_kernel *kernel) {
    (void)kernel;
    return true;
}

const utf8_kernel *utf8_kernel_best(void) {
    /* The library's only variable. cpuid is slow under a hypervisor, so the answer is kept; two threads that both
     * find it missing store the same. */
    static const utf8_kernel *best = NULL;
    const utf8_kernel *found = UTF8_LOAD(best);
    if (found != NULL) return found;
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        if (utf8_kernel_runs(utf8_kernels[i])) {
            found = utf8_kernels[i];
            break;
        }
    }
    UTF8_STORE(best, found);
    return found;
}

bool utf8_is_valid(const uint8_t *data, size_t size) { return utf8_kernel_best()->is_valid(data, size); }

size_t utf8_first_error(const uint8_t *data, size_t size) { return utf8_kernel_best()->first_error(data, size); }
