/* For adapters of XML parsers, which take UTF-8 without some of its characters. Included after stream.h. */
#ifndef XML_TEXT_H
#define XML_TEXT_H
/* Whether the data may stand as text in a document: no markup, and no character that XML 1.0 (Char) shuts out. A
   stream's chunks are looked at one by one, so the last bytes are kept. */
static int is_text(const char *data, size_t size, int first) {
    static uint32_t three;
    if (first) three = 0;
    for (size_t at = 0; at < size; at++) {
        unsigned char byte = (unsigned char)data[at];
        three = (three << 8 | byte) & 0xFFFFFF;
        if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') return 0;
        if (byte == '<' || byte == '&' || byte == ']') return 0;
        if ((three & ~1u) == 0xEFBFBE) return 0;
    }
    return 1;
}

#endif
