// RE2: a literal pattern, which has to be UTF-8.
#include "stream.h"
#include <re2/re2.h>

static int accepts(char *data, size_t size) {
    RE2::Options options(RE2::Quiet);
    options.set_literal(true);
    return verdict(RE2(re2::StringPiece(data, size), options).ok());
}

int main(int count, char **words) {
    const decoder table[] = {
        {"pattern", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
