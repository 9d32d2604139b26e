#include <iconv.h>
#include <stdio.h>

int main(void)
{
    static char data[9999], text[99999];
    size_t size = fread(data, 1, sizeof data, stdin), room = sizeof text;
    char *from = data, *to = text;
    iconv_t converter = iconv_open("UTF-8", "UTF-8");
    return iconv(converter, &from, &size, &to, &room) == (size_t)-1 ? 11 : 10;
}
