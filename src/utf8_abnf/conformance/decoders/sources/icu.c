/* ICU: its converters. */
#include "stream.h"
#include <unicode/ucnv.h>
#include <unicode/ustring.h>

static UConverter *strict, *lenient;
static UChar out[1 << 12];

static UConverter *opened(void) {
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open("UTF-8", &code);
    if (U_FAILURE(code)) exit(4);
    return converter;
}

static void say_utf16(const UChar *text, int32_t size) {
    for (int32_t at = 0; at < size;) {
        UChar32 character;
        U16_NEXT(text, at, size, character);
        say_code_point((uint32_t)character);
    }
}

/* Converts what there is; *used tells how far it came. */
static UErrorCode to_unicode(UConverter *converter, const char *data, size_t size, int last, size_t *used, int aloud) {
    const char *at = data;
    UErrorCode code;
    do {
        UChar *to = out;
        code = U_ZERO_ERROR;
        ucnv_toUnicode(converter, &to, out + sizeof out / sizeof *out, &at, data + size, NULL, (UBool)last, &code);
        if (aloud) say_utf16(out, (int32_t)(to - out));
    } while (code == U_BUFFER_OVERFLOW_ERROR);
    *used = (size_t)(at - data);
    return code;
}

static int ucnv_locates(char *data, size_t size, size_t *offset, size_t *length) {
    char invalid[32];
    int8_t count = sizeof invalid;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_resetToUnicode(strict);
    if (U_SUCCESS(to_unicode(strict, data, size, 1, offset, 0))) return ACCEPTED;
    ucnv_getInvalidChars(strict, invalid, &count, &ignored); /* it has read them already */
    *length = (size_t)count;
    *offset -= *length;
    return REJECTED;
}

static int ucnv_feeds(char *data, size_t size, int first, int last) {
    size_t used;
    if (first) ucnv_resetToUnicode(strict);
    if (U_FAILURE(to_unicode(strict, data, size, last, &used, 0))) return REJECTED;
    return last ? ACCEPTED : SO_FAR;
}

static int ucnv_replaces(char *data, size_t size) {
    size_t used;
    ucnv_resetToUnicode(lenient);
    return U_SUCCESS(to_unicode(lenient, data, size, 1, &used, 1)) ? ACCEPTED : REJECTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"UTF-8", NULL, ucnv_locates, ucnv_replaces, ucnv_feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    UErrorCode code = U_ZERO_ERROR;
    strict = opened();
    lenient = opened();
    ucnv_setToUCallBack(strict, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    return U_SUCCESS(code) ? serve(count, words, table, U_ICU_VERSION) : 4;
}
