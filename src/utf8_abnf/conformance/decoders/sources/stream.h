/* The stream protocol, version 1, for adapters in C and C++: an adapter is a table of decoders and a call of serve().

   What a decoder has, it declares: members that are NULL are modes that it does not have. Its data lies in memory of
   its own, and the bytes behind it are 80: a decoder that reads on takes a cut character for a whole one and is found
   out. They are the adapter's to change: c_string() puts a NUL there. */
#ifndef STREAM_H
#define STREAM_H
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REJECTED = '0', ACCEPTED = '1', SO_FAR = '?', UNJUDGED = 'u' };

struct decoder {
    const char *name;
    int (*accepts)(char *data, size_t size); /* ACCEPTED, REJECTED or UNJUDGED */
    /* The same, and where the error is; a length of 0 is one that the decoder does not tell. */
    int (*locates)(char *data, size_t size, size_t *offset, size_t *length);
    /* ACCEPTED when it has said the text with say(), REJECTED when there is none, UNJUDGED. */
    int (*replaces)(char *data, size_t size);
    /* SO_FAR, REJECTED or UNJUDGED; when it is called with *last*, and no more data, ACCEPTED instead of SO_FAR. */
    int (*feeds)(char *chunk, size_t size, int first, int last);
};

static char stream_in[1 << 16], *stream_text;
static size_t stream_start, stream_end, stream_length, stream_room;

static int stream_get(char *to, size_t size) {
    while (size) {
        if (stream_start == stream_end) {
            ssize_t got;
            fflush(stdout); /* the input may have run dry */
            got = read(0, stream_in, sizeof stream_in);
            if (got <= 0) return 0;
            stream_start = 0;
            stream_end = (size_t)got;
        }
        size_t part = stream_end - stream_start < size ? stream_end - stream_start : size;
        memcpy(to, stream_in + stream_start, part);
        stream_start += part;
        to += part;
        size -= part;
    }
    return 1;
}

static uint32_t stream_u32(const char *from) {
    const unsigned char *byte = (const unsigned char *)from;
    return byte[0] | byte[1] << 8 | byte[2] << 16 | (uint32_t)byte[3] << 24;
}

static void stream_put_u32(uint32_t value) {
    for (int at = 0; at < 4; at++) putchar((int)(value >> 8 * at & 0xFF));
}

static void *stream_memory(void *old, size_t size) {
    void *memory = realloc(old, size ? size : 1);
    if (!memory) exit(3);
    return memory;
}

enum { POISON = 5 }; /* what the longest form of RFC 2279 still lacks after its first byte */

static char *stream_data(char *old, size_t size) {
    char *data = (char *)stream_memory(old, size + POISON);
    memset(data + size, 0x80, POISON);
    return data;
}

/* Adds to the text that mode r answers with. */
static inline void say(const char *text, size_t size) {
    if (stream_room < stream_length + size) {
        stream_room = 2 * (stream_length + size);
        stream_text = (char *)stream_memory(stream_text, stream_room);
    }
    if (size) memcpy(stream_text + stream_length, text, size);
    stream_length += size;
}

/* Adds a code point to that text; one that is no scalar value comes out ill-formed: ED A0 80 for U+D800, F7 BF BF BF
   for 1FFFFF and all above. */
static inline void say_code_point(uint32_t value) {
    if (value > 0x1FFFFF) value = 0x1FFFFF;
    char text[4];
    size_t size = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (size_t at = size - 1; at; at--, value >>= 6) text[at] = (char)(0x80 | (value & 0x3F));
    text[0] = (char)(size == 1 ? value : (0xF0 << (4 - size) & 0xFF) | value);
    say(text, size);
}

/* Makes a C string of the data; NULL where it has a NUL of its own. */
static inline char *c_string(char *data, size_t size) {
    data[size] = 0;
    return strlen(data) == size ? data : NULL;
}

static inline int verdict(int accepts) { return accepts ? ACCEPTED : REJECTED; }

/* The decoder `control` is none: it shows that the bytes arrive here and the answers there. */
static int stream_control(char *data, size_t size) {
    unsigned sum = 0;
    for (size_t at = 0; at < size; at++) sum += (unsigned char)data[at];
    return verdict((sum & 0xFF) < 128);
}

static void stream_answer_v(const struct decoder *decoder, char *data, size_t size) {
    size_t offset, length;
    putchar(decoder->accepts ? decoder->accepts(data, size) : decoder->locates(data, size, &offset, &length));
}

static void stream_answer_p(const struct decoder *decoder, char *data, size_t size) {
    size_t offset = 0, length = 0;
    int answer = decoder->locates(data, size, &offset, &length);
    stream_put_u32(answer == ACCEPTED ? 0xFFFFFFFF : answer == UNJUDGED ? 0xFFFFFFFE : (uint32_t)offset);
    putchar(answer != REJECTED ? 0 : length < 255 ? (int)length : 255);
}

static void stream_answer_r(const struct decoder *decoder, char *data, size_t size) {
    stream_length = 0;
    int answer = decoder->replaces(data, size);
    stream_put_u32(answer == ACCEPTED ? (uint32_t)stream_length : answer == UNJUDGED ? 0xFFFFFFFE : 0xFFFFFFFF);
    if (answer == ACCEPTED && stream_length) fwrite(stream_text, 1, stream_length, stdout);
}

static void stream_answer_s(const struct decoder *decoder, char *data) {
    uint32_t count = stream_u32(data);
    char *from = data + 4 + 4 * (size_t)count;
    int answer = SO_FAR;
    char *chunk = stream_data(NULL, 0);
    for (uint32_t at = 0; at < count; at++) {
        uint32_t length = stream_u32(data + 4 + 4 * (size_t)at);
        chunk = stream_data(chunk, length); /* a decoder that kept a pointer to the chunk before is found out */
        memcpy(chunk, from, length);
        if (answer == SO_FAR) answer = decoder->feeds(chunk, length, at == 0, 0);
        from += length;
        putchar(answer);
    }
    if (answer == SO_FAR) answer = decoder->feeds(chunk, 0, count == 0, 1);
    putchar(answer);
    free(chunk);
}

/* Serves the decoder of *table* that words[1] names until the input ends; *version* is the library's. */
static int serve(int count, char **words, const struct decoder *table, const char *version) {
    const struct decoder control = {"control", stream_control, NULL, NULL, NULL}, *decoder = table;
    const char *name = count > 1 ? words[1] : "";
    if (strcmp(name, "control") == 0) decoder = &control;
    while (decoder->name && strcmp(name, decoder->name) != 0) decoder++;
    if (!decoder->name) {
        fprintf(stderr, "there is no decoder '%s' here\n", name);
        return 2;
    }
    printf("utf8-abnf 1 modes=v%s%s%s name=%s version='%s'\n", decoder->locates ? ",p" : "",
           decoder->replaces ? ",r" : "", decoder->feeds ? ",s" : "", name, version);
    char mode = 0, byte = 0, head[4], *data = NULL;
    while (byte != '\n') {
        if (!stream_get(&byte, 1)) return 0;
        if (byte != '\n') mode = byte;
    }
    while (stream_get(head, 4)) {
        size_t size = stream_u32(head);
        data = stream_data(data, size);
        if (!stream_get(data, size)) break;
        if (mode == 'p') stream_answer_p(decoder, data, size);
        else if (mode == 'r') stream_answer_r(decoder, data, size);
        else if (mode == 's') stream_answer_s(decoder, data);
        else stream_answer_v(decoder, data, size);
    }
    free(data);
    return 0;
}
#endif
