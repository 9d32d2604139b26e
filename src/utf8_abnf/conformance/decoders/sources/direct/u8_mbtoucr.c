#include <stdio.h>
#include <unistr.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    ucs4_t character;
    for (size_t at = 0; at < size;) {
        int used = u8_mbtoucr(&character, (uint8_t *)data + at, size - at);
        if (used < 0)
            return 11;
        at += used;
    }
    return 10;
}
