#include <flatbuffers/base.h>
#include <flatbuffers/util.h>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    for (const char *at = data; at < data + size;)
        if (flatbuffers::FromUTF8(&at) < 0)
            return 11;
    return 10;
}
