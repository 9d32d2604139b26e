/* MuPDF: fz_chartorune for each character; of a byte that begins none it makes U+FFFD. */
#include "stream.h"
#include <mupdf/fitz.h>

/* Finds the next character at *text*, its length in bytes, and whether it is one. */
static int next(const char *text, int *value, size_t *used) {
    *used = (size_t)fz_chartorune(value, text);
    return *value != 0xFFFD || *used == 3;
}

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    data[size] = 0; /* it wants a C string */
    *length = 0;
    for (size_t at = 0, used; at < size; at += used) {
        int value;
        *offset = at;
        if (!next(data + at, &value, &used)) return REJECTED;
    }
    return ACCEPTED;
}

static int replaces(char *data, size_t size) {
    data[size] = 0;
    for (size_t at = 0, used; at < size; at += used) {
        int value;
        next(data + at, &value, &used);
        say_code_point((uint32_t)value);
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"fz_chartorune", NULL, locates, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, FZ_VERSION);
}
