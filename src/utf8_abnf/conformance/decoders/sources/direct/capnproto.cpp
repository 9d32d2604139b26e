#include <kj/encoding.h>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return kj::encodeUtf32(kj::arrayPtr(data, size)).hadErrors ? 11 : 10;
}
