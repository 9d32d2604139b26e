/* GNU libunistring: u8_check, and u8_mbtouc for mode r. */
#include "stream.h"
#include <unistr.h>
#include <unistring/version.h>

static int check_locates(char *data, size_t size, size_t *offset, size_t *length) {
    const uint8_t *wrong = u8_check((const uint8_t *)data, size);
    *length = 0;
    if (!wrong) return ACCEPTED;
    *offset = (size_t)(wrong - (const uint8_t *)data);
    return REJECTED;
}

/* u8_mbtouc gives U+FFFD for what is wrong, and tells how many bytes of it to pass over. */
static int mbtouc_replaces(char *data, size_t size) {
    while (size) {
        ucs4_t character;
        int used = u8_mbtouc(&character, (const uint8_t *)data, size);
        say_code_point(character);
        data += used;
        size -= (size_t)used;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"u8_check", NULL, check_locates, mbtouc_replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    char version[32];
    sprintf(version, "%d.%d", _libunistring_version >> 16, _libunistring_version >> 8 & 0xFF);
    return serve(count, words, table, version);
}
