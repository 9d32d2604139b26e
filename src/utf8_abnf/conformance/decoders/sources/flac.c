/* libFLAC: whether the value of a Vorbis comment is legal. */
#include "stream.h"
#include <FLAC/format.h>

static int accepts(char *data, size_t size) {
    return verdict(FLAC__format_vorbiscomment_entry_value_is_legal((FLAC__byte *)data, (uint32_t)size));
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"vorbiscomment_entry_value_is_legal", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, FLAC__VERSION_STRING);
}
