// Qt 6: QByteArray::isValidUtf8, QString::fromUtf8, QStringDecoder.
#include "stream.h"
#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringDecoder>

static void say_utf16(const QString &text) {
    for (const uint each : text.toUcs4()) say_code_point(each);
}

static int is_valid(char *data, size_t size) {
    return verdict(QByteArray::fromRawData(data, static_cast<qsizetype>(size)).isValidUtf8());
}

static int from_utf8_replaces(char *data, size_t size) {
    say_utf16(QString::fromUtf8(data, static_cast<qsizetype>(size)));
    return ACCEPTED;
}

// Stateless: what is cut at the end is an error. The byte order mark is kept.
static const auto FLAGS = QStringDecoder::Flag::Stateless | QStringDecoder::Flag::ConvertInitialBom;

static int decoder_accepts(char *data, size_t size) {
    QStringDecoder decode(QStringDecoder::Utf8, FLAGS);
    const QString text = decode(QByteArrayView(data, static_cast<qsizetype>(size)));
    return verdict(!decode.hasError());
}

static int decoder_replaces(char *data, size_t size) {
    QStringDecoder decode(QStringDecoder::Utf8, FLAGS);
    say_utf16(decode(QByteArrayView(data, static_cast<qsizetype>(size))));
    return ACCEPTED;
}

int main(int count, char **words) {
    const decoder table[] = {
        {"isValidUtf8", is_valid, NULL, from_utf8_replaces, NULL},
        {"QStringDecoder", decoder_accepts, NULL, decoder_replaces, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, qVersion());
}
