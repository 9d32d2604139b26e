// Qt 6: QByteArray::isValidUtf8, QString::fromUtf8.
#include "stream.h"
#include <QByteArray>
#include <QList>
#include <QString>

static int is_valid(char *data, size_t size) {
    return verdict(QByteArray::fromRawData(data, static_cast<qsizetype>(size)).isValidUtf8());
}

static int from_utf8_replaces(char *data, size_t size) {
    for (const uint each : QString::fromUtf8(data, static_cast<qsizetype>(size)).toUcs4()) say_code_point(each);
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"isValidUtf8", is_valid, NULL, from_utf8_replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, qVersion());
}
