/* utf8.h: utf8valid, which points at what is wrong. */
#include "stream.h"
#include <utf8/utf8.h>

static int valid_locates(char *data, size_t size, size_t *offset, size_t *length) {
    char *text = c_string(data, size);
    *length = 0;
    if (!text) return UNJUDGED;
    char *wrong = (char *)utf8valid((const utf8_int8_t *)text);
    *offset = (size_t)(wrong - text);
    return verdict(!wrong);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"utf8valid", NULL, valid_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
