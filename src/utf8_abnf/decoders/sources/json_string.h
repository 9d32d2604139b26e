/* For adapters of JSON parsers: the data as a JSON string, with quotes, backslashes and controls escaped (RFC 8259,
   section 7), so that nothing but ill-formed bytes can be wrong with it. Included after stream.h. */
#ifndef JSON_STRING_H
#define JSON_STRING_H

/* Returns the JSON text, a C string in memory that stays until the next call, and its length. */
static char *json_quoted(const char *data, size_t size, size_t *length) {
    static char *text;
    size_t end = 0;
    text = (char *)stream_memory(text, 6 * size + 3);
    text[end++] = '"';
    for (size_t at = 0; at < size; at++) {
        unsigned char byte = (unsigned char)data[at];
        if (byte < ' ') end += (size_t)sprintf(text + end, "\\u%04x", byte);
        else {
            if (byte == '"' || byte == '\\') text[end++] = '\\';
            text[end++] = (char)byte;
        }
    }
    text[end++] = '"';
    text[end] = 0;
    *length = end;
    return text;
}

/* What a parser gave back must be the data: one that puts U+FFFD instead has not accepted it. */
static inline int same(const char *text, size_t length, const char *data, size_t size) {
    return verdict(length == size && memcmp(text, data, size) == 0);
}
#endif
