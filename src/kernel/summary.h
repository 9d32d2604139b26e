/* What is in a piece of text, counted at a kernel's speed where it is well-formed. Plain C11, as utf8_kernel.h. */
#ifndef UTF8_SUMMARY_H
#define UTF8_SUMMARY_H

#include "faults.h"

typedef struct {
    uint64_t units, newlines, column; /* units: characters and ill-formed sequences; column: those since the last LF */
    uint64_t codes[UTF8_CODES];
    bool has_first; /* the first ill-formed sequence: its place as above, counted before it */
    uint64_t offset, first_newlines, first_column;
    unsigned code;
} utf8_summary;

/* Add what is in `data`, at whose start a character begins, to `sum`, which begins as zeros. A sequence that the end cuts
 * has a missing tail. */
void utf8_summarize(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum);

/* The same where `data` is well-formed, which is not looked at; `kernel` says what registers there are. */
void utf8_count_well_formed(const utf8_kernel *kernel, const uint8_t *data, size_t size, utf8_summary *sum);

#endif
