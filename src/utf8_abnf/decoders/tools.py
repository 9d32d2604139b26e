"""Command-line tools that read text: iconv, uconv, recode, isutf8, grep and its kin, sed, gawk.

Where a tool takes many files in one run, it does, and ``direct`` asks it for one input alone. What an exit status does
not tell (uconv and pcre2grep end with 0 after an error) is taken from what the tool says.

Left out: pcregrep (PCRE has a row), ugrep (its ``-I`` passes bytes that its manual calls binary), uni2ascii
(it reads for ever when the input ends within a character), mawk, busybox and original-awk (they match bytes), uchardet
and enca (they guess a language; that a text is no UTF-8 is not what they say).
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from utf8_abnf.decoders.batch import REPLACEMENT, Each, Tool, row
from utf8_abnf.decoders.decoder import Decoder
from utf8_abnf.harness.protocol import ACCEPT, REJECT

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = ("{program}", "--version")
UTF8_LOCALE = {"LC_ALL": "C.UTF-8"}
A_LINE = rb"^(\d+)$"  # the name of a file, alone

# Each lists files: grep and ripgrep those in which they find no line that is no text, sed and gawk those that have one.
GREP_PERL = ("grep", "-LaxvP", ".*")
RIPGREP = ("rg", "-j1", "--no-config", "--files-without-match", "-axv", "-Enone", ".*")
SED = ("sed", "-sn", "/^.*$/!F")
GAWK = ("gawk", "!/^.*$/{print FILENAME; nextfile}")

RECODE_UTF_16 = """t=$(mktemp); recode UTF-8..UTF-16 >$t && ! od -An -v -tx2 --endian=big $t | grep -q fffd
s=$?; rm $t; exit $s"""


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


class Uconv(Each):
    """ICU's converter."""

    def __init__(self) -> None:
        super().__init__(("uconv", "-f", "UTF-8", "-t", "UTF-16BE"), complaint=b"Conversion to Unicode")


class Pcre2grep(Each):
    """PCRE2: the status tells whether there was a line to match."""

    def __init__(self) -> None:
        super().__init__(("pcre2grep", "-uc", "."), {0: ACCEPT, 1: ACCEPT}, complaint=b"gave error")


class Recode:
    """librecode, as the program recode calls it. Of a surrogate it makes U+FFFD without a word."""

    version = ""
    request = b"UTF-8..UTF-16"
    replaced = b"\xff\xfd"

    def __init__(self) -> None:
        library = self._library = ctypes.CDLL("librecode.so.0")
        library.recode_new_outer.restype = library.recode_new_request.restype = ctypes.c_void_p
        library.recode_scan_request.restype = library.recode_buffer_to_buffer.restype = ctypes.c_bool
        self._free = ctypes.CDLL(None).free
        self._request = ctypes.c_void_p(library.recode_new_request(ctypes.c_void_p(library.recode_new_outer(False))))
        if not library.recode_scan_request(self._request, self.request):
            raise RuntimeError(f"recode does not know {self.request.decode()}")

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what it converts without an error and without a new U+FFFD."""
        return b"".join(ACCEPT if self._one(case) else REJECT for case in cases)

    def _one(self, data: bytes) -> bool:
        text, length, room = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t()
        places = map(ctypes.byref, (text, length, room))
        poisoned = data + b"\x80"
        converted = self._library.recode_buffer_to_buffer(self._request, poisoned, ctypes.c_size_t(len(data)), *places)
        units = ctypes.string_at(text, length.value) if text else b""
        self._free(text)
        marks = sum(units[at : at + 2] == self.replaced for at in range(0, len(units), 2)) if self.replaced else 0
        return converted and marks <= data.count(REPLACEMENT)


class RecodeUcs4(Recode):
    """The same, to 31 bits."""

    request = b"UTF-8..UCS-4"
    replaced = b""


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


def _recode(to: str, batch: str, direct: str) -> Decoder:
    return row(
        f"recode-{to.lower()}",
        f"recode UTF-8..{to} (librecode's recode_buffer_to_buffer)",
        batch,
        "ldconfig -p | grep librecode.so.0",
        "apt:recode",
        direct,
        version=("recode", "--version"),
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
    row(
        "uconv",
        "uconv -f UTF-8: does it complain? (ICU)",
        "tools:Uconv",
        "uconv --version",
        "apt:icu-devtools",
        "! uconv -f UTF-8 -t UTF-16BE 2>&1 >/dev/null | grep -q .",
        version=("uconv", "--version"),
    ),
    row(
        "pcre2grep",
        "pcre2grep -u: does it complain?",
        "tools:Pcre2grep",
        "pcre2grep --version",
        "apt:pcre2-utils",
        "! pcre2grep -uc . 2>&1 >/dev/null | grep -q .",
        version=("pcre2grep", "--version"),
    ),
    _recode("UTF-16", "tools:Recode", RECODE_UTF_16),
    _recode("UCS-4", "tools:RecodeUcs4", "recode UTF-8..UCS-4"),
)
