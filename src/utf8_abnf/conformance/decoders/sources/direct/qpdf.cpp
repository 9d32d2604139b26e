#include <qpdf/QUtil.hh>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    bool wrong = false;
    for (size_t at = 0; at < size && !wrong;)
        QUtil::get_next_utf8_codepoint(std::string(data, size), at, wrong);
    return wrong ? 11 : 10;
}
