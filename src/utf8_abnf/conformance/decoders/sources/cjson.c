/* cJSON: cJSON_ParseWithLength of a string. */
#include "stream.h"
#include "json_string.h"
#include <cjson/cJSON.h>

static int accepts(char *data, size_t size) {
    size_t length;
    if (memchr(data, 0, size)) return UNJUDGED; /* what it gives is a C string */
    char *text = json_quoted(data, size, &length);
    cJSON *value = cJSON_ParseWithLength(text, length);
    int answer = value ? unmarked(value->valuestring, strlen(value->valuestring), data, size) : REJECTED;
    cJSON_Delete(value);
    return answer;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"cJSON_ParseWithLength", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, cJSON_Version());
}
