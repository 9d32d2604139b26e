/* JSON-C: json_tokener_parse_ex of a string, with and without JSON_TOKENER_VALIDATE_UTF8. */
#include "stream.h"
#include "json_string.h"
#include <json.h>

static int parse(char *data, size_t size, int flags) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, flags);
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)length + 1);
    int answer = REJECTED;
    if (json_tokener_get_error(tokener) == json_tokener_success)
        answer = unmarked(json_object_get_string(value), (size_t)json_object_get_string_len(value), data, size);
    json_object_put(value);
    json_tokener_free(tokener);
    return answer;
}

static int validating(char *data, size_t size) { return parse(data, size, JSON_TOKENER_VALIDATE_UTF8); }

static int plain(char *data, size_t size) { return parse(data, size, JSON_TOKENER_STRICT); }

int main(int count, char **words) {
    const struct decoder table[] = {
        {"VALIDATE_UTF8", validating, NULL, NULL, NULL},
        {"STRICT", plain, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, json_c_version());
}
