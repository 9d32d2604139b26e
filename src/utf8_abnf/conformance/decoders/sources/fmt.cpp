// {fmt}: utf8_to_utf16, which throws at ill-formed text; it prints to a Windows console by it.
#include "stream.h"
#include <fmt/format.h>

static int accepts(char *data, size_t size) {
    try {
        const fmt::detail::utf8_to_utf16 text(fmt::string_view(data, size));
        return ACCEPTED;
    } catch (const std::runtime_error &) {
        return REJECTED;
    }
}

int main(int count, char **words) {
    const decoder table[] = {
        {"utf8_to_utf16", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
