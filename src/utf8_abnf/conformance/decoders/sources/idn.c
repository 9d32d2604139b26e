/* libidn: stringprep_utf8_to_ucs4. */
#include "stream.h"
#include <idn-free.h>
#include <stringprep.h>

static int accepts(char *data, size_t size) {
    size_t count;
    if (memchr(data, 0, size)) return UNJUDGED; /* it takes the text to end there */
    uint32_t *made = stringprep_utf8_to_ucs4(data, (ssize_t)size, &count);
    idn_free(made);
    return verdict(made != NULL);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"stringprep_utf8_to_ucs4", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, stringprep_check_version(NULL));
}
