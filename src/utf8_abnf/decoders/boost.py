"""Boost: the parser of its JSON, the decoders of its Locale and Nowide."""

from utf8_abnf.decoders.compiled import header, library

PACKAGES = "apt:libboost-json1.81-dev apt:libboost-locale1.81-dev apt:libboost-nowide1.81-dev"

DECODERS = tuple(
    library(
        f"boost-{name}",
        about,
        source="boost.cpp",
        argument=argument,
        install=PACKAGES,
        flags="-lboost_json",
        probe=header("boost/json.hpp"),
    )
    for name, about, argument in (
        ("json", "boost::json::parse, stream_parser for mode s", "json"),
        ("locale-decode", "boost::locale::utf::utf_traits<char>::decode", "locale"),
        ("locale-utf-to-utf", "boost::locale::conv::utf_to_utf that stops, and that skips for mode r", "utf_to_utf"),
        ("nowide-decode", "boost::nowide::utf::utf_traits<char>::decode, boost::nowide::widen for mode r", "nowide"),
    )
)
