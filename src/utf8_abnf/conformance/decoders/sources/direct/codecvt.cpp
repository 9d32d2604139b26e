#include <codecvt>
#include <stdio.h>

int main()
{
    static char data[99999];
    static UNIT text[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    FACET facet;
    std::mbstate_t state = {};
    const char *read;
    UNIT *written; // there is room enough: one call decides
    auto result = facet.in(state, data, data + size, read, text, text + 99999, written);
    return !size || result == std::codecvt_base::ok ? 10 : 11;
}
