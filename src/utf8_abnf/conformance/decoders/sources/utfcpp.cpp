// UTF8-CPP: utf8::find_invalid and utf8::replace_invalid.
#include "stream.h"
#include <iterator>
#include <string>
#include <utf8.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    const char *wrong = utf8::find_invalid(data, data + size);
    *length = 0;
    *offset = static_cast<size_t>(wrong - data);
    return verdict(wrong == data + size);
}

static int replaces(char *data, size_t size) {
    std::string text;
    try {
        utf8::replace_invalid(data, data + size, std::back_inserter(text));
    } catch (const utf8::not_enough_room &) { // so it ends where a character is cut
        return REJECTED;
    }
    say(text.data(), text.size());
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"find_invalid", NULL, locates, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
