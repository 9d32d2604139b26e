/* Jansson: json_loadb of a string. */
#include "stream.h"
#include "json_string.h"
#include <jansson.h>

static int accepts(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    json_t *value = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    int answer = value ? unmarked(json_string_value(value), json_string_length(value), data, size) : REJECTED;
    json_decref(value);
    return answer;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"json_loadb", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, JANSSON_VERSION);
}
