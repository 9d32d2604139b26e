/* The kernels of this build, which of them this machine can run, and the choice of the best. */
#include "compiler.h"
#include "utf8_kernel.h"

const utf8_kernel *const utf8_kernels[] = {
#if UTF8_X86
    &utf8_avx512,
    &utf8_avx2,
    &utf8_sse4,
#endif
#if UTF8_NEON
    &utf8_neon, /* every AArch64 processor has it */
#endif
#if UTF8_WASM
    &utf8_wasm, /* else the module would not have been loaded */
#endif
    &utf8_scalar,
};
const size_t utf8_kernel_count = sizeof utf8_kernels / sizeof *utf8_kernels;

#if UTF8_X86
/* Intel's manual, volume 2, CPUID, and volume 1, 13.3 for XCR0. Names as printed there. */
enum {
    LEAF1_ECX_SSSE3 = 1 << 9,
    LEAF1_ECX_SSE41 = 1 << 19,
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

bool utf8_kernel_runs_on(const utf8_kernel *kernel, const utf8_machine *machine) {
    const uint32_t ecx1 = machine->leaf1[2], ebx7 = machine->leaf7[1], ecx7 = machine->leaf7[2];
    const uint32_t saved = has(ecx1, LEAF1_ECX_OSXSAVE) ? (uint32_t)machine->xcr0 : 0;
    const bool avx2 = has(ecx1, LEAF1_ECX_AVX) && has(saved, XCR0_YMM) && has(ebx7, LEAF7_EBX_AVX2);
    if (kernel == &utf8_sse4) return has(ecx1, LEAF1_ECX_SSSE3 | LEAF1_ECX_SSE41);
    if (kernel == &utf8_avx2) return avx2;
    if (kernel != &utf8_avx512) return true;
    return avx2 && has(saved, XCR0_ZMM) && has(ecx7, LEAF7_ECX_AVX512VBMI) &&
           has(ebx7, LEAF7_EBX_BMI2 | LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512BW);
}

bool utf8_kernel_runs(const utf8_kernel *kernel) {
    utf8_machine machine = {{0}, {0}, 0};
    utf8_cpuid(1, 0, machine.leaf1);
    utf8_cpuid(7, 0, machine.leaf7);
    if (has(machine.leaf1[2], LEAF1_ECX_OSXSAVE)) machine.xcr0 = utf8_xcr0();
    return utf8_kernel_runs_on(kernel, &machine);
}
#else
bool utf8_kernel_runs(const utf8_kernel *kernel) {
    (void)kernel;
    return true;
}
#endif

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
