/* libxml2: its parser, pulled and pushed, and xmlCheckUTF8. */
#include "stream.h"
#include "xml_text.h"
#include <libxml/parser.h>
#include <libxml/xmlstring.h>

#define OPTIONS (XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET | XML_PARSE_HUGE)

static int check_accepts(char *data, size_t size) {
    char *text = c_string(data, size);
    return text ? verdict(xmlCheckUTF8((const unsigned char *)text)) : UNJUDGED;
}

static int parser_accepts(char *data, size_t size) {
    if (!is_text(data, size, 1)) return UNJUDGED;
    char *document = (char *)stream_memory(NULL, size + 8);
    memcpy(document, "<a>", 3);
    memcpy(document + 3, data, size);
    memcpy(document + 3 + size, "</a>", 4);
    xmlDocPtr tree = xmlReadMemory(document, (int)size + 7, "", "UTF-8", OPTIONS);
    free(document);
    xmlFreeDoc(tree);
    return verdict(tree != NULL);
}

static xmlParserCtxtPtr pushed;

static int parser_feeds(char *data, size_t size, int first, int last) {
    int answer = SO_FAR;
    if (first) {
        pushed = xmlCreatePushParserCtxt(NULL, NULL, "<a>", 3, NULL);
        xmlCtxtUseOptions(pushed, OPTIONS);
    }
    if (!is_text(data, size, first)) answer = UNJUDGED;
    else if (xmlParseChunk(pushed, data, (int)size, 0)) answer = REJECTED;
    else if (last) answer = verdict(!xmlParseChunk(pushed, "</a>", 4, 1) && pushed->wellFormed);
    if (answer != SO_FAR) {
        xmlFreeDoc(pushed->myDoc);
        xmlFreeParserCtxt(pushed);
    }
    return answer;
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"xmlCheckUTF8", check_accepts, NULL, NULL, NULL},
        {"xmlReadMemory", parser_accepts, NULL, NULL, parser_feeds},
        {NULL, NULL, NULL, NULL, NULL},
    };
    xmlInitParser();
    return serve(count, words, table, "");
}
