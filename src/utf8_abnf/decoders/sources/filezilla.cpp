// libfilezilla: fz::is_valid_utf8, whole and in pieces.
#include "stream.h"
#include <libfilezilla/string.hpp>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    size_t state = 0;
    const bool valid = fz::is_valid_utf8(std::string_view(data, size), state);
    *offset = valid ? size : state;
    return verdict(valid && state == 0);
}

static int feeds(char *data, size_t size, int first, int last) {
    static size_t state;
    if (first) state = 0;
    if (!fz::is_valid_utf8(std::string_view(data, size), state)) return REJECTED;
    return last ? verdict(state == 0) : SO_FAR;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"is_valid_utf8", NULL, locates, NULL, feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
