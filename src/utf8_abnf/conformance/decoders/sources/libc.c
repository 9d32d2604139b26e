/* The C library's decoders: mbrtowc and its like in a UTF-8 locale, and iconv from UTF-8 to a named encoding. */
#include "stream.h"
#include <iconv.h>
#include <locale.h>
#include <uchar.h>
#include <wchar.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#define VERSION gnu_get_libc_version()
#else
#define VERSION ""
#endif

static mbstate_t state;
static iconv_t converter;

static size_t wide(const char *data, size_t size) {
    size_t used = mbrtowc(NULL, data, size, &state);
    return used ? used : 1; /* NUL: it says 0 and has taken one byte */
}

static size_t to_char32(const char *data, size_t size) {
    char32_t character;
    size_t used = mbrtoc32(&character, data, size, &state);
    return used ? used : 1;
}

static size_t to_char16(const char *data, size_t size) {
    char16_t character;
    size_t used = mbrtoc16(&character, data, size, &state);
    if (used < (size_t)-3)
        while (mbrtoc16(&character, data, 0, &state) == (size_t)-3) {} /* the other half of a pair, no byte taken */
    return used ? used : 1;
}

static int convert(size_t (*next)(const char *, size_t), char *data, size_t size, int first, int last) {
    if (first) memset(&state, 0, sizeof state);
    while (size) {
        size_t used = next(data, size);
        if (used == (size_t)-1) return REJECTED;
        if (used == (size_t)-2) break;
        data += used;
        size -= used;
    }
    return last ? verdict(mbsinit(&state)) : SO_FAR;
}

static int mbrtowc_feeds(char *data, size_t size, int first, int last) {
    return convert(wide, data, size, first, last);
}

static int mbrtoc32_feeds(char *data, size_t size, int first, int last) {
    return convert(to_char32, data, size, first, last);
}

static int mbrtoc16_feeds(char *data, size_t size, int first, int last) {
    return convert(to_char16, data, size, first, last);
}

static int mbrtowc_accepts(char *data, size_t size) { return mbrtowc_feeds(data, size, 1, 1); }

static int mbrtoc32_accepts(char *data, size_t size) { return mbrtoc32_feeds(data, size, 1, 1); }

static int mbrtoc16_accepts(char *data, size_t size) { return mbrtoc16_feeds(data, size, 1, 1); }

/* iconv(3): -1 with EILSEQ, or EINVAL for a cut character; the pointer is left at its first byte. */
static int iconv_locates(char *data, size_t size, size_t *offset, size_t *length) {
    static char out[1 << 16];
    char *at = data;
    *length = 0;
    iconv(converter, NULL, NULL, NULL, NULL);
    while (size) {
        char *to = out;
        size_t room = sizeof out;
        if (iconv(converter, &at, &size, &to, &room) == (size_t)-1 && errno != E2BIG) {
            *offset = (size_t)(at - data);
            return REJECTED;
        }
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    struct decoder table[] = {
        {"mbrtowc", mbrtowc_accepts, NULL, NULL, mbrtowc_feeds},
        {"mbrtoc32", mbrtoc32_accepts, NULL, NULL, mbrtoc32_feeds},
        {"mbrtoc16", mbrtoc16_accepts, NULL, NULL, mbrtoc16_feeds},
        {NULL, NULL, iconv_locates, NULL, NULL}, /* any other word names an encoding */
        {NULL, NULL, NULL, NULL, NULL},
    };
    if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) {
        fputs("there is no locale C.UTF-8 or en_US.UTF-8 here\n", stderr);
        return 2;
    }
    if (count > 1 && (converter = iconv_open(words[1], "UTF-8")) != (iconv_t)-1) table[3].name = words[1];
    return serve(count, words, table, VERSION);
}
