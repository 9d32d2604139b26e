"""Writes and reads frames: inputs as the stream protocol sends them, each after its length."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

size_at = struct.Struct("<I").unpack_from  # of a frame: millions of them are taken apart


def frame(data: bytes, chunks: Sequence[int] | None = None) -> bytes:
    """Return *data* as one frame; with *chunks*, the sizes in which it is to be fed, as a frame of mode s or i.

    >>> frame(b"ab").hex(" "), frame(b"ab", [1, 1]).hex(" ")
    ('02 00 00 00 61 62', '0e 00 00 00 02 00 00 00 01 00 00 00 01 00 00 00 61 62')
    """
    if chunks is not None:
        data = pack_chunks(chunks) + data
    return len(data).to_bytes(4, "little") + data


def unframe(frames: bytes) -> Iterator[bytes]:
    """Yield the data of each frame in *frames*.

    >>> list(unframe(frame(b"a") + frame(b"")))
    [b'a', b'']
    """
    at, end = 0, len(frames)
    while at < end:
        start = at + 4
        at = start + size_at(frames, at)[0]
        yield frames[start:at]


def pack_chunks(chunks: Sequence[int]) -> bytes:
    """Return the head of a stream frame: the number of chunks and their sizes, u32 little-endian each."""
    return struct.pack(f"<{len(chunks) + 1}I", len(chunks), *chunks)


def unpack_chunks(payload: bytes) -> tuple[tuple[int, ...], bytes]:
    """Return the chunk sizes and the data of a stream frame."""
    end = 4 + 4 * size_at(payload)[0]
    return struct.unpack_from(f"<{end // 4 - 1}I", payload, 4), payload[end:]
