// pugixml: as_wide, which leaves out what is ill-formed.
#include "stream.h"
#include <pugixml.hpp>

static int replaces(char *data, size_t size) {
    char *text = c_string(data, size);
    if (!text) return UNJUDGED;
    for (const wchar_t each : pugi::as_wide(text)) say_code_point(static_cast<uint32_t>(each));
    return ACCEPTED;
}

// No error and no mark: everything is accepted.
static int accepts(char *data, size_t size) {
    stream_length = 0;
    return replaces(data, size);
}

int main(int count, char **words) {
    const decoder table[] = {
        {"as_wide", accepts, NULL, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
