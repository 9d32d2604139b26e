#include <boost/beast/websocket/detail/utf8_checker.hpp>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return boost::beast::websocket::detail::check_utf8(data, size) ? 10 : 11;
}
