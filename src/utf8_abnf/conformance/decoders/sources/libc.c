/* The C library's decoders: mbrtowc in a UTF-8 locale, and iconv from UTF-8 to a named encoding. */
#include "stream.h"
#include <iconv.h>
#include <locale.h>
#include <wchar.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#define VERSION gnu_get_libc_version()
#else
#define VERSION ""
#endif

static mbstate_t state;
static iconv_t converter;

static int mbrtowc_feeds(char *data, size_t size, int first, int last) {
    if (first) memset(&state, 0, sizeof state);
    while (size) {
        size_t used = mbrtowc(NULL, data, size, &state);
        if (used == (size_t)-1) return REJECTED;
        if (used == (size_t)-2) break;
        used = used ? used : 1; /* NUL: it says 0 and has taken one byte */
        data += used;
        size -= used;
    }
    return last ? verdict(mbsinit(&state)) : SO_FAR;
}

static int mbrtowc_accepts(char *data, size_t size) { return mbrtowc_feeds(data, size, 1, 1); }

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
        {NULL, NULL, iconv_locates, NULL, NULL}, /* any other word names an encoding */
        {NULL, NULL, NULL, NULL, NULL},
    };
    if (!setlocale(LC_CTYPE, "C.UTF-8") && !setlocale(LC_CTYPE, "en_US.UTF-8")) {
        fputs("there is no locale C.UTF-8 or en_US.UTF-8 here\n", stderr);
        return 2;
    }
    if (count > 1 && (converter = iconv_open(words[1], "UTF-8")) != (iconv_t)-1) table[1].name = words[1];
    return serve(count, words, table, VERSION);
}
