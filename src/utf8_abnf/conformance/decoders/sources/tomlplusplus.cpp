// toml++: a basic string; what TOML wants escaped is escaped.
#include "stream.h"
#include <string>
#include <toml++/toml.h>

static int accepts(char *data, size_t size) {
    std::string text = "a=\"";
    for (size_t at = 0; at < size; at++) {
        const unsigned char byte = static_cast<unsigned char>(data[at]);
        char escape[8];
        snprintf(escape, sizeof escape, "\\u%04X", byte);
        text += byte < ' ' || byte == '"' || byte == '\\' || byte == 0x7F ? std::string(escape) : std::string(1, data[at]);
    }
    try {
        toml::parse(text + "\"");
        return ACCEPTED;
    } catch (const toml::parse_error &) {
        return REJECTED;
    }
}

int main(int count, char **words) {
    const decoder table[] = {
        {"parse", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
