// Poppler: utf8ToUCS4 of UTF.h, which puts U+FFFD for what is ill-formed.
#include "stream.h"
#include <UTF.h>

static int decodes(const char *text, int says) {
    Unicode *values = NULL;
    int count = utf8ToUCS4(text, &values), answer = ACCEPTED;
    for (int at = 0; at < count; at++)
        if (says) say_code_point(values[at]);
        else if (values[at] == 0xFFFD) answer = REJECTED;
    free(values);
    return answer;
}

static int accepts(char *data, size_t size) {
    char *text = c_string(data, size);
    if (!text) return UNJUDGED;
    // With U+FFFC for each U+FFFD of the data, every U+FFFD that comes out marks an error.
    for (char *mark = text; (mark = strstr(mark, "\xEF\xBF\xBD"));) mark[2] = '\xBC';
    return decodes(text, 0);
}

static int replaces(char *data, size_t size) {
    char *text = c_string(data, size);
    return text ? decodes(text, 1) : UNJUDGED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"utf8ToUCS4", accepts, NULL, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
