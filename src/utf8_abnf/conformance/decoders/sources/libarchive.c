/* libarchive: the path of a pax header in a tar archive, in the locale C.UTF-8. */
#include "stream.h"
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

enum { BLOCK = 512 };

static void put_header(char *block, char type, size_t size) {
    unsigned sum = 0;
    memset(block, 0, BLOCK);
    strcpy(block, "name");
    sprintf(block + 124, "%011lo", (unsigned long)size);
    memset(block + 148, ' ', 8);
    block[156] = type;
    memcpy(block + 257, "ustar\00000", 8);
    for (int at = 0; at < BLOCK; at++) sum += (unsigned char)block[at];
    sprintf(block + 148, "%06o", sum);
}

/* Makes an archive of one empty file whose path is the data; returns its size. */
static size_t make(const char *data, size_t size, char **archive) {
    static char *memory;
    char number[24];
    size_t record = size, before = 0;
    while (record != before) { /* the length of a record counts its own digits */
        before = record;
        record = (size_t)sprintf(number, "%lu path=", (unsigned long)before) + size + 1;
    }
    size_t blocks = (record + BLOCK - 1) / BLOCK, end = (blocks + 2) * BLOCK;
    *archive = memory = (char *)stream_memory(memory, end + 2 * BLOCK);
    memset(memory, 0, end + 2 * BLOCK);
    put_header(memory, 'x', record);
    size_t head = (size_t)sprintf(memory + BLOCK, "%s", number);
    memcpy(memory + BLOCK + head, data, size);
    memory[BLOCK + head + size] = '\n';
    put_header(memory + end - BLOCK, '0', 0);
    return end + 2 * BLOCK;
}

static int accepts(char *data, size_t size) {
    char *archive;
    struct archive_entry *entry;
    if (memchr(data, 0, size)) return UNJUDGED;
    size_t length = make(data, size, &archive);
    struct archive *reader = archive_read_new();
    archive_read_support_format_tar(reader);
    archive_read_open_memory(reader, archive, length);
    int status = archive_read_next_header(reader, &entry);
    archive_read_free(reader);
    return verdict(status == ARCHIVE_OK); /* what it cannot convert it warns of */
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"pax-path", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    setlocale(LC_ALL, "C.UTF-8");
    return serve(count, words, table, archive_version_string() + strlen("libarchive "));
}
