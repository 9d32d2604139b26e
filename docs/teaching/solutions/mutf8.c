/* Assignment 4: accepts (status 0) Java's modified UTF-8 on standard input, and rejects (status 1) all else.
   Build it with `cc -O2 -o decoder mutf8.c`, and give students the program alone. */
#include <stdio.h>

int main(void)
{
    int byte, first = 0, tails = 0;
    while ((byte = getchar()) != EOF) {
        if (tails) {
            int low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xC0 ? 0x80 : 0xBF;
            if (byte < low || byte > high) return 1;
            first = 0;
            tails--;
        } else if (byte == 0 || (byte > 0x7F && byte < 0xC2 && byte != 0xC0) || byte > 0xEF) {
            return 1;
        } else if (byte > 0x7F) {
            first = byte;
            tails = byte < 0xE0 ? 1 : 2;
        }
    }
    return tails != 0;
}
