#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    mbstate_t state = {0};
    wchar_t character;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (size_t at = 0; at < size;) {
        size_t used = mbrtowc(&character, data + at, size - at, &state);
        if (used == (size_t)-1 || used == (size_t)-2)
            return 11;
        at += used ? used : 1;
    }
    return 10;
}
