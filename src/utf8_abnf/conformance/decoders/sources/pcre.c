/* PCRE2: the check of a subject for UTF-8, which precedes every match. */
#include "stream.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

static pcre2_code *pattern;
static pcre2_match_data *match;

static int pcre2_locates(char *data, size_t size, size_t *offset, size_t *length) {
    int found = pcre2_match(pattern, (PCRE2_SPTR)data, size, 0, PCRE2_ANCHORED, match, NULL);
    *length = 0;
    if (found > 0) return ACCEPTED;
    if (found < PCRE2_ERROR_UTF8_ERR21 || found > PCRE2_ERROR_UTF8_ERR1) return UNJUDGED;
    *offset = pcre2_get_startchar(match);
    return REJECTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"pcre2_match", NULL, pcre2_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    int code;
    size_t at;
    pattern = pcre2_compile((PCRE2_SPTR) "", 0, PCRE2_UTF, &code, &at, NULL);
    match = pcre2_match_data_create_from_pattern(pattern, NULL);
    return pattern ? serve(count, words, table, "") : 4;
}
