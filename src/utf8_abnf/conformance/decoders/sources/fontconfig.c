/* Fontconfig: FcUtf8ToUcs4 for each character. */
#include "stream.h"
#include <fontconfig/fontconfig.h>


static int to_ucs4_locates(char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    for (size_t at = 0; at < size;) {
        FcChar32 character;
        int used = FcUtf8ToUcs4((FcChar8 *)data + at, &character, (int)(size - at));
        *offset = at;
        if (used <= 0) return REJECTED;
        at += (size_t)used;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"FcUtf8ToUcs4", NULL, to_ucs4_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
