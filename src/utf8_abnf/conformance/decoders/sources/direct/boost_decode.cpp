#include <boost/locale/encoding_utf.hpp>
#include <boost/nowide/utf/utf.hpp>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    using namespace boost::LIBRARY::utf;
    const char *at = data, *end = data + size;
    while (at < end) {
        auto character = utf_traits<char>::decode(at, end);
        if (character == illegal || character == incomplete)
            return 11;
    }
    return 10;
}
