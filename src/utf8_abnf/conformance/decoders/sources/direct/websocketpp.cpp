#include <stdio.h>
#include <string>
#include <websocketpp/utf8_validator.hpp>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return websocketpp::utf8_validator::validate(std::string(data, size)) ? 10 : 11;
}
