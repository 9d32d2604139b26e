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

static inline size_t marks(const char *text, size_t size) {
    size_t count = 0;
    for (size_t at = 0; at + 3 <= size; at++) count += memcmp(text + at, "\xEF\xBF\xBD", 3) == 0;
    return count;
}

/* What a parser that reports no error gave back: it has rejected the data if it put a U+FFFD that was not in them. */
static inline int unmarked(const char *text, size_t length, const char *data, size_t size) {
    return verdict(marks(text, length) <= marks(data, size));
}
#endif
