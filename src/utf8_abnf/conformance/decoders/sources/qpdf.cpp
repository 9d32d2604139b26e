// QPDF: QUtil::get_next_utf8_codepoint for each character.
#include "stream.h"
#include <qpdf/QPDF.hh>
#include <qpdf/QUtil.hh>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    const std::string text(data, size);
    *length = 0;
    for (size_t at = 0; at < size;) {
        bool wrong = false;
        *offset = at;
        QUtil::get_next_utf8_codepoint(text, at, wrong);
        if (wrong) return REJECTED;
    }
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"get_next_utf8_codepoint", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, QPDF::QPDFVersion().c_str());
}
