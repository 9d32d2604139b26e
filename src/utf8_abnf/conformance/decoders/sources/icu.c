/* ICU: its converters, u_strFromUTF8, and the macro U8_NEXT. */
#include "stream.h"
#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

static UConverter *strict, *lenient;
static UChar out[1 << 12];

static UConverter *opened(const char *name) {
    UErrorCode code = U_ZERO_ERROR;
    UConverter *converter = ucnv_open(name, &code);
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

static int ucnv_accepts(char *data, size_t size) {
    size_t offset, length;
    return ucnv_locates(data, size, &offset, &length);
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

static int str_accepts(char *data, size_t size) {
    UErrorCode code = U_ZERO_ERROR;
    u_strFromUTF8(NULL, 0, NULL, data, (int32_t)size, &code);
    return verdict(U_SUCCESS(code) || code == U_BUFFER_OVERFLOW_ERROR); /* that it lacks room is no matter of UTF-8 */
}

static int str_replaces(char *data, size_t size) {
    UErrorCode code = U_ZERO_ERROR;
    int32_t length;
    UChar *text = (UChar *)stream_memory(NULL, (size + 1) * sizeof *text);
    u_strFromUTF8WithSub(text, (int32_t)size + 1, &length, data, (int32_t)size, 0xFFFD, NULL, &code);
    if (U_SUCCESS(code)) say_utf16(text, length);
    free(text);
    return verdict(U_SUCCESS(code));
}

static int next_locates(char *data, size_t size, size_t *offset, size_t *length) {
    for (int32_t at = 0; (size_t)at < size;) {
        UChar32 character;
        *offset = (size_t)at;
        U8_NEXT(data, at, (int32_t)size, character);
        if (character >= 0) continue;
        *length = (size_t)at - *offset;
        return REJECTED;
    }
    return ACCEPTED;
}

static int next_replaces(char *data, size_t size) {
    for (int32_t at = 0; (size_t)at < size;) {
        UChar32 character;
        U8_NEXT_OR_FFFD(data, at, (int32_t)size, character);
        say_code_point((uint32_t)character);
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"UTF-8", NULL, ucnv_locates, ucnv_replaces, ucnv_feeds},
        {"CESU-8", ucnv_accepts, NULL, NULL, NULL},
        {"u_strFromUTF8", str_accepts, NULL, str_replaces, NULL},
        {"U8_NEXT", NULL, next_locates, next_replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    UErrorCode code = U_ZERO_ERROR;
    const char *name = count > 1 && strcmp(words[1], "CESU-8") == 0 ? "CESU-8" : "UTF-8";
    strict = opened(name);
    lenient = opened(name);
    ucnv_setToUCallBack(strict, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &code);
    return U_SUCCESS(code) ? serve(count, words, table, U_ICU_VERSION) : 4;
}
