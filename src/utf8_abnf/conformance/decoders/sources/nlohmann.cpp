// JSON for Modern C++: parse of a string; dump, which throws at ill-formed text or puts U+FFFD for it.
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

static int dump_accepts(char *data, size_t size) {
    try {
        json(std::string(data, size)).dump();
        return ACCEPTED;
    } catch (const json::type_error &) {
        return REJECTED;
    }
}

static int dump_replaces(char *data, size_t size) {
    const std::string text = json(std::string(data, size)).dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string found = json::parse(text);
    say(found.data(), found.size());
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"parse", parse_accepts, NULL, NULL, NULL},
        {"dump", dump_accepts, NULL, dump_replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
