#include <stdio.h>
#include <cjson/cJSON.h>

int main(void)
{
    static char text[99999] = "\"";
    size_t size = 1 + fread(text + 1, 1, sizeof text - 3, stdin);
    for (size_t at = 1; at < size; at++)
        if ((unsigned char)text[at] < 32 || text[at] == '"' || text[at] == '\\')
            return 2; /* data that need an escape are not judged */
    text[size++] = '"';
    return cJSON_ParseWithLength(text, size) ? 10 : 11;
}
