/* LibYAML: its scanner over a double-quoted string. */
#include "stream.h"
#include "json_string.h"
#include <yaml.h>

/* YAML 1.1, section 4.1.1: DEL, the controls but U+0085, U+FFFE and U+FFFF are not printable, and nothing else may be
   in a stream; the controls below U+0020 are escaped. A byte order mark is told from what it marks. */
static int is_printable(const char *data, size_t size) {
    for (size_t at = 0; at < size; at++) {
        unsigned char byte[3] = {0};
        memcpy(byte, data + at, size - at < 3 ? size - at : 3);
        if (byte[0] == 0x7F) return 0;
        if (byte[0] == 0xC2 && byte[1] >= 0x80 && byte[1] < 0xA0 && byte[1] != 0x85) return 0;
        if (byte[0] == 0xEF && byte[1] == 0xBF && byte[2] >= 0xBE) return 0;
    }
    return 1;
}

static int accepts(char *data, size_t size) {
    size_t length;
    yaml_parser_t parser;
    int type = YAML_NO_TOKEN;
    if (!is_printable(data, size)) return UNJUDGED;
    char *text = json_quoted(data, size, &length);
    yaml_parser_initialize(&parser);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (unsigned char *)text, length);
    for (yaml_token_t token; type != YAML_STREAM_END_TOKEN && yaml_parser_scan(&parser, &token);) {
        type = token.type;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return verdict(type == YAML_STREAM_END_TOKEN);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"yaml_parser_scan", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, yaml_get_version_string());
}
