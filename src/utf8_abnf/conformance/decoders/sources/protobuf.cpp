// Protocol Buffers: UTF8SpnStructurallyValid, by which IsStructurallyValidUTF8 judges a field of type string.
#include "stream.h"
#include <google/protobuf/stubs/common.h>

static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    using namespace google::protobuf;
    *length = 0;
    *offset = static_cast<size_t>(internal::UTF8SpnStructurallyValid(StringPiece(data, size)));
    return verdict(internal::IsStructurallyValidUTF8(data, static_cast<int>(size)));
}

int main(int count, char **words) {
    const decoder table[] = {
        {"IsStructurallyValidUTF8", NULL, locates, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION).c_str());
}
