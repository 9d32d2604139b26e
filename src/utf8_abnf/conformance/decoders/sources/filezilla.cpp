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

// Byte by byte, with the state that the function exposes for that.
static int pieces_accept(char *data, size_t size) {
    size_t state = 0;
    for (size_t at = 0; at < size; at++)
        if (!fz::is_valid_utf8(std::string_view(data + at, 1), state)) return REJECTED;
    return verdict(state == 0);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"is_valid_utf8", NULL, locates, NULL, NULL},
        {"pieces", pieces_accept, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
