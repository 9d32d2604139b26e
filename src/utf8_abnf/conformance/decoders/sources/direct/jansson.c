#include <jansson.h>
#include <stdio.h>

int main(void)
{
    static char text[99999] = "\"";
    size_t size = 1 + fread(text + 1, 1, sizeof text - 3, stdin);
    for (size_t at = 1; at < size; at++)
        if ((unsigned char)text[at] < 32 || text[at] == '"' || text[at] == '\\')
            return 2; /* data that need an escape are not judged */
    text[size++] = '"';
    return json_loadb(text, size, JSON_DECODE_ANY, NULL) ? 10 : 11;
}
