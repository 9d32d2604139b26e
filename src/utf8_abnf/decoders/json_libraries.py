"""JSON parsers of C and C++, given the data as one string with quotes, backslashes and controls escaped."""

from utf8_abnf.decoders.compiled import from_c, library
from utf8_abnf.decoders.decoder import Decoder

# The data in quotes, as they are: what needs an escape is no question for the direct way.
QUOTED = (
    "for (size_t i = 0; i < n; i++) if ((unsigned char)d[i] < 32 || d[i] == 34 || d[i] == 92) return 2; "
    'static char q[99999]; sprintf(q, "%c%s%c", 34, d, 34); n += 2;'
)


def _row(
    name: str,
    about: str,
    source: str,
    argument: str,
    package: str,
    module: str,
    *,
    claim: str = "UTF-8",
    refuses: str = "",
    direct: str = "",
) -> Decoder:
    return library(
        name,
        about,
        source=source,
        argument=argument,
        install=f"apt:{package}",
        module=module,
        claim=claim,
        refuses=refuses,
        direct=direct,
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
    _row("jansson", "json_loadb", "jansson.c", "json_loadb", "libjansson-dev", "jansson"),
    _row(
        "json-c-validating",
        "json_tokener_parse_ex with JSON_TOKENER_VALIDATE_UTF8",
        "json_c.c",
        "VALIDATE_UTF8",
        "libjson-c-dev",
        "json-c",
        direct=_json_c("JSON_TOKENER_VALIDATE_UTF8"),
    ),
    _row(
        "json-c",
        "json_tokener_parse_ex with JSON_TOKENER_STRICT",
        "json_c.c",
        "STRICT",
        "libjson-c-dev",
        "json-c",
        claim="any bytes: JSON_TOKENER_VALIDATE_UTF8 is what validates (json_tokener.h)",
        direct=_json_c("JSON_TOKENER_STRICT"),
    ),
    _row(
        "yajl-parse",
        "yajl_parse",
        "yajl.c",
        "yajl_parse",
        "libyajl-dev",
        "yajl",
        direct=from_c(
            f"{QUOTED} yajl_handle h = yajl_alloc(0, 0, 0); "
            "r = yajl_parse(h, q, n) == yajl_status_ok && yajl_complete_parse(h) == yajl_status_ok;",
            "yajl/yajl_parse.h",
            module="yajl",
        ),
    ),
    _row(
        "cjson",
        "cJSON_ParseWithLength",
        "cjson.c",
        "cJSON_ParseWithLength",
        "libcjson-dev",
        "libcjson",
        claim="UTF-8, but ill-formed input is mostly passed on (README, Caveats)",
        refuses="NUL ends the string that it gives",
        direct=from_c(f"{QUOTED} r = cJSON_ParseWithLength(q, n) != 0;", "cjson/cJSON.h", module="libcjson"),
    ),
    _row(
        "rapidjson-validating",
        "Document::Parse<kParseValidateEncodingFlag>",
        "rapidjson.cpp",
        "validating",
        "rapidjson-dev",
        "RapidJSON",
        direct=_rapidjson("kParseValidateEncodingFlag"),
    ),
    _row(
        "rapidjson",
        "Document::Parse",
        "rapidjson.cpp",
        "plain",
        "rapidjson-dev",
        "RapidJSON",
        claim="any bytes: kParseValidateEncodingFlag is what validates (Encoding, in its documentation)",
        direct=_rapidjson("kParseDefaultFlags"),
    ),
    _row("nlohmann-json-parse", "json::parse", "nlohmann.cpp", "parse", "nlohmann-json3-dev", "nlohmann_json"),
    _row(
        "nlohmann-json-dump",
        "json::dump that throws, and error_handler_t::replace for mode r",
        "nlohmann.cpp",
        "dump",
        "nlohmann-json3-dev",
        "nlohmann_json",
    ),
    _row(
        "jsoncpp",
        "CharReader::parse",
        "jsoncpp.cpp",
        "CharReader",
        "libjsoncpp-dev",
        "jsoncpp",
        direct=from_c(
            f"{QUOTED} Json::Value v; r = Json::CharReaderBuilder().newCharReader()->parse(q, q + n, &v, 0);",
            "json/json.h",
            module="jsoncpp",
            compiler="c++",
        ),
    ),
    _row("simdjson-dom", "dom::parser::parse", "simdjson.cpp", "dom", "libsimdjson-dev", "simdjson"),
    _row(
        "simdjson-validate-utf8",
        "simdjson::validate_utf8, by the kernel that suits the machine",
        "simdjson.cpp",
        "best",
        "libsimdjson-dev",
        "simdjson",
    ),
    _row(
        "simdjson-fallback",
        "simdjson::validate_utf8, by the kernel without SIMD",
        "simdjson.cpp",
        "fallback",
        "libsimdjson-dev",
        "simdjson",
    ),
)
