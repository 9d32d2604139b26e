"""Libraries of C for data that others sent: libbson, mosquitto, D-Bus, OpenSSL, XML-RPC, Raptor."""

from utf8_abnf.decoders.compiled import debian_version, from_c, from_python, header, library

DECODERS = (
    library(
        "libbson-utf8-validate",
        "bson_utf8_validate, NUL allowed",
        source="bson.c",
        argument="bson_utf8_validate",
        install="apt:libbson-dev",
        module="libbson-1.0",
        direct=from_python("l.bson_utf8_validate(d, n, True) & 255", "libbson-1.0.so.0"),
    ),
    library(
        "mosquitto-validate-utf8",
        "mosquitto_validate_utf8",
        source="mosquitto.c",
        argument="mosquitto_validate_utf8",
        install="apt:libmosquitto-dev",
        module="libmosquitto",
        refuses="controls, noncharacters, and more than 65,535 bytes are no string of MQTT",
        # What lies behind the data is part of the question: here, as in the adapter, tail bytes.
        direct=from_python("not l.mosquitto_validate_utf8(d + b'\\x80' * 5, len(d))", "libmosquitto.so.1"),
    ),
    library(
        "dbus-validate-utf8",
        "dbus_validate_utf8",
        source="dbus.c",
        argument="dbus_validate_utf8",
        install="apt:libdbus-1-dev",
        module="dbus-1",
        refuses="NUL ends a C string",
        direct=from_python("l.dbus_validate_utf8(d, None)", "libdbus-1.so.3"),
    ),
    library(
        "openssl-utf8-getc",
        "UTF8_getc for each character",
        source="openssl.c",
        argument="UTF8_getc",
        install="apt:libssl-dev",
        module="libcrypto",
    ),
    library(
        "openssl-asn1-mbstring",
        "ASN1_mbstring_copy of MBSTRING_UTF8 to a UTF8String",
        source="openssl.c",
        argument="ASN1_mbstring_copy",
        install="apt:libssl-dev",
        module="libcrypto",
    ),
    library(
        "xmlrpc-c-validate-utf8",
        "xmlrpc_validate_utf8",
        source="xmlrpc.c",
        argument="xmlrpc_validate_utf8",
        install="apt:libxmlrpc-core-c3-dev",
        flags="-lxmlrpc_util",
        probe=header("xmlrpc-c/util.h"),
        version=debian_version("libxmlrpc-core-c3-dev"),
        direct=from_c(
            "xmlrpc_env e; xmlrpc_env_init(&e); xmlrpc_validate_utf8(&e, d, n); r = !e.fault_occurred;",
            "xmlrpc-c/util.h",
            flags="-lxmlrpc_util",
        ),
    ),
    library(
        "raptor-check-utf8-string",
        "raptor_unicode_check_utf8_string",
        source="raptor.c",
        argument="raptor_unicode_check_utf8_string",
        install="apt:libraptor2-dev",
        module="raptor2",
        direct=from_c("r = raptor_unicode_check_utf8_string(d, n);", "raptor2.h", module="raptor2"),
    ),
)
