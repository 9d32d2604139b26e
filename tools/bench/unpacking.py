"""`utf8-abnf check --unpack` beside reading alone: ``python tools/bench/unpacking.py``.

Both run in this process, one after the other in each round, on the same file in the page cache: the command, and a loop
that reads the same contents by the same library and looks at nothing. The figures are the least CPU times, user and
system, of all rounds; a round in which something else disturbs one of them counts for nothing. Exit status 1 where a
check takes more than 1.1 times as long as reading alone.
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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inputs import text_of

from utf8_abnf import kernel
from utf8_abnf.cli import main as command

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator

MIB = 1 << 20
GOAL = 1.1
SLOW = ("bzip2", "xz")
PROGRAMS = {"gzip": "gzip -1 -c", "zstd": "zstd -q -3 -c", "bzip2": "bzip2 -c", "xz": "xz -1 -c"}
BUCKET = "s3://bench/rows.csv"


def drain(file: io.BufferedIOBase) -> None:
    """Read *file* to its end into one buffer."""
    room = bytearray(MIB // 4)
    while file.readinto(room):
        pass


def gzip_alone(path: str) -> None:
    from isal.igzip import IGzipFile

    drain(IGzipFile(path))


def bzip2_alone(path: str) -> None:
    import bz2

    drain(bz2.BZ2File(path))


def xz_alone(path: str) -> None:
    import lzma

    drain(lzma.LZMAFile(path))  # noqa: SIM115 - the process ends soon


def zstd_alone(path: str) -> None:
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    drain(zstd.ZstdFile(path))


def tar_alone(path: str) -> None:
    import tarfile

    from isal.igzip import IGzipFile

    with tarfile.open(fileobj=IGzipFile(path), mode="r|") as archive:
        for member in archive:
            drain(archive.extractfile(member))


def zip_alone(path: str) -> None:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            drain(archive.open(name))


def warc_alone(path: str) -> None:
    from fastwarc.warc import ArchiveIterator

    with open(path, "rb") as file:
        for record in ArchiveIterator(file, auto_decode="all"):
            while record.reader.read(MIB):
                pass


def parquet_alone(path: str) -> None:
    from pyarrow.parquet import ParquetFile

    for _ in ParquetFile(path).iter_batches(columns=["text"], use_threads=False):
        pass


def arrow_alone(path: str) -> None:
    import pyarrow

    with open(path, "rb") as raw, pyarrow.ipc.open_file(raw) as file:
        for number in range(file.num_record_batches):
            file.get_batch(number)


def bucket_alone(path: str) -> None:
    import fsspec

    system = fsspec.filesystem("s3")
    for start in range(0, system.size(path), 4 * MIB):
        system.cat_file(path, start=start, end=start + 4 * MIB)


ALONE: dict[str, Callable[[str], None]] = {
    "gzip": gzip_alone, "zstd": zstd_alone, "bzip2": bzip2_alone, "xz": xz_alone, "tar.gz": tar_alone,
    "zip": zip_alone, "warc.gz": warc_alone, "parquet": parquet_alone, "arrow": arrow_alone, "csv in S3": bucket_alone,
}  # fmt: skip


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
        write_warc(packed, blocks(size // 2))
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


def spent(function: Callable[[], object]) -> float:
    """Return the CPU time of a call, in seconds."""
    begun = time.process_time()
    function()
    return time.process_time() - begun


def check(path: str) -> None:
    """Run the command, which must find nothing."""
    if status := command(["check", "-q", "-z", "-j", "1", path]):
        sys.exit(f"check of {path} ended with {status}")


def main() -> int:
    """Print a line for each format and return 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", metavar="FORMAT", nargs="*", help=f"{', '.join(ALONE)} (default: all)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=256, metavar="MIB", help="MiB of text (default: 256)")
    args = parser.parse_args()
    missed = 0
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {kernel.name}")
    print(f"{'':12}{'alone, s':>10}{'check, s':>10}{'ratio':>8}")
    for name in args.formats or ALONE:
        with tempfile.TemporaryDirectory() as scratch, server() if "S3" in name else contextlib.nullcontext():
            path = make(name, Path(scratch), args.size * MIB)
            functions = (partial(ALONE[name], path), partial(check, path))
            rounds = [tuple(map(spent, functions)) for _ in range(args.rounds + 1)]
        alone, ours = (min(column[1:]) for column in zip(*rounds, strict=True))  # the first round imports
        missed += ours > GOAL * alone
        print(f"{name:12}{alone:10.3f}{ours:10.3f}{ours / alone:8.2f}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
