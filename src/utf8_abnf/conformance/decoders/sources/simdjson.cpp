// simdjson: validate_utf8 by the kernel that suits the machine, or by another one; the DOM parser, of a string.
#include "stream.h"
#include "json_string.h"
#include <simdjson.h>

static const simdjson::implementation *chosen;
static simdjson::dom::parser parser;

static int validates(char *data, size_t size) { return verdict(chosen->validate_utf8(data, size)); }

static int parses(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    std::string_view found;
    if (parser.parse(text, length).get_string().get(found)) return REJECTED;
    return unmarked(found.data(), found.size(), data, size);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"best", validates, NULL, NULL, NULL},
        {"fallback", validates, NULL, NULL, NULL},
        {"dom", parses, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    chosen = simdjson::get_active_implementation();
    if (count > 1 && strcmp(words[1], "fallback") == 0) chosen = simdjson::get_available_implementations()["fallback"];
    if (!chosen) return 4;
    return serve(count, words, table, "");
}
