#include <algorithm>
#include <pugixml.hpp>
#include <stdio.h>
#include <string.h>

int main()
{
    static char data[9999];
    fread(data, 1, sizeof data - 1, stdin);
    auto text = pugi::as_wide(data);
    auto marks = std::count(text.begin(), text.end(), L'\uFFFD');
    for (const char *at = data; (at = strstr(at, "\uFFFD")); at++)
        marks--;
    return marks > 0 ? 11 : 10;
}
