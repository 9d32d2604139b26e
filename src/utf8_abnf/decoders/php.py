"""PHP: mb_check_encoding, PCRE with the modifier u, htmlspecialchars, json_decode's string reader, iconv."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str) -> Decoder:
    command: tuple[str, ...] = ("{program}", "-n", "-d", "display_errors=stderr", "{source}", name)
    # -n leaves php.ini out, and with it mbstring where that is a module: only mb- rows read it.
    if name.startswith("mb-"):
        command = ("{program}", "-d", "display_errors=stderr", "{source}", name)
    return Decoder(f"php-{name}", about, "php", command, source="php.php", version=("{program}", "--version"))


DECODERS = (
    _row("mb-check-encoding", "mb_check_encoding($data, 'UTF-8'), and mb_scrub for mode r"),
    _row("preg", "preg_match('//u', $data)"),
    _row("htmlspecialchars", "htmlspecialchars($data, 0, 'UTF-8') !== '', and ENT_SUBSTITUTE for mode r"),
    _row("json-encode", "json_encode($data)"),
)
