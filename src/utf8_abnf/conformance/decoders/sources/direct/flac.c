#include <FLAC/format.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char data[99999];
    memset(data, 0x80, sizeof data);
    size_t size = fread(data, 1, sizeof data, stdin);
    return FLAC__format_vorbiscomment_entry_value_is_legal((FLAC__byte *)data, size) ? 10 : 11;
}
