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

/* ---- what the array says ---------------------------------------------------------------------------------------- */

/* Rows that are counted in bytes and bits without an overflow. */
#define MAX_ROWS (INT64_MAX / 32)

/* Which rows of an array are looked at:
 *
 *   array->offset   rows that the array itself leaves out
 *   before          rows that its table leaves out as well
 *   count           the rows; -1: as many as are left
 *
 * Written are how many these are, how many come before them in the buffers (the first two together), and the bits that say
 * which are not null, NULL where no row is. */
static utf8_flaw open_rows(const struct ArrowArray *array, int64_t before, int64_t count, size_t *rows, size_t *first,
                           const uint8_t **validity, bool has_validity) {
    if (array->length < 0 || array->offset < 0) return flaw("the array's length or offset is negative");
    if (array->length > MAX_ROWS || array->offset > MAX_ROWS || before > MAX_ROWS) return flaw("the array is too long");
    if (count < 0) count = array->length - before;
    if (count < 0 || before + count > array->length) return flaw("a column is shorter than its table");
    if (array->null_count < -1 || array->null_count > array->length) return flaw("the array's null_count is wrong");
    *rows = (size_t)count;
    *first = (size_t)(array->offset + before);
    *validity = !has_validity || array->null_count == 0 ? NULL : array->buffers[0];
    if (has_validity && array->null_count > 0 && *validity == NULL) {
        return flaw("the array has nulls but does not say which rows they are");
    }
    return no_flaw;
}

static utf8_flaw open_strings(utf8_layout layout, const struct ArrowArray *array, int64_t before, int64_t count,
                              utf8_strings *strings) {
    memset(strings, 0, sizeof *strings);
    strings->layout = layout;
    if (array->n_children != 0) return flaw("a column of strings has no children");
    const bool has_buffers = layout != UTF8_ALL_NULL; /* some libraries give one there */
    if (has_buffers && (array->n_buffers < 3 || (layout != UTF8_VIEWS && array->n_buffers > 3))) {
        return flaw("the array has not the number of buffers that its type has");
    }
    if (has_buffers && array->buffers == NULL) return flaw("the array's buffers are missing");
    const utf8_flaw found =
        open_rows(array, before, count, &strings->count, &strings->first, &strings->validity, has_buffers);
    if (found.text != NULL || strings->count == 0 || !has_buffers) return found;
    strings->places = array->buffers[1];
    if (strings->places == NULL) return flaw("the array's offsets or views are missing");
    if (layout == UTF8_VIEWS) {
        strings->buffers = array->buffers + 2;
        strings->buffer_count = array->n_buffers - 3;
        strings->sizes = array->buffers[array->n_buffers - 1];
        strings->places += strings->first * VIEW_SIZE;
        if (strings->buffer_count > 0 && strings->sizes == NULL) return flaw("the sizes of the buffers are missing");
    } else {
        strings->values = array->buffers[2];
        strings->places += strings->first * (layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64);
    }
    return no_flaw;
}

/* Asked of the bits, because null_count may be -1 where no row is null: in a part of a longer table, for example. */
static bool has_null(const struct ArrowArray *table) {
    int64_t row = table->offset;
    const int64_t end = row + table->length;
    while (row < end && utf8_bit(table->buffers[0], (size_t)row)) row++;
    return row < end;
}

utf8_flaw utf8_open_column(utf8_kind kind, const struct ArrowArray *array, utf8_column *column) {
    int64_t before = 0, count = -1;
    memset(column, 0, sizeof *column);
    if (kind.in_table) {
        const struct ArrowArray *table = array;
        if (table->n_children != 1 || table->children == NULL || table->children[0] == NULL) {
            return flaw("the table has not the columns that its type has");
        }
        if (table->length < 0 || table->offset < 0) return flaw("the array's length or offset is negative");
        if (table->length > MAX_ROWS || table->offset > MAX_ROWS) return flaw("the array is too long");
        const bool may_be_null = table->null_count != 0 && table->n_buffers > 0 && table->buffers != NULL;
        if (may_be_null && table->buffers[0] != NULL && has_null(table)) return flaw("rows of the table itself are null");
        before = table->offset;
        count = table->length;
        array = table->children[0];
    }
    utf8_strings *const strings = &column->strings;
    if (!kind.index) {
        const utf8_flaw found = open_strings(kind.layout, array, before, count, strings);
        column->count = strings->count;
        column->first = strings->first;
        column->validity = strings->validity;
        return found;
    }
    if (array->dictionary == NULL) return flaw("the array's dictionary is missing");
    if (array->n_buffers != 2 || array->buffers == NULL) {
        return flaw("the array has not the number of buffers that its type has");
    }
    utf8_flaw found = open_rows(array, before, count, &column->count, &column->first, &column->validity, true);
    if (found.text == NULL) found = open_strings(kind.layout, array->dictionary, 0, -1, strings);
    if (found.text != NULL) return found;
    column->index = kind.index;
    if (column->count == 0) return no_flaw;
    if (array->buffers[1] == NULL) return flaw("the array's indices are missing");
    column->indices = (const uint8_t *)array->buffers[1] + column->first * utf8_index_width(kind.index);
    return no_flaw;
}

/* To keep a column, utf8_own goes through it twice: first without room, to learn how many bytes the copies take, then with
 * so much room. Each of these functions copies what is at its first argument to `*room`, lets both point where they should
 * from then on (the place to the copy, the room behind it), and returns how many bytes it takes. */
static size_t keep(const uint8_t **place, size_t size, uint8_t **room) {
    if (*place == NULL) return 0;
    if (*room != NULL) {
        *place = memcpy(*room, *place, size);
        *room += size;
    }
    return size;
}

/* The bits of `count` rows, of which `*first` others come before; in the copy these are fewer than eight. */
static size_t keep_bits(const uint8_t **bits, size_t *first, size_t count, uint8_t **room) {
    if (*bits == NULL) return 0;
    const uint8_t *begun = *bits + *first / 8;
    const size_t size = keep(&begun, (*first % 8 + count + 7) / 8, room);
    if (*room != NULL) {
        *bits = begun;
        *first %= 8;
    }
    return size;
}

static size_t places_size(const utf8_strings *strings) {
    if (strings->layout == UTF8_VIEWS) return strings->count * VIEW_SIZE;
    return (strings->count + 1) * (strings->layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64);
}

size_t utf8_own(utf8_column *column, uint8_t *room) {
    utf8_strings *const strings = &column->strings;
    size_t size = keep(&strings->places, places_size(strings), &room);
    size += keep_bits(&strings->validity, &strings->first, strings->count, &room);
    if (column->index) {
        size += keep_bits(&column->validity, &column->first, column->count, &room);
        return size + keep(&column->indices, column->count * utf8_index_width(column->index), &room);
    }
    column->validity = strings->validity;
    column->first = strings->first;
    return size;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

UTF8_INLINE bool bit(const uint8_t *bits, size_t i) { return bits[i / 8] >> (i % 8) & 1; }

bool utf8_bit(const uint8_t *bits, size_t i) { return bit(bits, i); }

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
    return strings->validity != NULL && !bit(strings->validity, strings->first + row);
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
    if (column->validity != NULL && !bit(column->validity, column->first + row)) return true;
    return utf8_string_is_null(&column->strings, utf8_index(column, row));
}

utf8_text utf8_row(const utf8_column *column, size_t row) {
    return utf8_string(&column->strings, column->index ? utf8_index(column, row) : row);
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

size_t utf8_bits_size(size_t count) { return (count + 63) / 64 * 8; }

UTF8_INLINE void set_bit(uint8_t *bits, size_t i, bool value) { bits[i / 8] |= (uint8_t)((unsigned)value << (i % 8)); }

static utf8_flaw judge_plain(utf8_judge *is_valid, const utf8_strings *strings, uint8_t *bits) {
    const utf8_offset_width width = strings->layout == UTF8_PLAIN_32 ? UTF8_OFFSETS_32 : UTF8_OFFSETS_64;
    const size_t count = strings->count;
    const int64_t start = utf8_offset(strings->places, width, 0), end = utf8_offset(strings->places, width, count);
    const size_t limit = end < 0 || (uint64_t)end > PTRDIFF_MAX ? PTRDIFF_MAX : (size_t)end;
    const bool has_values = strings->values != NULL || start == end;
    if (!has_values || !utf8_are_valid(is_valid, strings->values, limit, strings->places, width, count, bits)) {
        const size_t wrong = utf8_wrong_offset(limit, strings->places, width, count);
        if (wrong > count) return flaw("the array's values are missing");
        return (utf8_flaw){"its offsets are negative, decrease, or lead behind the last one", wrong ? (int64_t)wrong - 1 : 0};
    }
    if (strings->validity == NULL) return no_flaw;
    for (size_t row = 0; row < count; row++) set_bit(bits, row, !bit(strings->validity, strings->first + row));
    return no_flaw;
}

/* Long views that follow each other without a gap, as libraries write them: judged like strings with offsets. */
enum { MAX_RUN = 64 };
typedef struct {
    const uint8_t *data;
    size_t count;
    int64_t offsets[MAX_RUN + 1];
    size_t rows[MAX_RUN];
} utf8_run;

static void judge_run(utf8_judge *is_valid, utf8_run *run, uint8_t *bits) {
    uint8_t found[MAX_RUN / 8];
    utf8_are_valid(is_valid, run->data, (size_t)run->offsets[run->count], run->offsets, UTF8_OFFSETS_64, run->count, found);
    for (size_t i = 0; i < run->count; i++) set_bit(bits, run->rows[i], bit(found, i));
    run->count = 0;
}

UTF8_INLINE bool is_ascii_view(const uint8_t *view) {
    return utf8_ascii_prefix8(view + 4) == 8 && utf8_ascii_prefix8(view + 8) == 8;
}

static utf8_flaw judge_views(utf8_judge *is_valid, const utf8_strings *strings, uint8_t *bits) {
    utf8_run run = {.count = 0};
    for (size_t row = 0; row < strings->count; row++) {
        if (strings->validity != NULL && !bit(strings->validity, strings->first + row)) {
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
    const size_t size = utf8_bits_size(strings->count);
    if (size == 0) return no_flaw;
    memset(bits, strings->layout == UTF8_ALL_NULL ? 0xFF : 0, size);
    if (strings->layout == UTF8_ALL_NULL) return no_flaw;
    if (strings->layout == UTF8_VIEWS) return judge_views(is_valid, strings, bits);
    return judge_plain(is_valid, strings, bits);
}

utf8_flaw utf8_judge_column(utf8_judge *is_valid, const utf8_column *column, uint8_t *rows, uint8_t *values) {
    if (!column->index) return judge_strings(is_valid, &column->strings, rows);
    const utf8_flaw found = judge_strings(is_valid, &column->strings, values);
    if (found.text != NULL) return flaw("a value of the dictionary leads outside of its buffer");
    if (column->count > 0) memset(rows, 0, utf8_bits_size(column->count));
    for (size_t row = 0; row < column->count; row++) {
        bool good = true;
        if (column->validity == NULL || bit(column->validity, column->first + row)) {
            const int64_t index = index_at(column->indices, column->index, row);
            if (index < 0 || (uint64_t)index >= column->strings.count) {
                return (utf8_flaw){"its index leads outside of the dictionary", (int64_t)row};
            }
            good = bit(values, (size_t)index);
        }
        set_bit(rows, row, good);
    }
    return no_flaw;
}
