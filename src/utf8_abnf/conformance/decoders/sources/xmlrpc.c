/* XML-RPC for C: xmlrpc_validate_utf8. */
#include "stream.h"
#include <xmlrpc-c/util.h>

static int accepts(char *data, size_t size) {
    xmlrpc_env outcome;
    xmlrpc_env_init(&outcome);
    xmlrpc_validate_utf8(&outcome, data, size);
    int accepted = !outcome.fault_occurred;
    xmlrpc_env_clean(&outcome);
    return verdict(accepted);
}

int main(int count, char **words) {
    const struct decoder table[] = {
        {"xmlrpc_validate_utf8", accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, "");
}
