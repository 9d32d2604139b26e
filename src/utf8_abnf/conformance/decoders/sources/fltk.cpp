// FLTK: fl_utf8test, and fl_utf8decode for each character, which takes ill-formed bytes for CP1252.
#include "stream.h"
#include <FL/fl_utf8.h>

static int accepts(char *data, size_t size) {
    return verdict(fl_utf8test(data, static_cast<unsigned>(size)));
}

static int replaces(char *data, size_t size) {
    for (const char *at = data, *end = data + size; at < end;) {
        int used;
        say_code_point(fl_utf8decode(at, end, &used));
        at += used;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"fl_utf8test", accepts, NULL, replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
