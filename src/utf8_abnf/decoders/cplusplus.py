"""Libraries of C++: the standard library's codecvt, Qt, Protocol Buffers, UTF8-CPP, Xapian, FLTK and others."""

from utf8_abnf.decoders.compiled import debian_version, from_c, header, library
from utf8_abnf.decoders.decoder import Decoder

UTF_8, UTF_16 = "std::codecvt_utf8<char32_t>", "std::codecvt_utf8_utf16<char16_t>"
UCS_2 = "std::codecvt_utf8<char16_t>"


def _codecvt(facet: str) -> str:
    """Return how a facet is asked: by one call with room enough; 0 is ``codecvt_base::ok``."""
    kind = facet.partition("<")[2]
    judge = f"{facet} f; std::mbstate_t s = {{}}; static {kind[:-1]} o[99999], *p; const char *q; "
    return from_c(f"{judge} r = !n || f.in(s, d, d + n, q, o, o + 99999, p) == 0;", "codecvt", compiler="c++")


def _standard(name: str, about: str, argument: str, claim: str, direct: str) -> tuple[Decoder, Decoder]:
    """Return the rows for both standard libraries, GNU's and LLVM's."""
    gnu = library(
        f"libstdc++-{name}", about, source="codecvt.cpp", argument=argument, install="", claim=claim, direct=direct
    )
    llvm = library(
        f"libc++-{name}",
        about,
        source="codecvt.cpp",
        argument=argument,
        install="apt:clang apt:libc++-dev apt:libc++abi-dev",
        flags="-stdlib=libc++",
        compiler="clang++",
        probe=header("codecvt", "clang++ -stdlib=libc++"),
        claim=claim,
        direct=direct.replace("| c++", "| clang++ -stdlib=libc++"),
    )
    return gnu, llvm


STANDARD = (
    _standard("codecvt-utf8", f"{UTF_8}::in", "codecvt_utf8", "UTF-8", _codecvt(UTF_8)),
    _standard("codecvt-utf8-utf16", f"{UTF_16}::in", "codecvt_utf8_utf16", "UTF-8", _codecvt(UTF_16)),
    _standard("codecvt-utf8-ucs2", f"{UCS_2}::in", "codecvt_utf8_ucs2", "UCS-2 (C++17, D.15)", _codecvt(UCS_2)),
    _standard(
        "wstring-convert",
        f"std::wstring_convert<{UTF_8}>::from_bytes",
        "wstring_convert",
        "UTF-8",
        from_c(
            f"try {{ std::wstring_convert<{UTF_8}, char32_t>().from_bytes(d, d + n); r = 1; }} "
            "catch (std::range_error &) {}",
            "codecvt",
            "locale",
            "stdexcept",
            compiler="c++",
        ),
    ),
)

XAPIAN = (
    "Xapian::Utf8Iterator i(d, n), e; r = 1; for (; i != e; ++i) if (i.strict_deref() >> 31) r = 0;",
    "xapian.h",
)


def _qt(name: str, about: str, argument: str, direct: str = "") -> Decoder:
    return library(
        f"qt6-{name}",
        about,
        source="qt.cpp",
        argument=argument,
        install="apt:qt6-base-dev",
        module="Qt6Core",
        flags="-fPIC",
        direct=direct,
    )


DECODERS = (
    *(each for both in STANDARD for each in both),
    _qt(
        "is-valid-utf8",
        "QByteArray::isValidUtf8, and QString::fromUtf8 for mode r",
        "isValidUtf8",
        from_c("r = QByteArray(d, n).isValidUtf8();", "QByteArray", module="Qt6Core", flags="-fPIC", compiler="c++"),
    ),
    _qt("qstringdecoder", "QStringDecoder, Stateless, that keeps a byte order mark", "QStringDecoder"),
    library(
        "protobuf-structurally-valid",
        "IsStructurallyValidUTF8, and UTF8SpnStructurallyValid",
        source="protobuf.cpp",
        argument="IsStructurallyValidUTF8",
        install="apt:libprotobuf-dev",
        module="protobuf",
    ),
    library(
        "utfcpp-find-invalid",
        "utf8::find_invalid, and utf8::replace_invalid for mode r",
        source="utfcpp.cpp",
        argument="find_invalid",
        install="apt:libutfcpp-dev",
        flags="-I/usr/include/utf8cpp",
        probe=header("utf8cpp/utf8.h"),
        version=debian_version("libutfcpp-dev"),
    ),
    library(
        "xapian-utf8iterator",
        "Xapian::Utf8Iterator: strict_deref, and operator * for mode r",
        source="xapian.cpp",
        argument="Utf8Iterator",
        install="apt:libxapian-dev",
        module="xapian-core",
        direct=from_c(*XAPIAN, module="xapian-core", compiler="c++"),
    ),
    library(
        "fltk-utf8test",
        "fl_utf8test, and fl_utf8decode for mode r",
        source="fltk.cpp",
        argument="fl_utf8test",
        install="apt:libfltk1.3-dev",
        flags="-lfltk",
        probe=header("FL/fl_utf8.h"),
        version=("fltk-config", "--version"),
        claim="UTF-8 and surrogates: STRICT_RFC3629 is 0 (FLTK 1.3, Unicode and UTF-8 functions)",
        direct=from_c("r = fl_utf8test(d, n);", "FL/fl_utf8.h", flags="-lfltk", compiler="c++"),
    ),
    library(
        "libfilezilla-is-valid-utf8",
        "fz::is_valid_utf8, whole, and piecewise for mode s",
        source="filezilla.cpp",
        argument="is_valid_utf8",
        install="apt:libfilezilla-dev apt:libgnutls28-dev apt:nettle-dev",
        module="libfilezilla",
        direct=from_c(
            "r = fz::is_valid_utf8(std::string_view(d, n));",
            "libfilezilla/string.hpp",
            module="libfilezilla",
            compiler="c++",
        ),
    ),
    library(
        "capnproto-encode-utf32",
        "kj::encodeUtf32: hadErrors, and its text for mode r",
        source="capnproto.cpp",
        argument="encodeUtf32",
        install="apt:libcapnp-dev",
        module="kj",
    ),
    library(
        "pugixml-as-wide",
        "pugi::as_wide, judged by whether the text is the same",
        source="pugixml.cpp",
        argument="as_wide",
        install="apt:libpugixml-dev",
        module="pugixml",
        refuses="NUL ends a C string",
    ),
    library(
        "flatbuffers-fromutf8",
        "flatbuffers::FromUTF8 for each character",
        source="flatbuffers.cpp",
        argument="FromUTF8",
        install="apt:libflatbuffers-dev",
        module="flatbuffers",
    ),
    library(
        "re2-pattern",
        "RE2 of the data as a literal pattern",
        source="re2.cpp",
        argument="pattern",
        install="apt:libre2-dev",
        module="re2",
        version=debian_version("libre2-dev"),
        direct=from_c(
            "RE2::Options o(RE2::Quiet); o.set_literal(true); r = RE2(re2::StringPiece(d, n), o).ok();",
            "re2/re2.h",
            module="re2",
            compiler="c++",
        ),
    ),
    library(
        "fmt-utf8-to-utf16",
        "fmt::detail::utf8_to_utf16, by which it prints to a console of Windows",
        source="fmt.cpp",
        argument="utf8_to_utf16",
        install="apt:libfmt-dev",
        module="fmt",
    ),
    library(
        "libyaml-scanner",
        "yaml_parser_scan of a double-quoted string",
        source="yaml.c",
        argument="yaml_parser_scan",
        install="apt:libyaml-dev",
        module="yaml-0.1",
        refuses="controls, DEL, U+FFFE and U+FFFF are not printable (YAML 1.1, section 4.1.1)",
    ),
)
