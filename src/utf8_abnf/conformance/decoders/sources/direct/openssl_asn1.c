#include <openssl/asn1.h>
#include <stdio.h>

int main(void)
{
    static char data[99999];
    size_t size = fread(data, 1, sizeof data, stdin);
    ASN1_STRING *made = NULL;
    return ASN1_mbstring_copy(&made, (unsigned char *)data, size, MBSTRING_UTF8, B_ASN1_UTF8STRING) > 0 ? 10 : 11;
}
