/* What a judged column becomes: verdicts, first errors, repaired strings, a summary. `bits` are utf8_judge_column's.
 *
 * Every function returns NULL, or false, when memory runs out. Plain C11.
 */
#ifndef UTF8_ARROW_RESULTS_H
#define UTF8_ARROW_RESULTS_H

#include "arrow_in.h"
#include "arrow_out.h"
#include "faults.h"

/* Booleans, null where the column is null. */
utf8_made *utf8_made_verdicts(const utf8_column *column, const uint8_t *bits);

/* Structs of offset, length and code, null where the row is well-formed or null. */
utf8_made *utf8_made_errors(const utf8_kernel *kernel, const utf8_column *column, const uint8_t *bits);

/* Strings with offsets of 64 bits: those of `strings`, and in place of each ill-formed one the next of `repaired`. */
utf8_made *utf8_made_strings(const utf8_strings *strings, const uint8_t *bits, const utf8_text *repaired);

/* The rows of a dictionary's column with another dictionary, of which this takes over the one use. */
utf8_made *utf8_made_indices(const utf8_column *column, utf8_made *dictionary);

typedef struct {
    uint64_t rows, nulls, ill_formed;
    int64_t first_ill_formed; /* its row; -1 where there is none */
    uint64_t counts[UTF8_CODES];
} utf8_column_summary;

/* Add a column, whose rows follow those that `summary` has. */
void utf8_summarise(const utf8_kernel *kernel, const utf8_column *column, const uint8_t *bits, utf8_column_summary *summary);

#endif
