"""PHP: mbstring, PCRE with the modifier u, htmlspecialchars, JSON, iconv, intl (ICU) and SimpleXML (libxml2)."""

from utf8_abnf.decoders.decoder import Decoder

# -n leaves php.ini out, and with it what Debian has as modules.
MODULES = {"mb": "mbstring", "iconv": "iconv", "uconverter": "intl", "intl": "intl", "simplexml": "simplexml"}
PACKAGES = {"mb": "mbstring", "uconverter": "intl", "intl": "intl", "simplexml": "xml"}


def _row(name: str, about: str, direct: str, refuses: str = "") -> Decoder:
    kind = name.split("-")[0]
    module = MODULES.get(kind, "")
    plain = () if module else ("-n",)
    return Decoder(
        f"php-{name}",
        about,
        "php",
        ("{program}", *plain, "-d", "display_errors=stderr", "{source}", name),
        refuses=refuses,
        source="php.php",
        version=("{program}", "--version"),
        install=" ".join(["apt:php-cli", *(f"apt:php-{PACKAGES[each]}" for each in PACKAGES if each == kind)]),
        probe=("{program}", "-r", f"exit((int)!extension_loaded('{module}'));") if module else (),
        direct=f"php -r '$d=stream_get_contents(STDIN);{direct}'",
    )


def _direct(condition: str) -> str:
    return f"exit({condition}?0:1);"


QUOTE = r'$q=preg_replace_callback("/[\0-\x1F\x22\x5C\x5C]/",fn($m)=>sprintf("\\u%04x",ord($m[0])),$d);'

DECODERS = (
    _row(
        "mb-check-encoding",
        "mb_check_encoding($data, 'UTF-8'), and mb_scrub for mode r",
        _direct('mb_check_encoding($d,"UTF-8")'),
    ),
    _row(
        "mb-detect-encoding",
        "mb_detect_encoding($data, ['UTF-8'], true)",
        _direct('mb_detect_encoding($d,["UTF-8"],true)'),
    ),
    _row("preg", "preg_match('//u', $data)", _direct('preg_match("//u",$d)')),
    _row(
        "htmlspecialchars",
        "htmlspecialchars($data, 0, 'UTF-8') !== '', and ENT_SUBSTITUTE for mode r",
        _direct('$d===""||htmlspecialchars($d,0,"UTF-8")!==""'),
    ),
    _row(
        "json-encode",
        "json_encode($data), and JSON_INVALID_UTF8_SUBSTITUTE for mode r",
        _direct("json_encode($d)!==false"),
    ),
    _row(
        "json-decode",
        "json_decode of the data as a JSON string, and JSON_INVALID_UTF8_SUBSTITUTE for mode r",
        QUOTE + _direct(r'json_decode("\"$q\"")!==null'),
    ),
    _row("iconv", "iconv('UTF-8', 'UTF-16LE', $data)", _direct('@iconv("UTF-8","UTF-16LE",$d)!==false')),
    _row(
        "uconverter",
        "UConverter::transcode from UTF-8 to UTF-8, judged by whether it gives the same bytes",
        _direct('UConverter::transcode($d,"UTF-8","UTF-8")===$d'),
    ),
    _row("intl-grapheme", "grapheme_strlen($data)", _direct("is_int(grapheme_strlen($d))")),
    _row(
        "simplexml",
        "simplexml_load_string, the data as the text of an element",
        _direct('@simplexml_load_string("<a>$d</a>")!==false'),
        "markup, controls, U+FFFE and U+FFFF: no XML 1.0 Char, or not as text",
    ),
)
