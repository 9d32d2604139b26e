#include <stdio.h>
#include <xapian.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    for (Xapian::Utf8Iterator at(data, size), end; at != end; ++at)
        if (at.strict_deref() >> 31)
            return 11;
    return 10;
}
