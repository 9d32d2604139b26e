// Xapian: Utf8Iterator; strict_deref marks the bytes of what is ill-formed, operator * gives them as Latin-1.
#include "stream.h"
#include <xapian.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    for (Xapian::Utf8Iterator at(data, size), end; at != end; ++at)
        if (at.strict_deref() >> 31) {
            *offset = static_cast<size_t>(at.raw() - data);
            return REJECTED;
        }
    return ACCEPTED;
}

static int replaces(char *data, size_t size) {
    for (Xapian::Utf8Iterator at(data, size), end; at != end; ++at) say_code_point(*at);
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"Utf8Iterator", NULL, locates, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, Xapian::version_string());
}
