#include <FL/fl_utf8.h>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return fl_utf8test(data, size) ? 10 : 11;
}
