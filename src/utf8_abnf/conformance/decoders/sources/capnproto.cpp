// Cap'n Proto's KJ: encodeUtf32, which tells of errors and puts U+FFFD for them.
#include "stream.h"
#include <kj/encoding.h>

static int accepts(char *data, size_t size) { return verdict(!kj::encodeUtf32(kj::arrayPtr(data, size)).hadErrors); }

static int replaces(char *data, size_t size) {
    const auto text = kj::encodeUtf32(kj::arrayPtr(data, size));
    for (const char32_t each : text) say_code_point(each);
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"encodeUtf32", accepts, NULL, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
