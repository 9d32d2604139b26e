// JsonCpp: CharReader of a string.
#include "stream.h"
#include "json_string.h"
#include <json/json.h>

static Json::CharReader *reader;

static int accepts(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    Json::Value value;
    if (!reader->parse(text, text + length, &value, nullptr)) return REJECTED;
    const std::string found = value.asString();
    return unmarked(found.data(), found.size(), data, size);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"CharReader", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    reader = Json::CharReaderBuilder().newCharReader();
    return serve(count, words, table, JSONCPP_VERSION_STRING);
}
