/* All that the kernels need of it: WebAssembly has no C library of its own. Calls with a known size become instructions. */
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t size);
