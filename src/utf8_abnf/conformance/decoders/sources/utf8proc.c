/* utf8proc_iterate, which gives one character each time. */
#include "stream.h"
#include <utf8proc.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    for (size_t at = 0; at < size;) {
        utf8proc_int32_t character;
        utf8proc_uint8_t *from = (utf8proc_uint8_t *)data + at;
        utf8proc_ssize_t used = utf8proc_iterate(from, (utf8proc_ssize_t)(size - at), &character);
        *offset = at;
        if (used < 0) return REJECTED;
        at += (size_t)used;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"utf8proc_iterate", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, utf8proc_version());
}
