#include <mupdf/fitz.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    int size = fread(data, 1, sizeof data - 1, stdin), value, used;
    for (int at = 0; at < size; at += used) {
        used = fz_chartorune(&value, data + at);
        if (value == 0xFFFD && used != 3)
            return 11;
    }
    return 10;
}
