/* libdbus: dbus_validate_utf8. */
#include "stream.h"
#include <dbus/dbus.h>

static int accepts(char *data, size_t size) {
    char *text = c_string(data, size);
    return text ? verdict((int)dbus_validate_utf8(text, NULL)) : UNJUDGED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"dbus_validate_utf8", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
