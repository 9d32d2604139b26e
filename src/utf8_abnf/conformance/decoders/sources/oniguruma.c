/* Oniguruma: the check of a string by the encoding UTF-8. */
#include "stream.h"
#include <oniguruma.h>

static int is_valid(char *data, size_t size) {
    return verdict(onigenc_is_valid_mbc_string(ONIG_ENCODING_UTF8, (OnigUChar *)data, (OnigUChar *)data + size));
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"onigenc_is_valid_mbc_string", is_valid, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    OnigEncoding used[] = {ONIG_ENCODING_UTF8};
    onig_initialize(used, 1);
    return serve(count, words, table, onig_version());
}
