/* Put before each C file of the module by test_arrow_c.py: libc's allocations are counted, and one of them fails. */
#include <stdlib.h>

__attribute__((weak)) long allocations_until_failure, live_allocations;

static inline void *counted(void *memory) {
    live_allocations += memory != NULL;
    return memory;
}

static inline void *failing_calloc(size_t count, size_t size) {
    return --allocations_until_failure == 0 ? NULL : counted(calloc(count, size));
}

static inline void *failing_malloc(size_t size) {
    return --allocations_until_failure == 0 ? NULL : counted(malloc(size));
}

static inline void counting_free(void *memory) {
    live_allocations -= memory != NULL;
    free(memory);
}

#define calloc failing_calloc
#define malloc failing_malloc
#define free counting_free
