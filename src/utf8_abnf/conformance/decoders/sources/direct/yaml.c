#include <stdio.h>
#include <yaml.h>

int main(void)
{
    static char text[99999] = "\"";
    size_t size = 1 + fread(text + 1, 1, sizeof text - 3, stdin);
    for (size_t at = 1; at < size; at++)
        if ((unsigned char)text[at] < 32 || text[at] == '"' || text[at] == '\\')
            return 2; /* data that need an escape are not judged */
    text[size++] = '"';
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (unsigned char *)text, size);
    yaml_token_t token;
    do
        if (!yaml_parser_scan(&parser, &token))
            return 11;
    while (token.type != YAML_STREAM_END_TOKEN);
    return 10;
}
