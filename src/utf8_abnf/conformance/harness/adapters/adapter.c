/* Adapter for `utf8-abnf test stream:./adapter`.   Build: cc -O2 -o adapter adapter.c
   Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#define _read read
#endif

/* [v] */
static int accepts(const uint8_t *data, size_t size) {
    /* TODO: call your decoder; return 1 if it accepts data[0..size) as UTF-8, else 0. This example: ASCII only. */
    while (size && data[size - 1] <= 0x7F) size--;
    return size == 0;
}

/* [p] */
static int64_t first_error(const uint8_t *data, size_t size, int *length) {
    /* TODO: return the offset of the first error and set its length (0: not told); -1 if there is none. */
    *length = 1;
    for (size_t at = 0; at < size; at++)
        if (data[at] > 0x7F) return (int64_t)at;
    return -1;
}

/* [r] */
static int64_t replace(const uint8_t *data, size_t size, uint8_t *text) {
    /* TODO: write the text as UTF-8, with U+FFFD for errors, into text (3 * size bytes); return its size, -1 to reject. */
    size_t end = 0;
    for (size_t at = 0; at < size; at++) {
        if (data[at] > 0x7F) memcpy(text + end, "\xEF\xBF\xBD", 3);
        else text[end] = data[at];
        end += data[at] > 0x7F ? 3 : 1;
    }
    return (int64_t)end;
}

/* [s] */
/* TODO: a stream of your decoder: feed returns 0 if the data are certainly wrong by now, finish if they were. */
struct stream { int wrong; };
static void begin(struct stream *stream) { stream->wrong = 0; }
static int feed(struct stream *stream, const uint8_t *data, size_t size) {
    while (size) stream->wrong |= data[--size] > 0x7F;
    return !stream->wrong;
}
static int finish(struct stream *stream) { return !stream->wrong; }

/* [end] */
static uint8_t buffer[1 << 16];
static size_t start, end;

static int get(uint8_t *to, size_t size) { /* read exactly size bytes; 0 at the end of input */
    while (size) {
        if (start == end) {
            fflush(stdout); /* there may be no more input for now: write the answers */
            long got = _read(0, buffer, sizeof buffer);
            if (got <= 0) return 0;
            start = 0;
            end = (size_t)got;
        }
        size_t part = end - start < size ? end - start : size;
        memcpy(to, buffer + start, part);
        start += part;
        to += part;
        size -= part;
    }
    return 1;
}

static size_t number(const uint8_t *at) { return at[0] | at[1] << 8 | at[2] << 16 | (size_t)at[3] << 24; }

/* [pr] */
static void put_number(int64_t value) {
    for (int shift = 0; shift < 32; shift += 8) putchar((int)(value >> shift & 255));
}

/* [end] */
static void answer(int mode, const uint8_t *data, size_t size) {
    /* [v] */
    if (mode == 'v') putchar(accepts(data, size) ? '1' : '0');
    /* [p] */
    if (mode == 'p') {
        int length = 0;
        int64_t offset = first_error(data, size, &length);
        put_number(offset);
        putchar(offset < 0 ? 0 : length);
    }
    /* [r] */
    if (mode == 'r') {
        uint8_t *text = malloc(3 * size + 1);
        int64_t length = replace(data, size, text);
        put_number(length);
        if (length > 0) fwrite(text, 1, (size_t)length, stdout);
        free(text);
    }
    /* [s] */
    if (mode == 's') {
        struct stream stream;
        const uint8_t *sizes = data + 4, *chunk = sizes + 4 * number(data);
        begin(&stream);
        for (size_t left = number(data); left; left--, chunk += number(sizes), sizes += 4)
            putchar(feed(&stream, chunk, number(sizes)) ? '?' : '0');
        putchar(finish(&stream) ? '1' : '0');
    }
    /* [end] */
    (void)mode, (void)size;
}

int main(void) {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    fputs("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n", stdout);
    uint8_t head[4] = {0}, mode = 0;
    if (!get(&mode, 1)) return 0;
    while (head[0] != '\n' && get(head, 1)) {} /* the rest of the line with the mode */
    while (get(head, 4)) {
        size_t size = number(head);
        uint8_t *data = malloc(size ? size : 1); /* no longer than the case: a sanitizer sees each byte too far */
        if (!data || !get(data, size)) return 1;
        answer(mode, data, size);
        free(data);
    }
    return 0;
}
