/* libwebsockets: lws_check_utf8, which checks text messages under LWS_SERVER_OPTION_VALIDATE_UTF8.

   No header declares it, and the shared library does not export it: the adapter takes it from libwebsockets.a. */
#include "stream.h"
#include <libwebsockets.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

/* The state is 0 between two characters. */
int lws_check_utf8(unsigned char *state, unsigned char *data, size_t size);

static int feeds(char *data, size_t size, int first, int last) {
    static unsigned char state;
    if (first) state = 0;
    if (size && lws_check_utf8(&state, (unsigned char *)data, size)) return REJECTED;
    return last ? verdict(!state) : SO_FAR;
}

static int accepts(char *data, size_t size) {
    return feeds(data, size, 1, 1);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"lws_check_utf8", accepts, NULL, NULL, feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table,
                 DOTTED(LWS_LIBRARY_VERSION_MAJOR, LWS_LIBRARY_VERSION_MINOR, LWS_LIBRARY_VERSION_PATCH));
}
