"""The C library, glibc and musl: mbrtowc and its like in a UTF-8 locale, and iconv(3), called from a C program."""

from utf8_abnf.decoders.decoder import Decoder

BUILD = ("{program}", "-O2", "-o", "{output}", "{source}")
MUSL_VERSION = ("dpkg-query", "-W", "-f", "${Version}", "musl")


def _row(name: str, about: str, argument: str, direct: str) -> Decoder:
    command = ("{binary}", argument)
    return Decoder(name, about, "cc", command, source="libc.c", build=BUILD, install="apt:gcc", direct=direct)


def _musl(name: str, about: str, argument: str) -> Decoder:
    command, install = ("{binary}", argument), "apt:gcc apt:musl-tools"
    return Decoder(
        name, about, "musl-gcc", command, source="libc.c", build=BUILD, install=install, version=MUSL_VERSION
    )


def _by_function(name: str, out: str) -> str:
    """Return a command that asks *name*, which takes one character each time; it has the arguments of mbrtowc."""
    return f"""python3 -c "import ctypes, sys
d = sys.stdin.buffer.read(); l = ctypes.CDLL(None); l.setlocale(0, b'C.UTF-8'); c = ctypes.{out}()
while d:
    k = l.{name}(ctypes.byref(c), d, ctypes.c_size_t(len(d)), None)
    if k in (-1, -2): sys.exit(1)
    d = d[k if k > 0 else 1 if k == 0 else 0:]\""""


def _by_iconv(to: str) -> str:
    return f"iconv -f UTF-8 -t {to} > /dev/null 2>&1"


DECODERS = (
    _row("libc-mbrtowc", "mbrtowc in the locale C.UTF-8", "mbrtowc", _by_function("mbrtowc", "c_wchar")),
    _row("libc-mbrtoc32", "mbrtoc32 in the locale C.UTF-8", "mbrtoc32", _by_function("mbrtoc32", "c_uint32")),
    _row("libc-mbrtoc16", "mbrtoc16 in the locale C.UTF-8", "mbrtoc16", _by_function("mbrtoc16", "c_uint32")),
    _row("libc-iconv-utf-8", "iconv_open('UTF-8', 'UTF-8')", "UTF-8", _by_iconv("UTF-8")),
    _row("libc-iconv-utf-16", "iconv_open('UTF-16LE', 'UTF-8')", "UTF-16LE", _by_iconv("UTF-16LE")),
    _row("libc-iconv-ucs-4", "iconv_open('UCS-4LE', 'UTF-8')", "UCS-4LE", _by_iconv("UCS-4LE")),
    _musl("musl-mbrtowc", "musl's mbrtowc in the locale C.UTF-8", "mbrtowc"),
    _musl("musl-mbrtoc32", "musl's mbrtoc32 in the locale C.UTF-8", "mbrtoc32"),
    _musl("musl-mbrtoc16", "musl's mbrtoc16 in the locale C.UTF-8", "mbrtoc16"),
    _musl("musl-iconv-utf-8", "musl's iconv_open('UTF-8', 'UTF-8')", "UTF-8"),
)
