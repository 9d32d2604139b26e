#include <stdio.h>
#include <slang.h>

int main(void)
{
    static SLuchar_Type data[99999], *at = data;
    SLuchar_Type *end = data + fread(data, 1, sizeof data - 1, stdin);
    SLwchar_Type character;
    while (at && at < end)
        at = SLutf8_decode(at, end, &character, NULL);
    return at ? 10 : 11;
}
