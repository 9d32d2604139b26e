#include <stdio.h>
#include <json.h>

int main(void)
{
    static char text[99999] = "\"";
    int size = 1 + fread(text + 1, 1, sizeof text - 3, stdin);
    for (int at = 1; at < size; at++)
        if ((unsigned char)text[at] < 32 || text[at] == '"' || text[at] == '\\')
            return 2; /* data that need an escape are not judged */
    text[size++] = '"';
    struct json_tokener *parser = json_tokener_new();
    json_tokener_set_flags(parser, FLAGS);
    return json_tokener_parse_ex(parser, text, size + 1) ? 10 : 11;
}
