/* OpenSSL: UTF8_getc for each character, and ASN1_mbstring_copy of a UTF8String. */
#include "stream.h"
#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/err.h>

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

static int mbstring_accepts(char *data, size_t size) {
    ASN1_STRING *made = NULL;
    int type = ASN1_mbstring_copy(&made, (unsigned char *)data, (int)size, MBSTRING_UTF8, B_ASN1_UTF8STRING);
    ASN1_STRING_free(made);
    ERR_clear_error();
    return verdict(type > 0);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"UTF8_getc", NULL, getc_locates, NULL, NULL},
        {"ASN1_mbstring_copy", mbstring_accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, OpenSSL_version(OPENSSL_VERSION_STRING));
}
