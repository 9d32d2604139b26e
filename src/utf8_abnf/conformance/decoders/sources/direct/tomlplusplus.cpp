#include <stdio.h>
#include <string>
#include <toml++/toml.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    for (size_t at = 0; at < size; at++)
        if ((unsigned char)data[at] < 32 || data[at] == '"' || data[at] == '\\' || data[at] == 127)
            return 2; // data that need an escape are not judged
    try {
        toml::parse("a=\"" + std::string(data, size) + "\"");
    } catch (toml::parse_error &) {
        return 11;
    }
    return 10;
}
