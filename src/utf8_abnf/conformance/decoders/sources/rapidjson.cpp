// RapidJSON: Document::Parse of a string, with and without kParseValidateEncodingFlag.
#include "stream.h"
#include "json_string.h"
#include <rapidjson/document.h>

template <unsigned FLAGS> static int accepts(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    rapidjson::Document value;
    value.Parse<FLAGS>(text, length);
    return value.HasParseError() ? REJECTED : unmarked(value.GetString(), value.GetStringLength(), data, size);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"validating", accepts<rapidjson::kParseValidateEncodingFlag>, NULL, NULL, NULL},
        {"plain", accepts<rapidjson::kParseDefaultFlags>, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, RAPIDJSON_VERSION_STRING);
}
