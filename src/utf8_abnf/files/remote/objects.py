"""Objects: paths and URLs of fsspec in, their sizes and stamps and ranges of their bytes out.

Rule 1: whatever a file system raises becomes an ``UnreadableError``. Rule 2: bytes are believed only while the object
is the one that was asked for: its size and stamp (ETag, version or time) are compared after it was read.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.remote import is_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

RANGE = 4 << 20  # bytes asked for at a time where a stream is read
_ROOM = 1 << 20  # bytes read at a time of a file
PATIENCE = 30  # seconds in which a server on the web has to connect, and to send the next bytes
CHANGED, NO_SUCH_FILE = "has changed while being read", "No such file or directory"
_WEB = ("http", "https")
# What changes with the content, the surest first: how fsspec's file systems call it, in small letters, without - and _.
_STAMPS = (
    *("etag", "md5hash", "contentmd5", "digest", "sha", "hex", "blobid", "versionid", "crc"),
    *("mtime", "lastmodified", "modified", "modify", "modificationtime", "lastwritetime", "created"),
)


class Object(NamedTuple):
    """An object: its *size* in bytes and a *stamp* that changes when its content does, "" where there is none."""

    path: str
    size: int
    stamp: str

    @classmethod
    def at(cls, path: str) -> Object:
        """Return the object at *path*, a path or a URL; ``UnreadableError`` where there is none."""
        with guarded(path):
            if not is_url(path):
                about = os.stat(path)
                return cls(path, about.st_size, str(about.st_mtime_ns))
            system, inner = _system(path)
            info = system.info(inner)
            if info.get("type") == "directory":
                raise UnreadableError("is a folder")
            if info.get("size") is None:
                raise UnreadableError("its server does not state its size; download it first")
            facts = {re.sub("[-_]", "", name).lower(): value for name, value in info.items()}
            return cls(path, info["size"], next((str(facts[name]) for name in _STAMPS if facts.get(name)), ""))

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from *start* to *end*, all of them; ``UnreadableError`` where fewer or more come."""
        end = min(end, self.size)
        if start >= end:
            return b""
        with guarded(self.path):
            if _is_on_the_web(self.path):
                data, _ = self._received(start, end)
            elif is_url(self.path):
                system, inner = _system(self.path)
                data = system.cat_file(inner, start=start, end=end)
            else:
                with open(self.path, "rb") as file:
                    file.seek(start)
                    data = file.read(end - start)
        if len(data) > end - start:
            raise UnreadableError(f"its server sent more bytes than the {end - start:,} that it was asked for")
        if len(data) < end - start:
            raise _wrong_range(end - start, len(data))
        return data

    def parts(self, start: int, end: int) -> Iterator[bytes | memoryview]:
        """Yield the bytes that ``read`` returns, in parts, each of which lasts until the next is asked for."""
        if is_url(self.path):
            yield from (self.read(at, min(at + RANGE, end)) for at in range(start, end, RANGE))
            return
        # One buffer: in Dask's workers, which trim their memory at once, fresh memory takes five times the CPU.
        room = memoryview(bytearray(min(_ROOM, end - start)))
        with guarded(self.path), open(self.path, "rb", buffering=0) as file:
            file.seek(start)
            while start < end:
                count = file.readinto(room[: end - start])
                if not count:
                    raise _wrong_range(end - start, 0)
                yield room[:count]
                start += count

    def is_unchanged(self) -> bool:
        """Return whether the object at the path still has this size and stamp.

        ``UnreadableError`` where its server has more bytes than it states.
        """
        if is_url(self.path):
            with guarded(self.path):
                _system(self.path)[0].invalidate_cache()
        if Object.at(self.path) != self:
            return False
        if self._has_more():
            raise UnreadableError("has more bytes than its server states")
        return True

    def _has_more(self) -> bool:
        """Return whether a server on the web sends a byte behind the size that it has stated.

        Most say with an error that there is none. Other file systems know their sizes.
        """
        if not _is_on_the_web(self.path):
            return False
        try:
            data, is_part = self._received(self.size, self.size + 1)
        except Exception:  # a status such as 416, by whatever library
            return False
        return is_part and bool(data)

    def _received(self, start: int, end: int) -> tuple[bytes, bool]:
        """Return what a server on the web sends for the bytes from *start* to *end*, and whether it calls it a part.

        No more than one byte too many is read: fsspec's ``cat_file`` holds whatever comes.
        """
        system, inner = _system(self.path)
        asked = {"Range": f"bytes={start}-{end - 1}"}
        with system.open(inner, block_size=0, size=self.size or 1, headers=asked) as file:  # 0: as a stream
            parts, left = [], end - start + 1
            while left and (part := file.read(left)):
                parts.append(part)
                left -= len(part)
            return b"".join(parts), file.r.status == HTTPStatus.PARTIAL_CONTENT


def _wrong_range(wanted: int, got: int) -> UnreadableError:
    return UnreadableError(f"its server sent {got:,} bytes where {wanted:,} were asked for")


class ObjectFile(io.RawIOBase):
    """An object as a file that is read in ranges; at its end it makes sure that it is still the same object."""

    def __init__(self, source: Object) -> None:
        self._object, self._at = source, 0
        self._range, self._start = b"", 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._object.size}[whence]
        return self._at

    def readinto(self, room: Buffer, /) -> int:
        if not self._start <= self._at < self._start + len(self._range):
            self._start, self._range = self._at, self._object.read(self._at, self._at + RANGE)
            if not self._range and not self._object.is_unchanged():
                raise UnreadableError(CHANGED)
        part = self._range[self._at - self._start :][: memoryview(room).nbytes]
        memoryview(room).cast("B")[: len(part)] = part
        self._at += len(part)
        return len(part)


def found(url: str) -> list[str]:
    """Return the URLs that *url* stands for, in order: itself, what its ``*`` match, or all files in its folder.

    On the web a folder is what ends with ``/``: fsspec reads a whole page to see whether it has links.
    """
    with guarded(url):
        system, inner = _system(url)

        def is_folder(name: str) -> bool:
            return name.endswith("/") or (not _is_on_the_web(url) and system.isdir(name))

        if "*" not in inner and not is_folder(inner):
            return [url]
        names = [name for name in system.glob(inner) if not is_folder(name)] if "*" in inner else system.find(inner)
        if not names:
            raise UnreadableError(NO_SUCH_FILE)
        _, chain, rest = url.partition("::")
        return sorted(system.unstrip_protocol(name) + chain + rest for name in names)


def _system(url: str) -> tuple[Any, str]:
    """Return the file system of *url* and the path in it; fsspec keeps file systems for the next call.

    A server on the web that is silent is an error; the file systems of buckets have limits of their own.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UnreadableError("this needs fsspec: python -m pip install 'utf8-abnf[remote]'") from None
    protocol, options = _protocol(url), {}
    if protocol in _WEB:
        with suppress(ImportError):  # fsspec says what is missing
            from aiohttp import ClientTimeout

            timeout = ClientTimeout(None, sock_connect=PATIENCE, sock_read=PATIENCE)
            options = {protocol: {"client_kwargs": {"timeout": timeout}}}
    system, inner = url_to_fs(url, **options)
    return system, inner


def _protocol(url: str) -> str:
    return url.rpartition("::")[2].partition("://")[0]


def _is_on_the_web(url: str) -> bool:
    """Tell whether *url* is that of a file on a server on the web, and not of a part of one."""
    return "::" not in url and _protocol(url) in _WEB


@contextmanager
def guarded(path: str) -> Iterator[None]:
    """Turn whatever reading *path* raises into ``UnreadableError``; the usual reasons of files stay what they are.

    Why any exception: each of fsspec's file systems has a library below it, with exceptions of its own.
    """
    try:
        yield
    except UnreadableError:
        raise
    except Exception as raised:
        error = _cause(raised) if _is_on_the_web(path) else raised
        if isinstance(error, OSError) and error.errno is not None and not is_url(path):
            raise
        raise UnreadableError(_why(error, path)) from error


def _cause(error: Exception) -> Exception:
    """Return *error*, or what is behind it: of whatever a server does, fsspec says that the file was not found."""
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and isinstance(cause, Exception):
        return error if getattr(cause, "status", 0) == HTTPStatus.NOT_FOUND else cause
    return error


def _why(error: Exception, path: str) -> str:
    """Return in words why the object at *path* cannot be read."""
    if isinstance(error, FileNotFoundError):
        return NO_SUCH_FILE
    if isinstance(error, PermissionError):
        return "Permission denied"
    if isinstance(error, TimeoutError) and (_is_on_the_web(path) or not str(error)):
        return "its server did not answer in time"
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return f"cannot be read: {reason}"
