/* OpenSSL: UTF8_getc for each character. */
#include "stream.h"
#include <openssl/asn1.h>
#include <openssl/crypto.h>

static int getc_locates(char *data, size_t size, size_t *offset, size_t *length) {
    *length = 0;
    for (size_t at = 0; at < size;) {
        unsigned long character;
        int used = UTF8_getc((unsigned char *)data + at, (int)(size - at), &character);
        *offset = at;
        if (used < 0) return REJECTED;
        at += (size_t)used;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"UTF8_getc", NULL, getc_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, OpenSSL_version(OPENSSL_VERSION_STRING));
}
