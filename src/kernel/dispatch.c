/* The kernels of this build, which of them this machine can run, and the choice of the best. */
#include "compiler.h"
#include "utf8_kernel.h"

const utf8_kernel *const utf8_kernels[] = {
#if UTF8_X86
    &utf8_avx512,
    &utf8_avx2,
#endif
#if UTF8_NEON
    &utf8_neon, /* every AArch64 processor has it */
#endif
    &utf8_scalar,
};
const size_t utf8_kernel_count = sizeof utf8_kernels / sizeof *utf8_kernels;

#if UTF8_X86
/* Intel's manual, volume 2, CPUID, and volume 1, 13.3 for XCR0. Names as printed there. */
enum {
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF1_ECX_AVX = 1 << 28,
    LEAF7_EBX_AVX2 = 1 << 5,
    LEAF7_EBX_BMI2 = 1 << 8,
    LEAF7_EBX_AVX512F = 1 << 16,
    LEAF7_EBX_AVX512BW = 1 << 30,
    LEAF7_ECX_AVX512VBMI = 1 << 1,
    XCR0_YMM = 0x06, /*          ______11_  the state of xmm and of ymm's upper half */
    XCR0_ZMM = 0xE6, /*          111__11_   ... of the mask registers, zmm's upper half and zmm16..31 */
};

static bool has(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

static bool runs_on_x86(const utf8_kernel *kernel) {
    uint32_t leaf1[4], leaf7[4];
    utf8_cpuid(1, 0, leaf1);
    utf8_cpuid(7, 0, leaf7);
    if (!has(leaf1[2], LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX)) return false;
    const uint32_t saved = (uint32_t)utf8_xcr0();
    if (kernel == &utf8_avx2) return has(saved, XCR0_YMM) && has(leaf7[1], LEAF7_EBX_AVX2);
    return has(saved, XCR0_ZMM) && has(leaf7[1], LEAF7_EBX_AVX2 | LEAF7_EBX_BMI2) &&
           has(leaf7[1], LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512BW) && has(leaf7[2], LEAF7_ECX_AVX512VBMI);
}
#endif

bool utf8_kernel_runs(const utf8_kernel *kernel) {
#if UTF8_X86
    if (kernel != &utf8_scalar) return runs_on_x86(kernel);
#endif
    (void)kernel;
    return true;
}

const utf8_kernel *utf8_kernel_best(void) {
    /* The library's only variable. cpuid is slow under a hypervisor, so the answer is kept. Two threads that both
     * find it missing store the same value. */
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
