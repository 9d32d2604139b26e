#include <stdio.h>
#include <xmlrpc-c/util.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    xmlrpc_env error;
    xmlrpc_env_init(&error);
    xmlrpc_validate_utf8(&error, data, size);
    return error.fault_occurred ? 11 : 10;
}
