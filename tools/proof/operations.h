#ifndef UTF8_PROOF_OPERATIONS_H
#define UTF8_PROOF_OPERATIONS_H

#include <stdint.h>

/* An intrinsic: operands of 64 bytes each in `in`, what comes out in `out`. */
typedef struct {
    const char *name;
    void (*run)(const uint8_t *in, uint8_t *out);
} operation;

extern const operation instructions[], models[];

#endif
