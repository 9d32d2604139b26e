"""Nim: validateUtf8 and the iterator runes of the module unicode."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, code: str) -> Decoder:
    source = f"import unicode;let d=stdin.readAll;{code}"
    return Decoder(
        f"nim-{name}",
        about,
        "nim",
        ("{binary}", name),
        source="nim.nim",
        build=("{program}", "c", "-d:release", "--hints:off", "--nimcache:cache", "-o:{output}", "{source}"),
        version=("{program}", "--version"),
        install="apt:nim",
        direct=from_file("a.nim", source, "nim c --hints:off --nimcache:$t -o:$t/a $t/a.nim>&2&&$t/a"),
    )


DECODERS = (
    _row("validate-utf8", "validateUtf8(data), a position or -1", "quit(if validateUtf8(d)<0:10 else:11)"),
    _row(
        "runes",
        "for rune in data.runes, judged by whether toUTF8 gives the same bytes again",
        'var t="";for r in d.runes:t.add r.toUTF8\nquit(if t==d:10 else:11)',
    ),
)
