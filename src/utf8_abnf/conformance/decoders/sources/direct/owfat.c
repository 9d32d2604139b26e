#include <stdint.h>
#include <stdio.h>
#include <scan.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin), at = 0, length = 1;
    uint32_t character;
    while (at < size && (length = SCAN(data + at, size - at, &character)))
        at += length;
    return length > 0 ? 10 : 11;
}
