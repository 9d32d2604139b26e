// simdjson: validate_utf8 by the kernel that suits the machine.
#include "stream.h"
#include <simdjson.h>

static int validates(char *data, size_t size) { return verdict(simdjson::validate_utf8(data, size)); }

int main(int count, char **words) {
    const decoder table[] = {
        {"best", validates, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
