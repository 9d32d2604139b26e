/* Rows in, verdicts out: see arrow_in.h. */
#include "arrow_in.h"

#include <string.h>

#include "compiler.h"

enum { VIEW_SIZE = 16, MAX_INLINE = 12 }; /* a view of up to 12 bytes holds them itself */

static const utf8_flaw no_flaw = {NULL, -1};

static utf8_flaw flaw(const char *text) { return (utf8_flaw){text, -1}; }

/* ---- what the schema says --------------------------------------------------------------------------------------- */

static utf8_layout layout_of(const char *format) {
    if (format == NULL) return UTF8_NO_TEXT;
    if (strcmp(format, "u") == 0 || strcmp(format, "z") == 0) return UTF8_PLAIN_32;
    if (strcmp(format, "U") == 0 || strcmp(format, "Z") == 0) return UTF8_PLAIN_64;
    if (strcmp(format, "vu") == 0 || strcmp(format, "vz") == 0) return UTF8_VIEWS;
    if (strcmp(format, "n") == 0) return UTF8_ALL_NULL;
    return UTF8_NO_TEXT;
}

size_t utf8_index_width(char format) {
    switch (format) {
        case 'c': case 'C': return 1;
        case 's': case 'S': return 2;
        case 'i': case 'I': return 4;
        case 'l': case 'L': return 8;
        default: return 0;
    }
}

utf8_kind utf8_kind_of(const struct ArrowSchema *schema) {
    utf8_kind kind = {UTF8_NO_TEXT, 0, false};
    if (schema->format != NULL && strcmp(schema->format, "+s") == 0 && schema->n_children == 1 &&
        schema->children != NULL && schema->children[0] != NULL) {
        kind.in_table = true;
        schema = schema->children[0];
    }
    if (schema->dictionary != NULL) {
        if (schema->format == NULL || strlen(schema->format) != 1 || utf8_index_width(*schema->format) == 0) return kind;
        kind.index = *schema->format;
        schema = schema->dictionary;
        if (schema->dictionary != NULL) return kind;
    }
    kind.layout = layout_of(schema->format);
    return kind;
}

/* ---- what the array says -----------------------------------------------------------------------------------------
 *
 * A column is opened from the outside in. Each step refuses what does not fit, and the next one builds on the rest:
 *
 *   open_table     a table of one column: which rows of the column it has
 *   open_indices   rows that are numbers, and lead to a dictionary's strings
 *   open_strings   rows, or a dictionary's: offsets and values, or views and their buffers
 *   open_rows      in both of these: how many rows there are, where they begin, and which are null
 */

/* Rows that are counted in bytes and bits without an overflow. */
#define MAX_ROWS (INT64_MAX / 32)

static utf8_flaw check_length(const struct ArrowArray *array) {
    if (array->length < 0 || array->offset < 0) return flaw("the array's length or offset is negative");
    if (array->length > MAX_ROWS || array->offset > MAX_ROWS) return flaw("the array is too long");
    return no_flaw;
}

/* Which rows of an array are asked for: `count` from row `first` on, or all of them. */
typedef struct {
    bool all;
    int64_t first, count;
} part;

static const part whole = {true, 0, 0};

static utf8_flaw open_rows(const struct ArrowArray *array, part asked, bool has_validity, utf8_rows *rows) {
    const utf8_flaw found = check_length(array);
    if (found.text != NULL) return found;
    const int64_t count = asked.all ? array->length : asked.count;
    if (asked.first + count > array->length) return flaw("a column is shorter than its table");
    if (array->null_count < -1 || array->null_count > array->length) return flaw("the array's null_count is wrong");
    rows->count = (size_t)count;
    rows->skipped = (size_t)(array->offset + asked.first);
    if (!has_validity || array->null_count == 0) return no_flaw;
    if (array->buffers[0] != NULL) {
        rows->validity = (const uint8_t *)array->buffers[0] + rows->skipped / 8;
        rows->bit = rows->skipped % 8;
    } else if (array->null_count > 0) {
        return flaw("the array has nulls but does not say which rows they are");
    }
    return no_flaw;
}

/* The bytes of an offset or a view. */
UTF8_INLINE size_t place_size(utf8_layout layout) {
    return layout == UTF8_VIEWS ? VIEW_SIZE : layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64;
}

static utf8_flaw open_strings(utf8_layout layout, const struct ArrowArray *array, part asked, utf8_strings *strings) {
    strings->layout = layout;
    if (array->n_children != 0) return flaw("a column of strings has no children");
    const bool has_buffers = layout != UTF8_ALL_NULL; /* some libraries give one there */
    if (has_buffers && (array->n_buffers < 3 || (layout != UTF8_VIEWS && array->n_buffers > 3))) {
        return flaw("the array has not the number of buffers that its type has");
    }
    if (has_buffers && array->buffers == NULL) return flaw("the array's buffers are missing");
    const utf8_flaw found = open_rows(array, asked, has_buffers, &strings->rows);
    if (found.text != NULL || strings->rows.count == 0 || !has_buffers) return found;
    if (array->buffers[1] == NULL) return flaw("the array's offsets or views are missing");
    strings->places = (const uint8_t *)array->buffers[1] + strings->rows.skipped * place_size(layout);
    if (layout != UTF8_VIEWS) {
        strings->values = array->buffers[2];
        return no_flaw;
    }
    strings->buffers = array->buffers + 2;
    strings->buffer_count = array->n_buffers - 3;
    strings->sizes = array->buffers[array->n_buffers - 1];
    if (strings->buffer_count > 0 && strings->sizes == NULL) return flaw("the sizes of the buffers are missing");
    return no_flaw;
}

static utf8_flaw open_indices(char format, const struct ArrowArray *array, part asked, utf8_column *column) {
    if (array->dictionary == NULL) return flaw("the array's dictionary is missing");
    if (array->n_buffers != 2 || array->buffers == NULL) {
        return flaw("the array has not the number of buffers that its type has");
    }
    const utf8_flaw found = open_rows(array, asked, true, &column->rows);
    column->index = format;
    if (found.text != NULL || column->rows.count == 0) return found;
    if (array->buffers[1] == NULL) return flaw("the array's indices are missing");
    column->indices = (const uint8_t *)array->buffers[1] + column->rows.skipped * utf8_index_width(format);
    return no_flaw;
}

/* Asked of the bits, because null_count may be -1 where no row is null: in a part of a longer table, for example. */
static bool has_null(const struct ArrowArray *table) {
    int64_t row = table->offset;
    const int64_t end = row + table->length;
    while (row < end && utf8_bit(table->buffers[0], (size_t)row)) row++;
    return row < end;
}

static utf8_flaw open_table(const struct ArrowArray *table, part *asked) {
    if (table->n_children != 1 || table->children == NULL || table->children[0] == NULL) {
        return flaw("the table has not the columns that its type has");
    }
    const utf8_flaw found = check_length(table);
    if (found.text != NULL) return found;
    const bool may_be_null = table->null_count != 0 && table->n_buffers > 0 && table->buffers != NULL;
    if (may_be_null && table->buffers[0] != NULL && has_null(table)) return flaw("rows of the table itself are null");
    *asked = (part){false, table->offset, table->length};
    return no_flaw;
}

utf8_flaw utf8_open_column(utf8_kind kind, const struct ArrowArray *array, utf8_column *column) {
    part asked = whole;
    utf8_flaw found = no_flaw;
    memset(column, 0, sizeof *column);
    if (kind.in_table) {
        found = open_table(array, &asked);
        if (found.text != NULL) return found;
        array = array->children[0];
    }
    if (kind.index) {
        found = open_indices(kind.index, array, asked, column);
        return found.text != NULL ? found : open_strings(kind.layout, array->dictionary, whole, &column->strings);
    }
    found = open_strings(kind.layout, array, asked, &column->strings);
    column->rows = column->strings.rows;
    column->rows.validity = NULL;
    return found;
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static size_t validity_size(const utf8_rows *rows) { return (rows->bit + rows->count + 7) / 8; }

static size_t places_size(const utf8_strings *strings) {
    const size_t count = strings->rows.count + (strings->layout != UTF8_VIEWS); /* one offset more than there are strings */
    return count * place_size(strings->layout);
}

size_t utf8_own(utf8_column *column, uint8_t *room) {
    utf8_strings *const strings = &column->strings;
    const struct {
        const uint8_t **place; /* where the bytes are, NULL where there are none */
        size_t size;
    } kept[] = {
        {&strings->places, places_size(strings)},
        {&strings->rows.validity, validity_size(&strings->rows)},
        {&column->rows.validity, validity_size(&column->rows)},
        {&column->indices, column->rows.count * utf8_index_width(column->index)},
    };
    size_t size = 0;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (*kept[i].place == NULL) continue;
        if (room != NULL) *kept[i].place = memcpy(room + size, *kept[i].place, kept[i].size);
        size += kept[i].size;
    }
    return size;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

UTF8_INLINE bool bit(const uint8_t *bits, size_t i) { return bits[i / 8] >> (i % 8) & 1; }

bool utf8_bit(const uint8_t *bits, size_t i) { return bit(bits, i); }

UTF8_INLINE bool is_null(const utf8_rows *rows, size_t row) {
    return rows->validity != NULL && !bit(rows->validity, rows->bit + row);
}

UTF8_INLINE int32_t read_32(const uint8_t *place) {
    int32_t number;
    memcpy(&number, place, sizeof number);
    return number;
}

UTF8_INLINE int64_t read_64(const uint8_t *place) {
    int64_t number;
    memcpy(&number, place, sizeof number);
    return number;
}

/* A view is read once: another thread may change it after it has been looked at. */
typedef struct {
    int32_t size, buffer, offset; /* the last two of a long one */
} utf8_view;

UTF8_INLINE const uint8_t *view_place(const utf8_strings *strings, size_t row) { return strings->places + row * VIEW_SIZE; }

UTF8_INLINE utf8_view read_view(const uint8_t *place) {
    const int32_t size = read_32(place);
    if (size <= MAX_INLINE) return (utf8_view){size, 0, 0};
    return (utf8_view){size, read_32(place + 8), read_32(place + 12)};
}

UTF8_INLINE utf8_text text_of(const utf8_strings *strings, const uint8_t *place, utf8_view view) {
    if (view.size <= MAX_INLINE) return (utf8_text){place + 4, (size_t)view.size};
    return (utf8_text){(const uint8_t *)strings->buffers[view.buffer] + view.offset, (size_t)view.size};
}

/* Whether a view leads to bytes that it may have. */
UTF8_INLINE bool view_is_right(const utf8_strings *strings, utf8_view view) {
    if (view.size <= MAX_INLINE) return view.size >= 0;
    if (view.buffer < 0 || view.buffer >= strings->buffer_count || view.offset < 0) return false;
    const int64_t end = (int64_t)view.offset + view.size;
    return end <= read_64(strings->sizes + 8 * (size_t)view.buffer) && strings->buffers[view.buffer] != NULL;
}

bool utf8_string_is_null(const utf8_strings *strings, size_t row) {
    if (strings->layout == UTF8_ALL_NULL) return true;
    return is_null(&strings->rows, row);
}

utf8_text utf8_string(const utf8_strings *strings, size_t row) {
    if (strings->layout == UTF8_VIEWS) {
        const uint8_t *const place = view_place(strings, row);
        return text_of(strings, place, read_view(place));
    }
    const utf8_offset_width width = strings->layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64;
    const int64_t start = utf8_offset(strings->places, width, row), end = utf8_offset(strings->places, width, row + 1);
    if (start == end) return (utf8_text){(const uint8_t *)"", 0};
    return (utf8_text){strings->values + start, (size_t)(end - start)};
}

/* Unsigned indices above INT64_MAX become negative, and so are refused. */
UTF8_INLINE int64_t index_at(const uint8_t *indices, char format, size_t row) {
    const uint8_t *const place = indices + row * utf8_index_width(format);
    int16_t number;
    switch (format) {
        case 'c': return (int8_t)*place;
        case 'C': return *place;
        case 's': memcpy(&number, place, sizeof number); return number;
        case 'S': memcpy(&number, place, sizeof number); return (uint16_t)number;
        case 'i': return read_32(place);
        case 'I': return (uint32_t)read_32(place);
        default: return read_64(place);
    }
}

size_t utf8_index(const utf8_column *column, size_t row) {
    return (size_t)index_at(column->indices, column->index, row);
}

bool utf8_is_null(const utf8_column *column, size_t row) {
    if (!column->index) return utf8_string_is_null(&column->strings, row);
    return is_null(&column->rows, row) || utf8_string_is_null(&column->strings, utf8_index(column, row));
}

utf8_text utf8_row(const utf8_column *column, size_t row) {
    return utf8_string(&column->strings, column->index ? utf8_index(column, row) : row);
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

size_t utf8_bits_size(size_t count) { return (count + 63) / 64 * 8; }

UTF8_INLINE void set_bit(uint8_t *bits, size_t i, bool value) { bits[i / 8] |= (uint8_t)((unsigned)value << (i % 8)); }

static utf8_flaw judge_plain(utf8_judge *is_valid, const utf8_strings *strings, uint8_t *bits) {
    const utf8_offset_width width = strings->layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64;
    const size_t count = strings->rows.count;
    const int64_t start = utf8_offset(strings->places, width, 0), end = utf8_offset(strings->places, width, count);
    const size_t limit = (uint64_t)end > PTRDIFF_MAX ? PTRDIFF_MAX : (size_t)end; /* also where it is negative */
    const bool has_values = strings->values != NULL || start == end;
    if (!has_values || !utf8_are_valid(is_valid, strings->values, limit, strings->places, width, count, bits)) {
        const size_t wrong = utf8_wrong_offset(limit, strings->places, width, count);
        if (wrong > count) return flaw("the array's values are missing");
        return (utf8_flaw){"its offsets are negative, decrease, or lead behind the last one", wrong ? (int64_t)wrong - 1 : 0};
    }
    if (strings->rows.validity == NULL) return no_flaw;
    for (size_t row = 0; row < count; row++) set_bit(bits, row, is_null(&strings->rows, row));
    return no_flaw;
}

/* Long views that follow each other without a gap, as libraries write them: judged like strings with offsets. */
enum { RUN_BYTES = 8, MAX_RUN = 8 * RUN_BYTES }; /* a bit for each row */
typedef struct {
    const uint8_t *data;
    size_t count;
    int64_t offsets[MAX_RUN + 1];
    size_t rows[MAX_RUN];
} utf8_run;

static void judge_run(utf8_judge *is_valid, utf8_run *run, uint8_t *bits) {
    uint8_t found[RUN_BYTES];
    utf8_are_valid(is_valid, run->data, (size_t)run->offsets[run->count], run->offsets, UTF8_OFFSETS_64, run->count, found);
    for (size_t i = 0; i < run->count; i++) set_bit(bits, run->rows[i], bit(found, i));
    run->count = 0;
}

UTF8_INLINE bool is_ascii_view(const uint8_t *view) {
    return utf8_ascii_prefix8(view + 4) == 8 && utf8_ascii_prefix8(view + 8) == 8;
}

static utf8_flaw judge_views(utf8_judge *is_valid, const utf8_strings *strings, uint8_t *bits) {
    utf8_run run = {.count = 0};
    for (size_t row = 0; row < strings->rows.count; row++) {
        if (is_null(&strings->rows, row)) {
            set_bit(bits, row, true);
            continue;
        }
        const uint8_t *const place = view_place(strings, row);
        const utf8_view view = read_view(place);
        if (!view_is_right(strings, view)) return (utf8_flaw){"its view leads outside of the buffers", (int64_t)row};
        const utf8_text text = text_of(strings, place, view);
        if (text.size <= MAX_INLINE) {
            set_bit(bits, row, is_ascii_view(place) || is_valid(text.data, text.size));
            continue;
        }
        if (run.count == MAX_RUN || (run.count > 0 && text.data != run.data + run.offsets[run.count])) {
            judge_run(is_valid, &run, bits);
        }
        if (run.count == 0) run.data = text.data;
        run.rows[run.count++] = row;
        run.offsets[run.count] = run.offsets[run.count - 1] + (int64_t)text.size;
    }
    if (run.count > 0) judge_run(is_valid, &run, bits);
    return no_flaw;
}

static utf8_flaw judge_strings(utf8_judge *is_valid, const utf8_strings *strings, uint8_t *bits) {
    if (strings->rows.count == 0) return no_flaw;
    if (strings->layout == UTF8_VIEWS) return judge_views(is_valid, strings, bits);
    if (strings->layout != UTF8_ALL_NULL) return judge_plain(is_valid, strings, bits);
    memset(bits, 0xFF, utf8_bits_size(strings->rows.count));
    return no_flaw;
}

utf8_flaw utf8_judge_column(utf8_judge *is_valid, const utf8_column *column, uint8_t *rows, uint8_t *values) {
    if (!column->index) return judge_strings(is_valid, &column->strings, rows);
    const utf8_flaw found = judge_strings(is_valid, &column->strings, values);
    if (found.text != NULL) return flaw("a value of the dictionary leads outside of its buffer");
    for (size_t row = 0; row < column->rows.count; row++) {
        bool good = true;
        if (!is_null(&column->rows, row)) {
            const int64_t index = index_at(column->indices, column->index, row);
            if ((uint64_t)index >= column->strings.rows.count) { /* as every negative one, read without its sign */
                return (utf8_flaw){"its index leads outside of the dictionary", (int64_t)row};
            }
            good = bit(values, (size_t)index);
        }
        set_bit(rows, row, good);
    }
    return no_flaw;
}
