/* Which kernels run on which processors, by dispatch.c alone: the kernels are names here. Reads a machine per line in
 * hexadecimal: ECX of cpuid's leaf 1, EBX and ECX of leaf 7, and XCR0. Prints the kernels that run on it. With an
 * argument it prints the best kernel and all others of the processor that it runs on. */
#include <inttypes.h>
#include <stdio.h>

#include "utf8_kernel.h"

const utf8_kernel utf8_scalar = {.name = "scalar"}, utf8_sse4 = {.name = "sse4"}, utf8_avx2 = {.name = "avx2"},
                  utf8_avx512 = {.name = "avx512"};

int main(int count, char **arguments) {
    utf8_machine machine = {{0}, {0}, 0};
    (void)arguments;
    if (count > 1) {
        const utf8_kernel *const best = utf8_kernel_best();
        printf("%s", best->name);
        for (size_t i = 0; i < utf8_kernel_count; i++) {
            if (utf8_kernels[i] != best && utf8_kernel_runs(utf8_kernels[i])) printf(" %s", utf8_kernels[i]->name);
        }
        return 0;
    }
    while (scanf("%" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx64, &machine.leaf1[2], &machine.leaf7[1], &machine.leaf7[2],
                 &machine.xcr0) == 4) {
        for (size_t i = 0; i < utf8_kernel_count; i++) {
            if (utf8_kernel_runs_on(utf8_kernels[i], &machine)) printf("%s ", utf8_kernels[i]->name);
        }
        printf("\n");
    }
    return 0;
}
