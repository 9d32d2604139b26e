#include <stdio.h>
#include <unicode/ustring.h>

int main(void)
{
    static char data[9999];
    static UChar text[9999];
    size_t size = fread(data, 1, sizeof data, stdin);
    UErrorCode error = U_ZERO_ERROR;
    u_strFromUTF8(text, 9999, NULL, data, size, &error);
    return U_SUCCESS(error) ? 10 : 11;
}
