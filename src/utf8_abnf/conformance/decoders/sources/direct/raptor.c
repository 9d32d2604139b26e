#include <stdio.h>
#include <raptor2.h>

int main(void)
{
    static unsigned char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    return raptor_unicode_check_utf8_string(data, size) ? 10 : 11;
}
