#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    int code;
    size_t at;
    pcre2_code *pattern = pcre2_compile((PCRE2_SPTR) "", 0, PCRE2_UTF, &code, &at, NULL);
    pcre2_match_data *match = pcre2_match_data_create_from_pattern(pattern, NULL);
    int found = pcre2_match(pattern, (PCRE2_SPTR)data, size, 0, 0, match, NULL);
    return found > 0 ? 10 : found <= PCRE2_ERROR_UTF8_ERR1 && found >= PCRE2_ERROR_UTF8_ERR21 ? 11 : 2;
}
