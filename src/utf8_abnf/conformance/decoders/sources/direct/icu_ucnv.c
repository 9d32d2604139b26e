#include <stdio.h>
#include <unicode/ucnv.h>

int main(void)
{
    static char data[99999];
    static UChar text[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    UErrorCode error = U_ZERO_ERROR;
    UConverter *converter = ucnv_open("UTF-8", &error);
    ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
    ucnv_toUChars(converter, text, 99999, data, size, &error);
    return U_SUCCESS(error) ? 10 : 11;
}
