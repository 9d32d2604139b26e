#include <re2/re2.h>
#include <stdio.h>

int main()
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    RE2::Options options(RE2::Quiet);
    options.set_literal(true);
    return RE2(re2::StringPiece(data, size), options).ok() ? 10 : 11;
}
