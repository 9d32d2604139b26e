/* libavutil of FFmpeg: av_utf8_decode without flags for each character. */
#include "stream.h"
#include <libavutil/avstring.h>
#include <libavutil/avutil.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    const uint8_t *start = (const uint8_t *)data, *at = start;
    *length = 0;
    while (at < start + size) {
        int32_t character;
        *offset = (size_t)(at - start);
        if (av_utf8_decode(&character, &at, start + size, 0) < 0) return REJECTED;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"av_utf8_decode", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, av_version_info());
}
