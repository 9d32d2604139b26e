/* GLib: g_utf8_validate_len and g_utf8_make_valid, g_utf8_to_ucs4. */
#include "stream.h"
#include <glib.h>

/* GLib documents that NUL is refused, or ends the text. */
static int has_nul(const char *data, size_t size) { return memchr(data, 0, size) != NULL; }

static int validate_locates(char *data, size_t size, size_t *offset, size_t *length) {
    const char *end;
    *length = 0;
    if (has_nul(data, size)) return UNJUDGED;
    if (g_utf8_validate_len(data, size, &end)) return ACCEPTED;
    *offset = (size_t)(end - data);
    return REJECTED;
}

static int make_valid_replaces(char *data, size_t size) {
    if (has_nul(data, size)) return UNJUDGED;
    char *text = g_utf8_make_valid(data, (gssize)size);
    say(text, strlen(text));
    g_free(text);
    return ACCEPTED;
}

static int to_ucs4_locates(char *data, size_t size, size_t *offset, size_t *length) {
    glong read = 0;
    *length = 0;
    if (has_nul(data, size)) return UNJUDGED;
    GError *error = NULL;
    gunichar *text = g_utf8_to_ucs4(data, (glong)size, &read, NULL, &error);
    if (!text) g_clear_error(&error);
    int accepted = text && (size_t)read == size; /* asked how far it came, it tells a cut in no other way */
    g_free(text);
    *offset = (size_t)read;
    return verdict(accepted);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"g_utf8_validate_len", NULL, validate_locates, make_valid_replaces, NULL},
        {"g_utf8_to_ucs4", NULL, to_ucs4_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
