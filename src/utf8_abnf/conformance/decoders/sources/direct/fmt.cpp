#include <fmt/format.h>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    try {
        fmt::detail::utf8_to_utf16 text(fmt::string_view(data, size));
        return 10;
    } catch (const std::runtime_error &) {
        return 11;
    }
}
