"""JSON parsers of C and C++, given the data as one string with quotes, backslashes and controls escaped."""

from utf8_abnf.decoders.compiled import from_c, library

# The data in quotes, as they are: what needs an escape is no question for the direct way.
QUOTED = (
    "for (size_t i = 0; i < n; i++) if ((unsigned char)d[i] < 32 || d[i] == 34 || d[i] == 92) return 2; "
    'static char q[99999]; sprintf(q, "%c%s%c", 34, d, 34); n += 2;'
)


def _json_c(flags: str) -> str:
    judge = (
        f"struct json_tokener *t = json_tokener_new(); json_tokener_set_flags(t, {flags}); "
        "r = json_tokener_parse_ex(t, q, n + 1) != 0;"
    )
    return from_c(f"{QUOTED} {judge}", "json.h", module="json-c")


def _rapidjson(flags: str) -> str:
    judge = f"rapidjson::Document v; v.Parse<rapidjson::{flags}>(q, n); r = !v.HasParseError();"
    return from_c(f"{QUOTED} {judge}", "rapidjson/document.h", module="RapidJSON", compiler="c++")


DECODERS = (
    library(
        "jansson",
        "json_loadb",
        source="jansson.c",
        argument="json_loadb",
        install="apt:libjansson-dev",
        module="jansson",
    ),
    library(
        "json-c-validating",
        "json_tokener_parse_ex with JSON_TOKENER_VALIDATE_UTF8",
        source="json_c.c",
        argument="VALIDATE_UTF8",
        install="apt:libjson-c-dev",
        module="json-c",
        direct=_json_c("JSON_TOKENER_VALIDATE_UTF8"),
    ),
    library(
        "json-c",
        "json_tokener_parse_ex with JSON_TOKENER_STRICT",
        source="json_c.c",
        argument="STRICT",
        install="apt:libjson-c-dev",
        module="json-c",
        claim="any bytes: JSON_TOKENER_VALIDATE_UTF8 is what validates (json_tokener.h)",
        direct=_json_c("JSON_TOKENER_STRICT"),
    ),
    library(
        "yajl-parse",
        "yajl_parse",
        source="yajl.c",
        argument="yajl_parse",
        install="apt:libyajl-dev",
        module="yajl",
        direct=from_c(
            f"{QUOTED} yajl_handle h = yajl_alloc(0, 0, 0); "
            "r = yajl_parse(h, q, n) == yajl_status_ok && yajl_complete_parse(h) == yajl_status_ok;",
            "yajl/yajl_parse.h",
            module="yajl",
        ),
    ),
    library(
        "cjson",
        "cJSON_ParseWithLength",
        source="cjson.c",
        argument="cJSON_ParseWithLength",
        install="apt:libcjson-dev",
        module="libcjson",
        claim="UTF-8, but ill-formed input is mostly passed on (README, Caveats)",
        refuses="NUL ends the string that it gives",
        direct=from_c(f"{QUOTED} r = cJSON_ParseWithLength(q, n) != 0;", "cjson/cJSON.h", module="libcjson"),
    ),
    library(
        "rapidjson-validating",
        "Document::Parse<kParseValidateEncodingFlag>",
        source="rapidjson.cpp",
        argument="validating",
        install="apt:rapidjson-dev",
        module="RapidJSON",
        direct=_rapidjson("kParseValidateEncodingFlag"),
    ),
    library(
        "rapidjson",
        "Document::Parse",
        source="rapidjson.cpp",
        argument="plain",
        install="apt:rapidjson-dev",
        module="RapidJSON",
        claim="any bytes: kParseValidateEncodingFlag is what validates (Encoding, in its documentation)",
        direct=_rapidjson("kParseDefaultFlags"),
    ),
    library(
        "nlohmann-json-parse",
        "json::parse",
        source="nlohmann.cpp",
        argument="parse",
        install="apt:nlohmann-json3-dev",
        module="nlohmann_json",
    ),
    library(
        "nlohmann-json-dump",
        "json::dump that throws, and error_handler_t::replace for mode r",
        source="nlohmann.cpp",
        argument="dump",
        install="apt:nlohmann-json3-dev",
        module="nlohmann_json",
    ),
    library(
        "jsoncpp",
        "CharReader::parse",
        source="jsoncpp.cpp",
        argument="CharReader",
        install="apt:libjsoncpp-dev",
        module="jsoncpp",
        direct=from_c(
            f"{QUOTED} Json::Value v; r = Json::CharReaderBuilder().newCharReader()->parse(q, q + n, &v, 0);",
            "json/json.h",
            module="jsoncpp",
            compiler="c++",
        ),
    ),
    library(
        "simdjson-dom",
        "dom::parser::parse",
        source="simdjson.cpp",
        argument="dom",
        install="apt:libsimdjson-dev",
        module="simdjson",
    ),
    library(
        "simdjson-validate-utf8",
        "simdjson::validate_utf8, by the kernel that suits the machine",
        source="simdjson.cpp",
        argument="best",
        install="apt:libsimdjson-dev",
        module="simdjson",
    ),
    library(
        "simdjson-fallback",
        "simdjson::validate_utf8, by the kernel without SIMD",
        source="simdjson.cpp",
        argument="fallback",
        install="apt:libsimdjson-dev",
        module="simdjson",
    ),
)
