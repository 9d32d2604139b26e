/* expat's parser, UTF-8 chosen by XML_ParserCreate. */
#include "stream.h"
#include "xml_text.h"
#include <expat.h>

static XML_Parser expat;

static int expat_feeds(char *data, size_t size, int first, int last) {
    if (first) {
        XML_ParserReset(expat, "UTF-8");
        XML_Parse(expat, "<a>", 3, 0);
    }
    if (!is_text(data, size, first)) return UNJUDGED;
    if (!XML_Parse(expat, data, (int)size, 0)) return REJECTED;
    return last ? verdict(XML_Parse(expat, "</a>", 4, 1) == XML_STATUS_OK) : SO_FAR;
}

static int expat_locates(char *data, size_t size, size_t *offset, size_t *length) {
    int answer = expat_feeds(data, size, 1, 1);
    *length = 0;
    *offset = answer == REJECTED ? (size_t)XML_GetCurrentByteIndex(expat) - 3 : 0;
    return answer;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"XML_Parse", NULL, expat_locates, NULL, expat_feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    expat = XML_ParserCreate("UTF-8");
    return serve(count, words, table, "");
}
