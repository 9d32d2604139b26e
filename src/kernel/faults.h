/* The faults of a text: where the next one is, of which kind it is, and how many there are of each kind.
 *
 * Plain C11, as utf8_kernel.h: no Python, no allocation, no read outside of the input.
 */
#ifndef UTF8_FAULTS_H
#define UTF8_FAULTS_H

#include "utf8_kernel.h"

/* The offset of the next fault in `data` from `at` on, or `limit`. Precondition: `at` is not within a character. */
size_t utf8_next_fault(const utf8_kernel *kernel, const uint8_t *data, size_t at, size_t limit);

/* The kinds of ill-formed sequences, in the order of utf8_abnf.validator.ill_formed.CODES. */
typedef enum {
    UTF8_OVERLONG,
    UTF8_SURROGATE,
    UTF8_TOO_LARGE,
    UTF8_LONE_TAIL,
    UTF8_MISSING_TAIL,
    UTF8_TRUNCATED,
    UTF8_CODES /* how many there are */
} utf8_code;

/* The kind of the ill-formed sequence that begins `data`. Precondition: one does; utf8_subpart says how long it is. */
utf8_code utf8_code_of(const uint8_t *data, size_t size);

/* Add the ill-formed sequences of `data` to `counts`, by kind; return how many they are. Each is a maximal subpart. */
size_t utf8_count_errors(const utf8_kernel *kernel, const uint8_t *data, size_t size, uint64_t counts[UTF8_CODES]);

#endif
