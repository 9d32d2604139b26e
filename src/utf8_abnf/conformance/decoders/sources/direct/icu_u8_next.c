#include <stdio.h>
#include <unicode/utf8.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    UChar32 character;
    for (int32_t at = 0; at < (int32_t)size;) {
        U8_NEXT(data, at, (int32_t)size, character);
        if (character < 0)
            return 11;
    }
    return 10;
}
