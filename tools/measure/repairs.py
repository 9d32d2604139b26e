"""Broken files as people have them, one for each cause, and what tools that repair make of them.

``python tools/measure/repairs.py`` prints the table of ``docs/how-to/repair-files.md``; ``--update`` writes it there,
``--folder DIR`` writes the files. Each file has a right answer: the text as it was before the cause, with U+FFFD where
its bytes are lost. A tool that is not on this machine is left out. ftfy reads text, so it gets what Python decodes with
U+FFFD.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/repair-files.md"
TEXT = "Größe: 12 µm; naïve café, 日本語 😀\n"


class Cause(NamedTuple):
    """A broken file: its *name*, what broke it, our options, its bytes, and the right answer."""

    name: str
    cause: str
    options: str
    broken: bytes
    right: bytes


def _in(text: str, encoding: str) -> tuple[bytes, bytes]:
    """Return *text* among lines of UTF-8: in *encoding*, and right."""
    return TEXT.encode() + text.encode(encoding) + TEXT.encode(), (TEXT + text + TEXT).encode()


def _cesu8(text: str) -> bytes:
    units = text.encode("utf-16-be")
    return b"".join(
        chr(int.from_bytes(units[at : at + 2])).encode(errors="surrogatepass") for at in range(0, len(units), 2)
    )


LOG = ("2026-11-22 naïve café\n" * 400).encode()
CUT = LOG[: LOG.index("é".encode(), 4000) + 1]
NAMES = [name.encode() for name in ("Hans Müller", "Ana López", "Zoë Smith", "Søren Ångström", "José Muñoz")]
RUSSIAN = "Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.\n"
JAPANESE = "今日は天気がいいので、公園へ散歩に行きます。ソフトの表示を確認してください。\n"
CHINESE = "今天天气很好，我们去公园散步。这是一个简单的中文文本，用来测试编码检测。\n"
GERMAN = "Ein schöner Tag in München: Größe, Übung, Straße, Äpfel und Öl. Wir müssen üben.\n"
PIECES = [("x" + "日本語" * 4000).encode()[at : at + 4095] for at in range(0, 36_000, 4095)]
CAUSES = (
    Cause("pasted", "lines pasted from Windows-1252", "--from windows-1252", *_in("“Señor” – 5 €\n", "cp1252")),
    Cause("names", "names from an old database in Latin-1", "--from iso-8859-1", *_in("José, Åsa\n", "latin-1")),
    Cause("dos", "file names from a DOS disk, code page 437", "--from cp437", *_in("Übung.txt äöü\n", "cp437")),
    Cause("koi8", "an old mail in KOI8-R, quoted", "--from koi8-r", *_in("> Привет, мир\n", "koi8-r")),
    Cause("sjis", "a line in Shift_JIS", "--from shift_jis", *_in("表示ソフト\n", "shift_jis")),
    Cause("oracle", "CESU-8 from a database driver", "--cesu8",
          TEXT.encode() + _cesu8("😀 𝄞\n"), f"{TEXT}😀 𝄞\n".encode()),
    Cause("java", "modified UTF-8 from Java", "--cesu8 --overlong shortest",
          b"a\xc0\x80" + _cesu8("é😀\n"), "a\0é😀\n".encode()),
    Cause("powershell", "UTF-16 appended by PowerShell", "--utf16-in-place",
          TEXT.encode() + f"\ufeffnaïve\r\n{TEXT}".encode("utf-16-le"), f"{TEXT}naïve\r\n{TEXT}".encode()),
    Cause("twice", "encoded twice", "--mojibake",
          TEXT.encode() + "schÃ¶n, dÃ©jÃ\xa0 vu\n".encode(), f"{TEXT}schön, déjà vu\n".encode()),
    Cause("cut", "cut at the size of a buffer", "--to fffd", CUT, CUT[:-1] + "\ufffd".encode()),
    Cause("field", "names cut to fit a field of 8 bytes", "--to fffd", b"".join(row[:8] + b"\n" for row in NAMES),
          b"".join(row[:8] + b"\n" for row in NAMES).replace(b"\xc3\n", "\ufffd\n".encode())),
    Cause("lost", "a byte lost in transport", "--to fffd", TEXT.encode().replace("ö".encode(), b"\xc3", 1),
          TEXT.replace("ö", "\ufffd", 1).encode()),
    Cause("surrogate", "half a surrogate pair from JavaScript", "--to fffd:surrogate-as-one",
          TEXT.encode() + b"\xed\xa0\xbd\n", f"{TEXT}\ufffd\n".encode()),
    Cause("wide", "all in UTF-16", "--from auto", f"\ufeff{TEXT}".encode("utf-16-le"), TEXT.encode()),
    Cause("russian", "all in KOI8-R", "--from auto", (RUSSIAN * 9).encode("koi8-r"), (RUSSIAN * 9).encode()),
    Cause("japanese", "all in Shift_JIS", "--from auto", (JAPANESE * 9).encode("cp932"), (JAPANESE * 9).encode()),
    Cause("chinese", "all in GBK", "--from auto", (CHINESE * 9).encode("gbk"), (CHINESE * 9).encode()),
    Cause("german", "all in Windows-1252", "--from auto", (GERMAN * 9).encode("cp1252"), (GERMAN * 9).encode()),
    Cause("buffers", "a line end after each 4,095 bytes", "--to fffd", b"\n".join(PIECES), b"".join(PIECES)),
    Cause("mainframe", "all in EBCDIC", "(refused)", GERMAN.encode("cp273"), GERMAN.encode("cp273")),
    Cause("gzip", "not text: gzip", "(refused)", gzip.compress(LOG, mtime=0), gzip.compress(LOG, mtime=0)),
    Cause("fine", "nothing: an odd text that is right", "--from windows-1252",
          "Ã la “carte”\n".encode(), "Ã la “carte”\n".encode()),
)  # fmt: skip


def _ours(cause: Cause) -> bytes | None:
    options = () if cause.options.startswith("(") else cause.options.split()
    done = _run(sys.executable, "-m", "utf8_abnf", "repair", "-q", *options, stdin=cause.broken)
    return cause.broken if done is None else done  # refused: the file stays as it is


def advised(cause: Cause) -> str:
    """Return what ``check`` advises, in short: a command, or the first words."""
    done = subprocess.run(
        [sys.executable, "-m", "utf8_abnf", "check", "--format", "jsonl", "-"],
        input=cause.broken, capture_output=True, check=False,
    )  # fmt: skip
    records = [json.loads(line) for line in done.stdout.splitlines()]
    texts = [record["advice"] for record in reversed(records) if "advice" in record]
    if not texts:
        return "nothing: it is well-formed"
    command = re.search(r"(?:utf8-abnf |\b)(iconv -f \S+|repair --[^`(]+[^`( ])", texts[0])
    return f"`{command[1]}`" if command else re.split("[:;]", texts[0])[0]


def _ftfy(cause: Cause) -> bytes | None:
    import ftfy

    return ftfy.fix_text(cause.broken.decode(errors="replace")).encode()


def _recode(cause: Cause) -> bytes | None:
    wide = _run("recode", "-f", "UTF-8..UCS-4", stdin=cause.broken)
    return wide if wide is None else _run("recode", "-f", "UCS-4..UTF-8", stdin=wide)


def _run(*command: str, stdin: bytes) -> bytes | None:
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)
    return done.stdout if done.stdout or not done.returncode else None


TOOLS: dict[str, Callable[[Cause], bytes | None]] = {
    "utf8-abnf repair": _ours,
    "ftfy": _ftfy,
    "iconv -c": lambda cause: _run("iconv", "-c", "-f", "UTF-8", "-t", "UTF-8", stdin=cause.broken),
    "recode -f": _recode,
    "uconv": lambda cause: _run(
        "uconv", "-f", "UTF-8", "-t", "UTF-8", "--from-callback", "substitute", stdin=cause.broken
    ),
}


def _is_here(name: str) -> bool:
    if name == "utf8-abnf repair":
        return True
    if name == "ftfy":
        from importlib.util import find_spec

        return find_spec("ftfy") is not None
    return shutil.which(name.split()[0]) is not None


def outcome(cause: Cause, result: bytes | None) -> str:
    """Return in words what *result* is beside the right answer."""
    if result == cause.right:
        return "right"
    if result is None:
        return "refused"
    if result == cause.broken:
        return "unchanged"
    try:
        text = result.decode()
    except UnicodeDecodeError:
        return "ill-formed"
    kept = cause.broken.decode(errors="ignore")
    characters = iter(text)
    if not all(character in characters for character in kept):
        return "alters well-formed text"
    return "deletes the bytes" if text == kept else "U+FFFD or wrong letters"


def table() -> list[str]:
    """Return the lines of the table."""
    tools = [name for name in TOOLS if _is_here(name)]
    lines = [f"| cause | our options | {' | '.join(tools)} | check advises |", f"|---|---|{'---|' * len(tools)}---|"]
    for cause in CAUSES:
        cells = [outcome(cause, TOOLS[name](cause)) for name in tools]
        options = cause.options if cause.options.startswith("(") else f"`{cause.options}`"
        lines.append(f"| {cause.cause} | {options} | {' | '.join(cells)} | {advised(cause)} |")
    return lines


def main() -> int:
    """Print the table, or write it and the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the table into the page")
    parser.add_argument("--folder", type=Path, help="write the broken files and the right ones into this folder")
    args = parser.parse_args()
    if args.folder:
        args.folder.mkdir(parents=True, exist_ok=True)
        for cause in CAUSES:
            (args.folder / f"{cause.name}.broken").write_bytes(cause.broken)
            (args.folder / f"{cause.name}.right").write_bytes(cause.right)
        return 0
    lines = table()
    print(*lines, sep="\n")
    if args.update:
        text = PAGE.read_text(encoding="utf-8")
        before = text[: text.index("\n| cause |") + 1] if "\n| cause |" in text else text
        PAGE.write_text(before + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
