"""What ``encode`` and ``decode`` share: hex or a file in; bytes out, chunk by chunk, in the spelling asked for."""

from __future__ import annotations

import re
import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.validator.ill_formed import InvalidUtf8

if TYPE_CHECKING:
    from codecs import IncrementalDecoder
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

    from utf8_abnf.codec.steps import Trace

CHUNK = 1 << 20
# People paste E2 82 AC, E282AC, \xE2\x82\xAC, 0xE2,0x82,0xAC, %E2%82%AC.
BETWEEN = re.compile(r"\\x|0x|%|[\s,;:]+", re.IGNORECASE)


def bytes_of_hex(items: Iterable[str]) -> bytes:
    r"""Return the bytes that *items* spell in hex, in any of the common ways.

    >>> bytes_of_hex(["E2", "82AC"]) == bytes_of_hex([r"\xE2\x82\xAC"]) == bytes_of_hex(["0xE2, 0x82, 0xAC"])
    True
    """
    spelled = BETWEEN.sub(" ", " ".join(items))
    try:
        return bytes.fromhex(spelled)
    except ValueError:
        raise UsageError(
            f"{' '.join(items)!r} is not hex: write two hexadecimal digits for each byte, as in E2 82 AC"
        ) from None


def chunks(path: str) -> Iterator[bytes]:
    """Yield the bytes of the file *path*, ``-`` for standard input, in chunks of up to a megabyte."""
    if path == "-":
        yield from iter(lambda: sys.stdin.buffer.read(CHUNK), b"")
        return
    with open(path, "rb") as file:
        yield from iter(lambda: file.read(CHUNK), b"")


_TOO_MANY = "--steps and --compare show up to a megabyte: cut out the part that you want to see"


def bounded(pieces: Iterable[bytes], most: int = CHUNK, otherwise: str = _TOO_MANY) -> Iterator[bytes]:
    """Yield *pieces*, *most* bytes in all; ``UsageError`` with the message *otherwise* for more."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise UsageError(otherwise)
        yield piece


def draw_bits(traces: Iterable[Trace]) -> int:
    """Print the flow of the bits of one character as SVG; return the exit status. ``UsageError`` for several."""
    from utf8_abnf.drawing.bits_svg import bits_svg

    first = list(islice(traces, 2))
    if len(first) != 1:
        raise UsageError("--svg draws one character: give one character, or use --steps for several")
    sys.stdout.write(bits_svg(first[0]))
    return ILL_FORMED if first[0].refusal else OK


class NotTextError(Exception):
    """The input is not text in the expected encoding; the message has the offset from the start of the input."""


def text_of(pieces: Iterable[bytes], decoder: IncrementalDecoder) -> Iterator[str]:
    """Yield the text that *decoder* makes of *pieces*; raise ``NotTextError`` where it refuses them."""
    fed = 0
    for piece in pieces:
        yield _decoded(decoder, piece, fed, final=False)
        fed += len(piece)
    yield _decoded(decoder, b"", fed, final=True)


def _decoded(decoder: IncrementalDecoder, piece: bytes, fed: int, *, final: bool) -> str:
    before = fed - len(decoder.getstate()[0])  # the error's offsets count from here
    try:
        return decoder.decode(piece, final)
    except InvalidUtf8 as error:
        raise NotTextError(str(error.error._replace(start=before + error.start))) from None
    except UnicodeDecodeError as error:
        culprit = hex_bytes(error.object[error.start : error.end])
        message = f"{error.encoding}: {culprit} at offset {before + error.start}: {error.reason}"
        raise NotTextError(message) from None


class Spelling(NamedTuple):
    """A way to write bytes: the text before them, the text of a chunk, the text between chunks, the text after all."""

    before: str
    chunk: Callable[[bytes], str]
    between: str
    after: str


SPELLINGS = {
    "hex": Spelling("", hex_bytes, " ", "\n"),
    "raw": Spelling("", lambda data: data.decode("latin-1"), "", ""),
    "c": Spelling('"', lambda data: "".join(f"\\x{byte:02X}" for byte in data), "", '"\n'),
    # The double quote in front makes repr choose single quotes, whatever the chunk holds.
    "python": Spelling("b'", lambda data: repr(b'"' + data)[3:-1], "", "'\n"),
}


class Output:
    """Standard output for bytes in one of ``SPELLINGS``: a context manager; ``write`` takes them in chunks."""

    def __init__(self, spelling: str) -> None:
        self._spelling = SPELLINGS[spelling]
        self._lead = self._spelling.before

    def __enter__(self) -> Output:
        return self

    def write(self, data: bytes) -> None:
        """Write *data* after what has been written."""
        if data:
            self._put(self._lead + self._spelling.chunk(data))
            self._lead = self._spelling.between

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            is_empty = self._lead is self._spelling.before
            self._put((self._spelling.before if is_empty else "") + self._spelling.after)
        sys.stdout.buffer.flush()

    def _put(self, text: str) -> None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("latin-1"))
