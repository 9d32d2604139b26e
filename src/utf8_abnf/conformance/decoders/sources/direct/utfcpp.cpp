#include <stdio.h>
#include <utf8cpp/utf8.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return utf8::find_invalid(data, data + size) == data + size ? 10 : 11;
}
