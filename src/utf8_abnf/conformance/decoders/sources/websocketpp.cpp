// WebSocket++: the validator of text messages, whole and in chunks.
#include "stream.h"
#include <string>
#include <websocketpp/utf8_validator.hpp>
#include <websocketpp/version.hpp>

static int feeds(char *data, size_t size, int first, int last) {
    static websocketpp::utf8_validator::validator validator;
    if (first) validator.reset();
    if (!validator.decode(data, data + size)) return REJECTED;
    return last ? verdict(validator.complete()) : SO_FAR;
}

static int accepts(char *data, size_t size) {
    return verdict(websocketpp::utf8_validator::validate(std::string(data, size)));
}

int main(int count, char **words) {
    const decoder table[] = {
        {"validate", accepts, NULL, NULL, feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    const std::string version = std::to_string(websocketpp::major_version) + "." +
        std::to_string(websocketpp::minor_version) + "." + std::to_string(websocketpp::patch_version);
    return serve(count, words, table, version.c_str());
}
