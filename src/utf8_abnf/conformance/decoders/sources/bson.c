/* libbson: bson_utf8_validate, NUL allowed. */
#include "stream.h"
#include <bson/bson.h>

static int accepts(char *data, size_t size) { return verdict(bson_utf8_validate(data, size, true)); }

int main(int count, char **words) {
    const struct decoder table[] = {
        {"bson_utf8_validate", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, bson_get_version());
}
