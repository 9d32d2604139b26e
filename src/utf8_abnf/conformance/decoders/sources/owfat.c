/* libowfat: scan_utf8 and scan_utf8_sem for each character. */
#include "stream.h"
#include <scan.h>

typedef size_t scan(const char *, size_t, uint32_t *);

static int locates(scan *next, char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    for (size_t at = 0; at < size;) {
        uint32_t character;
        size_t used = next(data + at, size - at, &character);
        *offset = at;
        if (!used) return REJECTED;
        at += used;
    }
    return ACCEPTED;
}

static int scan_utf8_locates(char *data, size_t size, size_t *offset, size_t *length) {
    return locates(scan_utf8, data, size, offset, length);
}

static int scan_utf8_sem_locates(char *data, size_t size, size_t *offset, size_t *length) {
    return locates(scan_utf8_sem, data, size, offset, length);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"scan_utf8", NULL, scan_utf8_locates, NULL, NULL},
        {"scan_utf8_sem", NULL, scan_utf8_sem_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
