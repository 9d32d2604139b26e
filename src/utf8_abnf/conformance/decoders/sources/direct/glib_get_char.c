#include <glib.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    for (char *at = data; at < data + size; at = g_utf8_next_char(at))
        if ((gint32)g_utf8_get_char_validated(at, data + size - at) < 0)
            return 11;
    return 10;
}
