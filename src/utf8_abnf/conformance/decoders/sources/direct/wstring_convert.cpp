#include <codecvt>
#include <locale>
#include <stdexcept>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    try {
        std::wstring_convert<std::codecvt_utf8<char32_t>, char32_t>().from_bytes(data, data + size);
    } catch (std::range_error &) {
        return 11;
    }
    return 10;
}
