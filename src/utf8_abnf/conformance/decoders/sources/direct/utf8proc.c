#include <stdio.h>
#include <utf8proc.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    utf8proc_int32_t character;
    for (size_t at = 0; at < size;) {
        utf8proc_ssize_t used = utf8proc_iterate((utf8proc_uint8_t *)data + at, size - at, &character);
        if (used < 0)
            return 11;
        at += used;
    }
    return 10;
}
