/* S-Lang: SLutf8_decode for each character. */
#include "stream.h"
#include <slang.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    SLuchar_Type *at = (SLuchar_Type *)data, *end = at + size;
    *length = 0;
    while (at < end) {
        SLwchar_Type character;
        SLuchar_Type *next = SLutf8_decode(at, end, &character, NULL);
        *offset = (size_t)(at - (SLuchar_Type *)data);
        if (!next) return REJECTED;
        at = next;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"SLutf8_decode", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, SLANG_VERSION_STRING);
}
