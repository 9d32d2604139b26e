#include <UTF.h>
#include <stdio.h>
#include <string.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data - 1, stdin);
    if (strlen(data) != size)
        return 2; // a C string has no NUL
    for (char *mark = data; (mark = strstr(mark, "\xEF\xBF\xBD"));)
        mark[2] = '\xBC'; // U+FFFC for the U+FFFD of the data
    Unicode *values;
    int count = utf8ToUCS4(data, &values);
    for (int at = 0; at < count; at++)
        if (values[at] == 0xFFFD)
            return 11;
    return 10;
}
