#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

int main()
{
    std::string data(std::istreambuf_iterator<char>(std::cin), {});
    for (unsigned char each : data)
        if (each < 32 || each == '"' || each == '\\')
            return 2; // data that need an escape are not judged
    try {
        CALL;
        return 10;
    } catch (const nlohmann::json::exception &) {
        return 11;
    }
}
