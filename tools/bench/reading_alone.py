"""Read what is in a packed file, by the library that ``check --unpack`` takes, and look at nothing.

``python tools/bench/reading_alone.py FORMAT PATH``: the other half of unpacking.py, which takes its CPU time. It
imports nothing of ours.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import io
    from collections.abc import Callable

MIB = 1 << 20


def drain(file: io.BufferedIOBase) -> None:
    """Read *file* to its end into one buffer."""
    room = bytearray(MIB // 4)
    while file.readinto(room):
        pass


def gzip_alone(path: str) -> None:
    import gzip

    drain(gzip.GzipFile(path))


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
    import gzip
    import tarfile

    with tarfile.open(fileobj=gzip.GzipFile(path), mode="r:") as archive:  # "r|" takes more than twice as long
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


if __name__ == "__main__":
    ALONE[sys.argv[1]](sys.argv[2])
