"""`utf8-abnf check --unpack` beside unpacking alone: ``python tools/bench/unpacking.py``.

Whole processes in pairs, one after the other in each round: the check, and a program that unpacks the same file by the
same library into one buffer (of columns: that reads the same batches) and looks at nothing. The first ratio is that of
the best CPU times, user and system; the second one that of the best times by the clock, which is what a user waits for.
Exit status 1 where the second one is above 1.1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from files import _process_time
from inputs import text

MIB = 1 << 20
GOAL = 1.1
_LOOP = "room = bytearray(1 << 18)\nwhile file.readinto(room): pass"
ALONE = {
    "gzip": f"import io, isal.igzip\nfile = isal.igzip.IGzipFile(path)\n{_LOOP}",
    "bzip2": f"import bz2\nfile = bz2.open(path)\n{_LOOP}",
    "xz": f"import lzma\nfile = lzma.open(path)\n{_LOOP}",
    "zstd": "try: from compression import zstd\n"
    f"except ImportError: from backports import zstd\nfile = zstd.open(path)\n{_LOOP}",
    "tar.gz": "import isal.igzip, tarfile\ntar = tarfile.open(fileobj=isal.igzip.IGzipFile(path), mode='r|')\n"
    f"for member in tar:\n file = tar.extractfile(member)\n {_LOOP.replace(chr(10), chr(10) + ' ')}",
    "zip": "import zipfile\nzip = zipfile.ZipFile(path)\n"
    f"for name in zip.namelist():\n file = zip.open(name)\n {_LOOP.replace(chr(10), chr(10) + ' ')}",
    "parquet": "import pyarrow.parquet as p\n"
    "for batch in p.ParquetFile(path).iter_batches(columns=['text'], use_threads=False): pass",
}


COMMANDS = {"gzip": "gzip -1 -c", "zstd": "zstd -q -3 -c", "bzip2": "bzip2 -c", "xz": "xz -1 -c"}
SLOW = ("bzip2", "xz")


def make(name: str, folder: Path, size: int) -> Path:
    """Return a packed file of the format *name*; *size*: bytes of text, of which the slow formats get a part."""
    block = text("html", 8 * MIB)
    packed, plain = folder / f"packed.{name}", folder / "text"
    if name == "parquet":
        write_parquet(packed, block)
        return packed
    with plain.open("wb") as out:
        for _ in range((size // 16 if name in SLOW else size) // len(block)):
            out.write(block)
    if name == "tar.gz":
        subprocess.run(["tar", "-I", "gzip -1", "-cf", packed, "-C", folder, "text"], check=True)
    elif name == "zip":
        subprocess.run(["zip", "-q", "-1", "-j", packed, plain], check=True)
    else:
        with plain.open("rb") as file, packed.open("wb") as out:
            subprocess.run(COMMANDS[name].split(), stdin=file, stdout=out, check=True)
    return packed


def write_parquet(path: Path, block: bytes) -> None:
    """Write lines of *block*, no two the same, as a column."""
    import pyarrow
    import pyarrow.parquet

    characters = block.decode("utf-8", "ignore")
    rows = [f"{start} {characters[start : start + 70]}" for start in range(0, len(characters), 7)]
    pyarrow.parquet.write_table(pyarrow.table({"text": rows}), path)


def times(command: list[str]) -> tuple[float, float]:
    """Return how many seconds *command* took, of CPU and by the clock."""
    begun = time.perf_counter()
    spent = _process_time(command)
    return spent, time.perf_counter() - begun


def main() -> int:
    """Print a line for each format and return 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", metavar="FORMAT", nargs="*", help=f"{', '.join(ALONE)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=1024, metavar="MIB", help="MiB of text (default: 1024)")
    args = parser.parse_args()
    missed = 0
    print(f"{'':10}{'alone, s':>10}{'check, s':>10}{'CPU':>8}{'clock':>8}")
    for name in args.formats or ALONE:
        with tempfile.TemporaryDirectory() as scratch:
            path = make(name, Path(scratch), args.size * MIB)
            check = [sys.executable, "-m", "utf8_abnf", "check", "-q", "-z", str(path)]
            alone = [sys.executable, "-c", f"path = {str(path)!r}\n{ALONE[name]}"]
            rounds = [(*times(alone), *times(check)) for _ in range(args.rounds)]
            first, first_clock, second, second_clock = (min(column) for column in zip(*rounds, strict=True))
            missed += second_clock > GOAL * first_clock
            ratios = f"{second / first:8.2f}{second_clock / first_clock:8.2f}"
            print(f"{name:10}{first_clock:10.3f}{second_clock:10.3f}{ratios}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
