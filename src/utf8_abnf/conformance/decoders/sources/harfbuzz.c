/* HarfBuzz: hb_buffer_add_utf8, which puts a code point of our choice for what is wrong, and says where. */
#include "stream.h"
#include <hb.h>

#define WRONG 0xFFFFFFFFu /* no text holds it */

static hb_buffer_t *buffer;

static const hb_glyph_info_t *added(const char *data, size_t size, hb_codepoint_t replacement, unsigned *count) {
    hb_buffer_reset(buffer);
    hb_buffer_set_replacement_codepoint(buffer, replacement);
    hb_buffer_add_utf8(buffer, data, (int)size, 0, (int)size);
    return hb_buffer_get_glyph_infos(buffer, count);
}

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    unsigned count;
    const hb_glyph_info_t *infos = added(data, size, WRONG, &count);
    for (unsigned at = 0; at < count; at++)
        if (infos[at].codepoint == WRONG) {
            *offset = infos[at].cluster;
            *length = (at + 1 < count ? infos[at + 1].cluster : size) - *offset;
            return REJECTED;
        }
    return ACCEPTED;
}

static int replaces(char *data, size_t size) {
    unsigned count;
    const hb_glyph_info_t *infos = added(data, size, 0xFFFD, &count);
    for (unsigned at = 0; at < count; at++) say_code_point(infos[at].codepoint);
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"hb_buffer_add_utf8", NULL, locates, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    buffer = hb_buffer_create();
    return serve(count, words, table, hb_version_string());
}
