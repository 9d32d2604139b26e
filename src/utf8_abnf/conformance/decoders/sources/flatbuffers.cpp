// FlatBuffers: FromUTF8 for each character.
#include "stream.h"
#include <flatbuffers/base.h>
#include <flatbuffers/util.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    // It has no length: the byte behind the data ends it. NUL in the data is a character like any other.
    const char *at = data, *end = data + size;
    *length = 0;
    data[size] = 0;
    while (at < end) {
        *offset = static_cast<size_t>(at - data);
        if (flatbuffers::FromUTF8(&at) < 0) return REJECTED;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"FromUTF8", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
