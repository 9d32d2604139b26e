// pugixml: as_wide, which leaves out what is ill-formed.
#include "stream.h"
#include <pugixml.hpp>

static int replaces(char *data, size_t size) {
    char *text = c_string(data, size);
    if (!text) return UNJUDGED;
    for (const wchar_t each : pugi::as_wide(text)) say_code_point(static_cast<uint32_t>(each));
    return ACCEPTED;
}

static int accepts(char *data, size_t size) {
    stream_length = 0;
    if (replaces(data, size) == UNJUDGED) return UNJUDGED;
    return verdict(stream_length == size && !memcmp(stream_text, data, size));
}

int main(int count, char **words) {
    const decoder table[] = {
        {"as_wide", accepts, NULL, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
