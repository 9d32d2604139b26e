#include <libavutil/avstring.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    const uint8_t *at = (uint8_t *)data, *end = at + size;
    int32_t character;
    while (at < end)
        if (av_utf8_decode(&character, &at, end, 0) < 0)
            return 11;
    return 10;
}
