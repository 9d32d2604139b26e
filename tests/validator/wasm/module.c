/* What compare.mjs calls, and room for a text. */
#include "utf8_kernel.h"

#define EXPORT(name) __attribute__((export_name(#name)))

__attribute__((aligned(64))) uint8_t room[1 << 17];

/* For calls whose size is not known to the compiler. */
void *memcpy(void *to, const void *from, size_t size);
__attribute__((no_builtin("memcpy"))) void *memcpy(void *to, const void *from, size_t size) {
    uint8_t *target = to;
    const uint8_t *source = from;
    for (size_t i = 0; i < size; i++) target[i] = source[i];
    return to;
}

EXPORT(simd_first_error) size_t simd_first_error(const uint8_t *data, size_t size) { return utf8_wasm.first_error(data, size); }

EXPORT(simd_is_valid) bool simd_is_valid(const uint8_t *data, size_t size) { return utf8_wasm.is_valid(data, size); }

EXPORT(scalar_first_error) size_t scalar_first_error(const uint8_t *data, size_t size) {
    return utf8_scalar.first_error(data, size);
}
