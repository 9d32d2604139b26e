"""Command-line tools that read text: iconv, uconv, recode, isutf8, grep and its kin, sed, gawk.

Where a tool takes many files in one run, it does, and ``direct`` asks it for one input alone. What an exit status does
not tell (uconv and pcre2grep end with 0 after an error) is taken from what the tool says.

Left out: ugrep (its regular expressions and ``-I`` pass bytes that its manual calls binary), uni2ascii (it reads for
ever when the input ends within a character), mawk, busybox and original-awk (they match bytes), uchardet and enca
(they guess a language; that a text is no UTF-8 is not what they say).
"""

from utf8_abnf.decoders.batch import Tool, row
from utf8_abnf.decoders.decoder import Decoder
from utf8_abnf.harness.protocol import ACCEPT

VERSION = ("{program}", "--version")
UTF8_LOCALE = {"LC_ALL": "C.UTF-8"}
A_LINE = rb"^(\d+)$"  # the name of a file, alone

# Each lists files: grep and ripgrep those in which they find no line that is no text, sed and gawk those that have one.
GREP_PERL = ("grep", "-LaxvP", ".*")
RIPGREP = ("rg", "-j1", "--no-config", "--files-without-match", "-axv", "-Enone", ".*")
SED = ("sed", "-sn", "/^.*$/!F")
GAWK = ("gawk", "!/^.*$/{print FILENAME; nextfile}")


class GrepPerl(Tool):
    """GNU grep with PCRE2."""

    def __init__(self) -> None:
        super().__init__(GREP_PERL, A_LINE, ACCEPT)


class Ripgrep(Tool):
    """ripgrep, which takes bytes for UTF-8 unless the pattern says otherwise."""

    def __init__(self) -> None:
        super().__init__(RIPGREP, A_LINE, ACCEPT)


class Sed(Tool):
    """GNU sed: a dot matches a character, never a byte that is none."""

    def __init__(self) -> None:
        super().__init__(SED, A_LINE)


class Gawk(Tool):
    """GNU awk: the same."""

    def __init__(self) -> None:
        super().__init__(GAWK, A_LINE)


def _iconv(to: str) -> Decoder:
    command = ("{program}", "-f", "UTF-8", "-t", to)
    return Decoder(
        f"iconv-{to.lower()}",
        f"iconv -f UTF-8 -t {to}",
        "iconv",
        command,
        how="exec",
        version=VERSION,
        install="apt:libc-bin",
    )


def _recode(to: str) -> Decoder:
    return Decoder(
        f"recode-{to.lower()}",
        f"recode UTF-8..{to}",
        "recode",
        ("{program}", f"UTF-8..{to}"),
        how="exec",
        version=VERSION,
        install="apt:recode",
    )


def _complains(name: str, words: str, install: str) -> Decoder:
    """Return the row of a tool whose exit status does not tell: it rejects what it complains of."""
    command = ("sh", "-c", f"! {{program}} {words} 2>&1 >/dev/null | grep -q .")
    return Decoder(
        name,
        f"{name} {words}: does it complain?",
        name,
        command,
        how="exec",
        version=VERSION,
        environment=UTF8_LOCALE,
        install=install,
    )


DECODERS = (
    _iconv("UTF-8"),
    _iconv("UTF-16"),
    Decoder("isutf8", "isutf8 (moreutils)", "isutf8", ("{program}", "-q"), how="exec", install="apt:moreutils"),
    Decoder(
        "grep",
        "grep -axv '.*': is there a line that is no text?",
        "grep",
        ("{program}", "-axvq", ".*"),
        how="exec",
        version=VERSION,
        environment=UTF8_LOCALE,
        statuses={0: b"0", 1: b"1"},  # it finds lines that are wrong
        install="apt:grep",
    ),
    row(
        "grep-perl",
        "grep -axvP '.*': is there a line that is no text?",
        "tools:GrepPerl",
        "grep -V",
        "apt:grep",
        "! LC_ALL=C.UTF-8 grep -axvqP '.*'",
        version=("grep", "-V"),
    ),
    row(
        "ripgrep",
        "rg -axv '.*': is there a line that is no text?",
        "tools:Ripgrep",
        "rg -V",
        "apt:ripgrep",
        "! rg --no-config -axvq -Enone '.*'",
        version=("rg", "-V"),
    ),
    row(
        "sed",
        "sed '/^.*$/!…': is there a line that is no text?",
        "tools:Sed",
        "sed --version | grep GNU",
        "apt:sed",
        "LC_ALL=C.UTF-8 sed -n '/^.*$/!q1'",
        version=("sed", "--version"),
    ),
    row(
        "gawk",
        "gawk '!/^.*$/': is there a line that is no text?",
        "tools:Gawk",
        "gawk -V",
        "apt:gawk",
        "LC_ALL=C.UTF-8 gawk '!/^.*$/{exit 1}'",
        version=("gawk", "-V"),
    ),
    _complains("uconv", "-f UTF-8 -t UTF-16BE", "apt:icu-devtools"),
    _complains("pcre2grep", "-uc .", "apt:pcre2-utils"),
    _complains("pcregrep", "-uc .", "apt:pcregrep"),
    _recode("UTF-16"),
    _recode("UCS-4"),
)
