#include <hb.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_set_replacement_codepoint(buffer, 0xFFFFFFFF); /* for what is ill-formed */
    hb_buffer_add_utf8(buffer, data, size, 0, size);
    unsigned count;
    hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &count);
    for (unsigned at = 0; at < count; at++)
        if (infos[at].codepoint == 0xFFFFFFFF)
            return 11;
    return 10;
}
