/* libmosquitto: mosquitto_validate_utf8, for the strings of MQTT. */
#include "stream.h"
#include <mosquitto.h>

/* MQTT 5.0 section 1.5.4: NUL must not be in a string, controls and noncharacters should not; 65,535 bytes at most. */
static int is_mqtt(const char *data, size_t size) {
    if (size > 65535) return 0;
    for (size_t at = 0; at < size; at++) {
        unsigned char byte[4] = {0};
        memcpy(byte, data + at, size - at < 4 ? size - at : 4);
        if (byte[0] < ' ' || byte[0] == 0x7F) return 0;
        if (byte[0] == 0xC2 && byte[1] >= 0x80 && byte[1] < 0xA0) return 0;
        if (byte[0] == 0xEF && byte[1] == 0xB7 && byte[2] >= 0x90 && byte[2] <= 0xAF) return 0;
        if (byte[0] == 0xEF && byte[1] == 0xBF && byte[2] >= 0xBE) return 0;
        if (byte[0] >= 0xF0 && (byte[1] & 0xCF) == 0x8F && byte[2] == 0xBF && byte[3] >= 0xBE) return 0;
    }
    return 1;
}

/* It looks at the bytes behind the length: what is cut passes only where tail bytes lie there, as they do here (stream.h). */
static int accepts(char *data, size_t size) {
    return is_mqtt(data, size) ? verdict(mosquitto_validate_utf8(data, (int)size) == MOSQ_ERR_SUCCESS) : UNJUDGED;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"mosquitto_validate_utf8", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
