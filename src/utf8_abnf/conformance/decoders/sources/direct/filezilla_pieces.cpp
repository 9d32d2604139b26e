#include <libfilezilla/string.hpp>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    size_t state = 0;
    for (size_t at = 0; at < size; at++)
        if (!fz::is_valid_utf8(std::string_view(data + at, 1), state))
            return 11;
    return state ? 11 : 10;
}
