/* Decoders of the C library over the stream protocol: libc mbrtowc, or libc ENCODING for iconv from UTF-8 to that. */
#include <errno.h>
#include <iconv.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#define VERSION gnu_get_libc_version()
#else
#define VERSION "unknown"
#endif

static iconv_t converter;

static int by_mbrtowc(const char *data, size_t size) {
    mbstate_t state;
    memset(&state, 0, sizeof state);
    while (size) {
        size_t used = mbrtowc(NULL, data, size, &state);
        if (used == (size_t)-1 || used == (size_t)-2) return 0;
        if (used == 0) used = 1; /* NUL: it says 0 and has taken one byte */
        data += used;
        size -= used;
    }
    return mbsinit(&state) != 0;
}

static int by_iconv(char *data, size_t size) {
    static char out[1 << 16];
    iconv(converter, NULL, NULL, NULL, NULL);
    while (size) {
        char *to = out;
        size_t room = sizeof out;
        if (iconv(converter, &data, &size, &to, &room) == (size_t)-1 && errno != E2BIG) return 0;
    }
    return 1;
}

static char in[1 << 16];
static size_t in_start, in_end;

static int get(char *to, size_t size) {
    while (size) {
        if (in_start == in_end) {
            fflush(stdout); /* the input may have run dry */
            ssize_t got = read(0, in, sizeof in);
            if (got <= 0) return 0;
            in_start = 0;
            in_end = (size_t)got;
        }
        size_t part = in_end - in_start < size ? in_end - in_start : size;
        memcpy(to, in + in_start, part);
        in_start += part;
        to += part;
        size -= part;
    }
    return 1;
}

int main(int count, char **words) {
    int wide = count < 2 || strcmp(words[1], "mbrtowc") == 0;
    if (wide && !setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) {
        fputs("there is no locale C.UTF-8 or en_US.UTF-8 here\n", stderr);
        return 2;
    }
    if (!wide && (converter = iconv_open(words[1], "UTF-8")) == (iconv_t)-1) {
        fputs("iconv does not know this encoding\n", stderr);
        return 2;
    }
    printf("utf8-abnf 1 modes=v name=libc-%s version=%s\n", wide ? "mbrtowc" : "iconv", VERSION);
    char byte, *data = NULL;
    do
        if (!get(&byte, 1)) return 0;
    while (byte != '\n');
    unsigned char head[4];
    while (get((char *)head, 4)) {
        uint32_t size = head[0] | head[1] << 8 | head[2] << 16 | (uint32_t)head[3] << 24;
        char *bigger = realloc(data, size + 1u);
        if (!bigger) return 3;
        data = bigger;
        if (!get(data, size)) return 0;
        data[size] = (char)0x80; /* poison: a decoder that reads on goes wrong */
        putchar((wide ? by_mbrtowc : (int (*)(const char *, size_t))by_iconv)(data, size) ? '1' : '0');
    }
    return 0;
}
