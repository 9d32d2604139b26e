/* Oniguruma: the check of a string by the encoding UTF-8, and the one that a search with validity check makes. */
#include "stream.h"
#include <oniguruma.h>

static OnigRegex pattern;

static int is_valid(char *data, size_t size) {
    return verdict(onigenc_is_valid_mbc_string(ONIG_ENCODING_UTF8, (OnigUChar *)data, (OnigUChar *)data + size));
}

static int search(char *data, size_t size) {
    OnigUChar *start = (OnigUChar *)data, *end = start + size;
    int found = onig_match(pattern, start, end, start, NULL, ONIG_OPTION_CHECK_VALIDITY_OF_STRING);
    return found == ONIGERR_INVALID_WIDE_CHAR_VALUE ? REJECTED : found >= 0 ? ACCEPTED : UNJUDGED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"onigenc_is_valid_mbc_string", is_valid, NULL, NULL, NULL},
        {"onig_match", search, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    OnigErrorInfo info;
    OnigEncoding used[] = {ONIG_ENCODING_UTF8};
    onig_initialize(used, 1);
    OnigUChar *none = (OnigUChar *)"";
    if (onig_new(&pattern, none, none, 0, ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info)) return 4;
    return serve(count, words, table, onig_version());
}
