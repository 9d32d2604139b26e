/* See arrow_out.h. */
#include "arrow_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"

utf8_made *utf8_make(const char *format, const char *name, size_t length, int64_t buffer_count, const size_t *sizes) {
    utf8_made *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    *made = (utf8_made){.uses = 1, .format = format, .name = name, .length = (int64_t)length, .buffer_count = buffer_count};
    for (int64_t i = 0; i < buffer_count; i++) {
        if (sizes[i] > 0 && (made->buffers[i] = calloc(sizes[i], 1)) == NULL) {
            utf8_drop(made);
            return NULL;
        }
    }
    return made;
}

utf8_made *utf8_keep(utf8_made *made) {
    UTF8_ADD(made->uses, 1);
    return made;
}

void utf8_drop(utf8_made *made) {
    if (made == NULL || UTF8_ADD(made->uses, -1) > 1) return;
    for (int i = 0; i < UTF8_MAX_BUFFERS; i++) free(made->buffers[i]);
    for (int i = 0; i < UTF8_MAX_CHILDREN; i++) utf8_drop(made->children[i]);
    utf8_drop(made->dictionary);
    free(made);
}

/* ---- types ------------------------------------------------------------------------------------------------------ */

/* What hangs on a schema that is handed over. */
typedef struct {
    struct ArrowSchema children[UTF8_MAX_CHILDREN], dictionary;
    struct ArrowSchema *list[UTF8_MAX_CHILDREN];
} schema_parts;

static void release_schema(struct ArrowSchema *schema) {
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
    }
    if (schema->dictionary != NULL && schema->dictionary->release != NULL) schema->dictionary->release(schema->dictionary);
    free(schema->private_data);
    schema->release = NULL;
}

bool utf8_export_schema(const utf8_made *prototype, struct ArrowSchema *out) {
    schema_parts *parts = calloc(1, sizeof *parts);
    if (parts == NULL) return false;
    *out = (struct ArrowSchema){.format = prototype->format, .name = prototype->name, .flags = ARROW_FLAG_NULLABLE};
    out->children = parts->list;
    out->private_data = parts;
    out->release = release_schema;
    bool good = true;
    for (int64_t i = 0; good && i < prototype->child_count; i++) {
        parts->list[i] = &parts->children[i];
        good = utf8_export_schema(prototype->children[i], parts->list[i]);
        out->n_children += good;
    }
    if (good && prototype->dictionary != NULL) {
        good = utf8_export_schema(prototype->dictionary, &parts->dictionary);
        if (good) out->dictionary = &parts->dictionary;
    }
    if (!good) release_schema(out);
    return good;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

typedef struct {
    utf8_made *made;
    const void *buffers[UTF8_MAX_BUFFERS];
    struct ArrowArray children[UTF8_MAX_CHILDREN], dictionary;
    struct ArrowArray *list[UTF8_MAX_CHILDREN];
} array_parts;

static void release_array(struct ArrowArray *array) {
    array_parts *const parts = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
    }
    if (array->dictionary != NULL && array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
    utf8_drop(parts->made);
    free(parts);
    array->release = NULL;
}

bool utf8_export_array(utf8_made *made, struct ArrowArray *out) {
    array_parts *parts = calloc(1, sizeof *parts);
    if (parts == NULL) return false;
    parts->made = utf8_keep(made);
    for (int i = 0; i < UTF8_MAX_BUFFERS; i++) parts->buffers[i] = made->buffers[i];
    *out = (struct ArrowArray){.length = made->length, .null_count = made->nulls, .n_buffers = made->buffer_count};
    out->buffers = parts->buffers;
    out->children = parts->list;
    out->private_data = parts;
    out->release = release_array;
    bool good = true;
    for (int64_t i = 0; good && i < made->child_count; i++) {
        parts->list[i] = &parts->children[i];
        good = utf8_export_array(made->children[i], parts->list[i]);
        out->n_children += good;
    }
    if (good && made->dictionary != NULL) {
        good = utf8_export_array(made->dictionary, &parts->dictionary);
        if (good) out->dictionary = &parts->dictionary;
    }
    if (!good) release_array(out);
    return good;
}

/* ---- several parts ---------------------------------------------------------------------------------------------- */

typedef struct {
    utf8_made *prototype;
    size_t count, next;
    utf8_made *parts[];
} stream_parts;

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    const stream_parts *const parts = stream->private_data;
    return utf8_export_schema(parts->prototype, out) ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    stream_parts *const parts = stream->private_data;
    memset(out, 0, sizeof *out);
    if (parts->next == parts->count) return 0;
    if (!utf8_export_array(parts->parts[parts->next], out)) return ENOMEM;
    parts->next++;
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "no memory is left";
}

static void release_stream(struct ArrowArrayStream *stream) {
    stream_parts *const parts = stream->private_data;
    for (size_t i = 0; i < parts->count; i++) utf8_drop(parts->parts[i]);
    utf8_drop(parts->prototype);
    free(parts);
    stream->release = NULL;
}

bool utf8_export_stream(utf8_made *prototype, utf8_made *const *made, size_t count, struct ArrowArrayStream *out) {
    stream_parts *parts = calloc(1, sizeof *parts + count * sizeof *parts->parts);
    if (parts == NULL) return false;
    parts->prototype = utf8_keep(prototype);
    parts->count = count;
    for (size_t i = 0; i < count; i++) parts->parts[i] = utf8_keep(made[i]);
    *out = (struct ArrowArrayStream){stream_schema, stream_next, stream_error, release_stream, parts};
    return true;
}
