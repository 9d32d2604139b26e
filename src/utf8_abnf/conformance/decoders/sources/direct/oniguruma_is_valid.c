#include <stdio.h>
#include <oniguruma.h>

int main(void)
{
    static OnigUChar data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    onig_initialize(NULL, 0);
    return onigenc_is_valid_mbc_string(ONIG_ENCODING_UTF8, data, data + size) ? 10 : 11;
}
