#include <libfilezilla/string.hpp>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return fz::is_valid_utf8(std::string_view(data, size)) ? 10 : 11;
}
