#include <openssl/asn1.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    unsigned long character;
    for (size_t at = 0; at < size;) {
        int used = UTF8_getc((unsigned char *)data + at, size - at, &character);
        if (used < 0)
            return 11;
        at += used;
    }
    return 10;
}
