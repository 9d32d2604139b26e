"""`utf8-abnf check --unpack` beside reading alone: ``python tools/bench/unpacking.py``.

Each is a process of its own, with all that it imports, one after the other in each round, on the same file in the page
cache, in the file's folder, where no settings are: the command, and reading_alone.py, which reads the same contents by
the same library and looks at nothing. Which comes first changes from round to round. The figures are medians of CPU
times, user and system, and the median of the rounds' ratios with the middle half of them: a processor that neighbours
slow down for a second slows down both of a round. Exit status 1 where that median is above 1.1.

The modules are compiled in the first round, whatever the environment says, as pip does where it installs them. To load
them is part of each figure: a fixed time, which weighs less in a larger file (``--size``).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from inputs import text_of
from reading_alone import ALONE, MIB

from utf8_abnf import kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL = 1.1
SLOW = ("bzip2", "xz")
PROGRAMS = {"gzip": "gzip -1 -c", "zstd": "zstd -q -3 -c", "bzip2": "bzip2 -c", "xz": "xz -1 -c"}
BUCKET = "s3://bench/rows.csv"


def blocks(size: int) -> Iterator[bytes]:
    """Yield *size* bytes of text in pieces of about 8 MiB: lines of eight words, drawn at random.

    Text that repeats itself as a whole would be unpacked at the speed of a copy.
    """
    words = text_of("html").split()
    lines = [b" ".join(words[at : at + 8]) + b"\n" for at in range(0, len(words), 8)]
    chance = random.Random(8)  # noqa: S311 - reproducible, not secret
    count = 8 * MIB // (sum(map(len, lines)) // len(lines))
    for _ in range(max(1, size // (8 * MIB))):
        yield b"".join(chance.choices(lines, k=count))


def make(name: str, folder: Path, size: int) -> str:
    """Return the path of an input of the format *name*; *size*: bytes of text, of which the slow formats get a part."""
    packed, plain = folder / f"packed.{name.replace(' ', '.')}", folder / "text"
    if name in ("parquet", "arrow"):
        write_column(packed, b"".join(blocks(size // 2)))
        return str(packed)
    if name == "warc.gz":
        write_warc(packed, blocks(size))
        return str(packed)
    with plain.open("wb") as out:
        out.writelines(blocks(size // 16 if name in SLOW else size))
    if name == "csv in S3":
        put(plain)
        return BUCKET
    if name == "tar.gz":
        subprocess.run(["tar", "-I", "gzip -1", "-cf", packed, "-C", folder, "text"], check=True)
    elif name == "zip":
        subprocess.run(["zip", "-q", "-1", "-j", packed, plain], check=True)
    else:
        with plain.open("rb") as file, packed.open("wb") as out:
            subprocess.run(PROGRAMS[name].split(), stdin=file, stdout=out, check=True)
    return str(packed)


def write_column(path: Path, block: bytes) -> None:
    """Write the lines of *block* as a column of Parquet or of Arrow's IPC file."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"text": block.decode().splitlines()})
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
        return
    with pyarrow.ipc.new_file(path, table.schema, options=pyarrow.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table, max_chunksize=1 << 15)


def write_warc(path: Path, texts: Iterator[bytes]) -> None:
    """Write HTTP responses of 64 KiB, each a member of gzip, as crawlers do."""
    import gzip

    with path.open("wb") as out:
        for block, at in ((each, at) for each in texts for at in range(0, len(each), 1 << 16)):
            body = block[at : at + (1 << 16)].decode("utf-8", "ignore").encode()
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{at:032x}>\r\nContent-Length: "
            lines = f"{len(http)}\r\nContent-Type: application/http; msgtype=response\r\n\r\n"
            out.write(gzip.compress(head.encode() + lines.encode() + http + b"\r\n\r\n", 1))


@contextlib.contextmanager
def server() -> Iterator[None]:
    """Run an S3 server of moto on this machine, in a process of its own, for as long as the block runs."""
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    os.environ |= {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_DEFAULT_REGION": "us-east-1"}
    os.environ |= {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    start = [sys.executable, "-c", f"from moto.server import main; main(['-p', '{port}'])"]
    with subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.1)
            yield
        finally:
            process.terminate()


def put(path: Path) -> None:
    """Put the file *path* into the bucket."""
    import fsspec

    system = fsspec.filesystem("s3")
    system.makedirs("bench", exist_ok=True)
    system.put(str(path), BUCKET)


def spent(*command: str, folder: str) -> float:
    """Return the CPU time of a process in *folder*, in seconds; the check must find nothing."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = folder
    process = subprocess.Popen([sys.executable, *command], cwd=folder, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def pair(alone: tuple[str, ...], check: tuple[str, ...], folder: str, *, turned: bool) -> tuple[float, float]:
    """Return what each of two commands takes, run one after the other; *turned*: the second first."""
    if turned:
        ours = spent(*check, folder=folder)
        return spent(*alone, folder=folder), ours
    return spent(*alone, folder=folder), spent(*check, folder=folder)


def main() -> int:
    """Print a line for each format and return 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", metavar="FORMAT", nargs="*", help=f"{', '.join(ALONE)} (default: all)")
    parser.add_argument("--rounds", type=int, default=15, help="at least 2 (default: 15)")
    parser.add_argument("--size", type=int, default=512, metavar="MIB", help="MiB of text (default: 512)")
    parser.add_argument("--option", action="append", default=[], help="of the check, such as -q; may be repeated")
    args = parser.parse_args()
    missed = 0
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {kernel.name}")
    print(f"{'':12}{'alone, s':>10}{'check, s':>10}{'ratio':>8}  its middle half")
    for name in args.formats or ALONE:
        with tempfile.TemporaryDirectory() as scratch, server() if "S3" in name else contextlib.nullcontext():
            path = make(name, Path(scratch), args.size * MIB)
            alone = (str(Path(__file__).with_name("reading_alone.py")), name, path)
            check = ("-m", "utf8_abnf", "check", *args.option, "-z", "-j", "1", path)
            rounds = [pair(alone, check, scratch, turned=bool(turn % 2)) for turn in range(args.rounds + 1)]
        del rounds[0]  # it compiles
        ratios = [ours / theirs for theirs, ours in rounds]
        low, ratio, high = quantiles(ratios, n=4)
        missed += ratio > GOAL
        theirs, ours = map(median, zip(*rounds, strict=True))
        print(f"{name:12}{theirs:10.3f}{ours:10.3f}{ratio:8.2f}  {low:.2f} to {high:.2f}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
