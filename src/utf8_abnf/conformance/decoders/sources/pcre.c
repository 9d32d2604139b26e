/* PCRE and PCRE2: the check of a subject for UTF-8, which precedes every match. */
#include "stream.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre.h>
#include <pcre2.h>

static pcre2_code *pattern2;
static pcre2_match_data *match2;
static pcre *pattern1;

static int pcre2_locates(char *data, size_t size, size_t *offset, size_t *length) {
    int found = pcre2_match(pattern2, (PCRE2_SPTR)data, size, 0, PCRE2_ANCHORED, match2, NULL);
    *length = 0;
    if (found > 0) return ACCEPTED;
    if (found < PCRE2_ERROR_UTF8_ERR21 || found > PCRE2_ERROR_UTF8_ERR1) return UNJUDGED;
    *offset = pcre2_get_startchar(match2);
    return REJECTED;
}

static int pcre_locates(char *data, size_t size, size_t *offset, size_t *length) {
    int place[3] = {0, 0, 0};
    int found = pcre_exec(pattern1, NULL, data, (int)size, 0, PCRE_ANCHORED, place, 3);
    *length = 0;
    if (found >= 0) return ACCEPTED;
    if (found != PCRE_ERROR_BADUTF8) return UNJUDGED;
    *offset = (size_t)place[0];
    return REJECTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"pcre2_match", NULL, pcre2_locates, NULL, NULL},
        {"pcre_exec", NULL, pcre_locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    int code, where;
    size_t at;
    const char *message;
    pattern2 = pcre2_compile((PCRE2_SPTR) "", 0, PCRE2_UTF, &code, &at, NULL);
    match2 = pcre2_match_data_create_from_pattern(pattern2, NULL);
    pattern1 = pcre_compile("", PCRE_UTF8, &message, &where, NULL);
    return pattern1 && pattern2 ? serve(count, words, table, "") : 4;
}
