#include <boost/regex/pending/unicode_iterator.hpp>
#include <stdio.h>
#include <string>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    try {
        boost::u8_to_u32_iterator<char *> first(data, data, data + size), last(data + size, data, data + size);
        std::u32string(first, last);
    } catch (std::out_of_range &) {
        return 11;
    }
    return 10;
}
