#include <boost/locale/encoding_utf.hpp>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    try {
        boost::locale::conv::utf_to_utf<char32_t>(data, data + size, boost::locale::conv::stop);
        return 10;
    } catch (const boost::locale::conv::conversion_error &) {
        return 11;
    }
}
