"""Command-line tools, one process for each case: iconv, isutf8, grep.

uconv (ICU) is left out: it ends with status 0 after an error, so its exit status is no verdict.
"""

from utf8_abnf.decoders.decoder import Decoder

VERSION = ("{program}", "--version")
UTF8_LOCALE = {"LC_ALL": "C.UTF-8"}


def _iconv(to: str) -> Decoder:
    command = ("{program}", "-f", "UTF-8", "-t", to)
    return Decoder(f"iconv-{to.lower()}", f"iconv -f UTF-8 -t {to}", "iconv", command, how="exec", version=VERSION)


DECODERS = (
    _iconv("UTF-8"),
    _iconv("UTF-16"),
    Decoder("isutf8", "isutf8 (moreutils)", "isutf8", ("{program}", "-q"), how="exec"),
    Decoder(
        "grep",
        "grep -axv '.*': is there a line that is no text?",
        "grep",
        ("{program}", "-axvq", ".*"),
        how="exec",
        version=VERSION,
        environment=UTF8_LOCALE,
        statuses={0: b"0", 1: b"1"},  # it finds lines that are wrong
    ),
)
