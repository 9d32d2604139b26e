#include <stdio.h>

int lws_check_byte_utf8(unsigned char state, unsigned char byte);

int main(void)
{
    int state = 0, byte;
    while (state >= 0 && (byte = getchar()) != EOF)
        state = lws_check_byte_utf8(state, byte);
    return state ? 11 : 10;
}
