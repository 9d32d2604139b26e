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

static int accepts(const uint8_t *data, size_t size) {
    /* TODO: call your decoder; return 1 if it accepts data[0..size) as UTF-8, else 0. This example: ASCII only. */
    while (size && data[size - 1] <= 0x7F) size--;
    return size == 0;
}

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

int main(void) {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    fputs("utf8-abnf 1 modes=v name=mydecoder version=1\n", stdout);
    uint8_t head[4] = {0};
    while (head[0] != '\n' && get(head, 1)) {} /* the line with the mode */
    while (get(head, 4)) {
        size_t size = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
        uint8_t *data = malloc(size ? size : 1); /* no longer than the case: a sanitizer sees each byte too far */
        if (!data || !get(data, size)) return 1;
        putchar(accepts(data, size) ? '1' : '0');
        free(data);
    }
    return 0;
}
