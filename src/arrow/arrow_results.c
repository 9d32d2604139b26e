/* See arrow_results.h. */
#include "arrow_results.h"

#include <stdlib.h>
#include <string.h>

#include "compiler.h"

/* Some libraries want a buffer even where it is empty. */
static size_t at_least_a_word(size_t size) { return size < 8 ? 8 : size; }

UTF8_INLINE void set_bit(uint8_t *bits, size_t i) { bits[i / 8] |= (uint8_t)(1u << (i % 8)); }

/* Say in the first buffer of `made` which rows are not null; return how many are. */
static int64_t copy_validity(const utf8_column *column, uint8_t *validity) {
    int64_t nulls = 0;
    for (size_t row = 0; row < column->rows.count; row++) {
        if (utf8_is_null(column, row)) {
            nulls++;
        } else {
            set_bit(validity, row);
        }
    }
    return nulls;
}

static bool may_have_nulls(const utf8_column *column) {
    return column->rows.validity != NULL || column->strings.rows.validity != NULL || column->strings.layout == UTF8_ALL_NULL;
}

utf8_made *utf8_made_verdicts(const utf8_column *column, const uint8_t *bits) {
    const size_t size = at_least_a_word(utf8_bits_size(column->rows.count));
    const size_t sizes[] = {may_have_nulls(column) ? size : 0, size};
    utf8_made *made = utf8_make("b", "", column->rows.count, 2, sizes);
    if (made == NULL) return NULL;
    if (column->rows.count > 0) memcpy(made->buffers[1], bits, utf8_bits_size(column->rows.count));
    if (made->buffers[0] != NULL) made->nulls = copy_validity(column, made->buffers[0]);
    return made;
}

/* ---- first errors ----------------------------------------------------------------------------------------------- */

/* The codes as a dictionary, in the order of utf8_code. */
static utf8_made *made_codes(void) {
    static const char names[] = "UTF8-OVERLONGUTF8-SURROGATEUTF8-TOO-LARGEUTF8-LONE-TAILUTF8-MISSING-TAILUTF8-TRUNCATED";
    static const int32_t offsets[UTF8_CODES + 1] = {0, 13, 27, 41, 55, 72, sizeof names - 1};
    const size_t sizes[] = {0, sizeof offsets, sizeof names - 1};
    utf8_made *made = utf8_make("u", "", UTF8_CODES, 3, sizes);
    if (made == NULL) return NULL;
    memcpy(made->buffers[1], offsets, sizeof offsets);
    memcpy(made->buffers[2], names, sizeof names - 1);
    return made;
}

static utf8_made *made_of_numbers(const char *format, const char *name, size_t count, size_t width) {
    const size_t sizes[] = {0, at_least_a_word(count * width)};
    return utf8_make(format, name, count, 2, sizes);
}

/* Structs without rows that are not null, for `count` rows. */
static utf8_made *made_of_nulls(size_t count) {
    const size_t sizes[] = {at_least_a_word(utf8_bits_size(count))};
    utf8_made *made = utf8_make("+s", "", count, 1, sizes);
    if (made == NULL) return NULL;
    made->nulls = (int64_t)count;
    made->child_count = 3;
    made->children[0] = made_of_numbers("l", "offset", count, sizeof(int64_t));
    made->children[1] = made_of_numbers("c", "length", count, sizeof(int8_t));
    made->children[2] = made_of_numbers("c", "code", count, sizeof(int8_t));
    if (made->children[2] != NULL) made->children[2]->dictionary = made_codes();
    if (made->children[0] != NULL && made->children[1] != NULL && made->children[2] != NULL &&
        made->children[2]->dictionary != NULL) {
        return made;
    }
    utf8_drop(made);
    return NULL;
}

utf8_made *utf8_made_errors(const utf8_kernel *kernel, const utf8_column *column, const uint8_t *bits) {
    utf8_made *made = made_of_nulls(column->rows.count);
    if (made == NULL) return NULL;
    int64_t *const offsets = (int64_t *)(void *)made->children[0]->buffers[1];
    for (size_t row = 0; row < column->rows.count; row++) {
        if (row % 8 == 0 && bits[row / 8] == 0xFF) { /* eight rows without an error */
            row += 7;
            continue;
        }
        if (utf8_bit(bits, row)) continue;
        const utf8_text text = utf8_row(column, row);
        const size_t at = kernel->first_error(text.data, text.size);
        if (at == text.size) continue; /* another thread has changed the bytes since */
        set_bit(made->buffers[0], row);
        made->nulls--;
        offsets[row] = (int64_t)at;
        made->children[1]->buffers[1][row] = (uint8_t)utf8_subpart(text.data + at, text.size - at);
        made->children[2]->buffers[1][row] = (uint8_t)utf8_code_of(text.data + at, text.size - at);
    }
    return made;
}

/* ---- repaired strings ------------------------------------------------------------------------------------------- */

/* Whether the 64 rows from `row` on lie side by side, and none of them is null or ill-formed. */
static bool is_good_run(const utf8_strings *strings, const uint8_t *bits, size_t row) {
    static const uint8_t ones[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    return row % 64 == 0 && strings->rows.count - row >= 64 && strings->rows.validity == NULL &&
           (strings->layout == UTF8_PLAIN_32 || strings->layout == UTF8_PLAIN_64) && memcmp(bits + row / 8, ones, 8) == 0;
}

static utf8_text string_or_repaired(const utf8_strings *strings, const uint8_t *bits, size_t row, const utf8_text **next) {
    if (utf8_string_is_null(strings, row)) return (utf8_text){NULL, 0};
    return utf8_bit(bits, row) ? utf8_string(strings, row) : *(*next)++;
}

/* Copy the strings, or only say in `offsets` where they go, where `out` is NULL. */
static bool copy_strings(const utf8_strings *strings, const uint8_t *bits, const utf8_text *repaired, int64_t *offsets,
                         uint8_t *out) {
    const utf8_offset_width width = strings->layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64;
    for (size_t row = 0; row < strings->rows.count;) {
        const bool run = is_good_run(strings, bits, row);
        const size_t rows = run ? 64 : 1;
        utf8_text text;
        if (run) {
            const int64_t start = utf8_offset(strings->places, width, row);
            text.data = strings->values + start;
            text.size = (size_t)(utf8_offset(strings->places, width, row + 64) - start);
            for (size_t i = 1; out == NULL && i < 64; i++) {
                offsets[row + i] = offsets[row] + utf8_offset(strings->places, width, row + i) - start;
            }
        } else {
            text = string_or_repaired(strings, bits, row, &repaired);
        }
        if (out == NULL) { /* views may share bytes, so no buffer bounds the sum */
            if (text.size > (size_t)PTRDIFF_MAX - (size_t)offsets[row]) return false;
            offsets[row + rows] = offsets[row] + (int64_t)text.size;
        } else if (text.size > 0) {
            memcpy(out + offsets[row], text.data, text.size);
        }
        row += rows;
    }
    return true;
}

utf8_made *utf8_made_strings(const utf8_strings *strings, const uint8_t *bits, const utf8_text *repaired) {
    const bool nulls = strings->rows.validity != NULL || strings->layout == UTF8_ALL_NULL;
    const size_t sizes[] = {nulls ? at_least_a_word(utf8_bits_size(strings->rows.count)) : 0,
                            (strings->rows.count + 1) * sizeof(int64_t), 0};
    utf8_made *made = utf8_make("U", "", strings->rows.count, 3, sizes);
    if (made == NULL) return NULL;
    int64_t *const offsets = (int64_t *)(void *)made->buffers[1];
    for (size_t row = 0; nulls && row < strings->rows.count; row++) {
        if (utf8_string_is_null(strings, row)) {
            made->nulls++;
        } else {
            set_bit(made->buffers[0], row);
        }
    }
    if (copy_strings(strings, bits, repaired, offsets, NULL)) {
        made->buffers[2] = malloc(at_least_a_word((size_t)offsets[strings->rows.count]));
    }
    if (made->buffers[2] == NULL) {
        utf8_drop(made);
        return NULL;
    }
    copy_strings(strings, bits, repaired, offsets, made->buffers[2]);
    return made;
}

utf8_made *utf8_made_indices(const utf8_column *column, utf8_made *dictionary) {
    static const char formats[] = "c\0C\0s\0S\0i\0I\0l\0L";
    const char *format = formats;
    while (*format != column->index) format += 2;
    const size_t size = column->rows.count * utf8_index_width(column->index);
    const size_t sizes[] = {may_have_nulls(column) ? at_least_a_word(utf8_bits_size(column->rows.count)) : 0, at_least_a_word(size)};
    utf8_made *made = utf8_make(format, "", column->rows.count, 2, sizes);
    if (made == NULL) {
        utf8_drop(dictionary);
        return NULL;
    }
    made->dictionary = dictionary;
    if (size > 0) memcpy(made->buffers[1], column->indices, size);
    if (made->buffers[0] != NULL) made->nulls = copy_validity(column, made->buffers[0]);
    const size_t width = utf8_index_width(column->index);
    for (size_t row = 0; made->nulls && row < column->rows.count; row++) { /* an index of a null may be any number */
        if (utf8_is_null(column, row)) memset(made->buffers[1] + row * width, 0, width);
    }
    return made;
}

/* ---- a summary -------------------------------------------------------------------------------------------------- */

void utf8_summarise(const utf8_kernel *kernel, const utf8_column *column, const uint8_t *bits, utf8_column_summary *summary) {
    const bool nulls = may_have_nulls(column);
    for (size_t row = 0; row < column->rows.count; row++) {
        if (nulls && utf8_is_null(column, row)) summary->nulls++;
        if (utf8_bit(bits, row)) continue;
        const utf8_text text = utf8_row(column, row);
        utf8_count_errors(kernel, text.data, text.size, summary->counts);
        summary->ill_formed++;
        if (summary->first_ill_formed < 0) summary->first_ill_formed = (int64_t)(summary->rows + row);
    }
    summary->rows += column->rows.count;
}
