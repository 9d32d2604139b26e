/* Raptor, the RDF parser: raptor_unicode_check_utf8_string. */
#include "stream.h"
#include <raptor2.h>

static int check_accepts(char *data, size_t size) {
    return verdict(raptor_unicode_check_utf8_string((unsigned char *)data, size));
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"raptor_unicode_check_utf8_string", check_accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
