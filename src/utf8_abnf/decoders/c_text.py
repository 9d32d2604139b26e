"""Libraries of C for text: Oniguruma, utf8proc, utf8.h, HarfBuzz, Fontconfig, S-Lang, libidn, libowfat."""

from utf8_abnf.decoders.compiled import debian_version, from_c, from_python, header, library

INTEGERS = "integers up to 7FFFFFFF in the form of RFC 2279 (scan_utf8(3))"


def _owfat(function: str) -> str:
    step = f"uint32_t c; size_t i = 0, k = 1; while (i < n && (k = {function}(d + i, n - i, &c))) i += k; r = k > 0;"
    return from_c(step, "stdint.h", "scan.h", flags="-lowfat")


DECODERS = (
    *(
        library(
            f"oniguruma-{name}",
            about,
            source="oniguruma.c",
            argument=argument,
            install="apt:libonig-dev",
            module="oniguruma",
            direct=from_c(call, "oniguruma.h", module="oniguruma"),
        )
        for name, about, argument, call in (
            (
                "is-valid",
                "onigenc_is_valid_mbc_string(ONIG_ENCODING_UTF8, ...)",
                "onigenc_is_valid_mbc_string",
                "OnigUChar *s = (OnigUChar *)d; onig_initialize(0, 0); "
                "r = onigenc_is_valid_mbc_string(ONIG_ENCODING_UTF8, s, s + n);",
            ),
            (
                "match",
                "onig_match with ONIG_OPTION_CHECK_VALIDITY_OF_STRING",
                "onig_match",
                "OnigUChar *s = (OnigUChar *)d; OnigRegex x; OnigErrorInfo i; onig_initialize(0, 0); "
                "onig_new(&x, s, s, 0, ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &i); "
                "r = onig_match(x, s, s + n, s, 0, ONIG_OPTION_CHECK_VALIDITY_OF_STRING) >= 0;",
            ),
        )
    ),
    library(
        "utf8proc-iterate",
        "utf8proc_iterate for each character",
        source="utf8proc.c",
        argument="utf8proc_iterate",
        install="apt:libutf8proc-dev",
        module="libutf8proc",
    ),
    library(
        "utf8-h-utf8valid",
        "utf8.h (sheredom): utf8valid, and what it points at",
        source="utf8_h.c",
        argument="utf8valid",
        install="apt:libutf8.h-dev",
        probe=header("utf8/utf8.h"),
        version=debian_version("libutf8.h-dev"),
        refuses="NUL ends a C string",
        direct=from_c("r = !utf8valid(d);", "utf8/utf8.h"),
    ),
    library(
        "harfbuzz-add-utf8",
        "hb_buffer_add_utf8, judged by where it puts the replacement",
        source="harfbuzz.c",
        argument="hb_buffer_add_utf8",
        install="apt:libharfbuzz-dev",
        module="harfbuzz",
    ),
    library(
        "fontconfig-utf8-to-ucs4",
        "FcUtf8ToUcs4 for each character",
        source="fontconfig.c",
        argument="FcUtf8ToUcs4",
        install="apt:libfontconfig-dev",
        module="fontconfig",
        claim="a character each call; nothing is said of what is wrong (FcUtf8ToUcs4(3))",
        direct=from_c(
            "FcChar32 c; int i = 0, k = 1; "
            "while (i < n && (k = FcUtf8ToUcs4((FcChar8 *)d + i, &c, n - i)) > 0) i += k; r = k > 0;",
            "fontconfig/fontconfig.h",
            module="fontconfig",
        ),
    ),
    library(
        "slang-utf8-decode",
        "SLutf8_decode for each character",
        source="slang.c",
        argument="SLutf8_decode",
        install="apt:libslang2-dev",
        module="slang",
        direct=from_c(
            "SLuchar_Type *p = (SLuchar_Type *)d, *e = p + n; SLwchar_Type w; "
            "while (p && p < e) p = SLutf8_decode(p, e, &w, 0); r = p != 0;",
            "slang.h",
            module="slang",
        ),
    ),
    library(
        "libidn-utf8-to-ucs4",
        "stringprep_utf8_to_ucs4",
        source="idn.c",
        argument="stringprep_utf8_to_ucs4",
        install="apt:libidn-dev",
        module="libidn",
        refuses="NUL ends a C string",
        direct=from_python("l.stringprep_utf8_to_ucs4(d, n, None)", "libidn.so.12"),
    ),
    *(
        library(
            f"libowfat-{function.replace('_', '-')}",
            f"{function} for each character",
            source="owfat.c",
            argument=function,
            install="apt:libowfat-dev",
            flags="-lowfat",
            probe=header("scan.h"),
            version=debian_version("libowfat-dev"),
            claim=claim,
            direct=_owfat(function),
        )
        for function, claim in (("scan_utf8", INTEGERS), ("scan_utf8_sem", f"{INTEGERS}, without surrogates"))
    ),
)
