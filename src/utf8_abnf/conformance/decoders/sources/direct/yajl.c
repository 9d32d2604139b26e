#include <stdio.h>
#include <yajl/yajl_parse.h>

int main(void)
{
    static unsigned char text[99999] = "\"";
    size_t size = 1 + fread(text + 1, 1, sizeof text - 3, stdin);
    for (size_t at = 1; at < size; at++)
        if (text[at] < 32 || text[at] == '"' || text[at] == '\\')
            return 2; /* data that need an escape are not judged */
    text[size++] = '"';
    yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
    yajl_status status = yajl_parse(parser, text, size);
    return status == yajl_status_ok && yajl_complete_parse(parser) == yajl_status_ok ? 10 : 11;
}
