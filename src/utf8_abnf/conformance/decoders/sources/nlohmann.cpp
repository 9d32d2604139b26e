// JSON for Modern C++: parse of a string.
#include "stream.h"
#include "json_string.h"
#include <nlohmann/json.hpp>

using nlohmann::json;

static int parse_accepts(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    const json value = json::parse(text, text + length, nullptr, false);
    if (value.is_discarded()) return REJECTED;
    const std::string &found = value.get_ref<const std::string &>();
    return unmarked(found.data(), found.size(), data, size);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"parse", parse_accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
