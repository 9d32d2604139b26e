"""Streams of a Python decoder: an incremental decoder in, its answers in the modes s and i out."""

from __future__ import annotations

import codecs
import copy
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.conformance.framing import unpack_chunks
from utf8_abnf.conformance.harness.driving.protocol import FINISH, NOT_TOLD, RESET, STEP, verdict_of_text
from utf8_abnf.conformance.harness.driving.results import Broken, refuses
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Streams(NamedTuple):
    """How to start a stream of a decoder; *about* names its methods.

    ``feed`` takes the next bytes, and ``finish`` or ``close`` ends the stream. Each may raise to refuse, or returns
    False if the data are wrong, else the text that they give, None or True. *replaces*: it never refuses, and its text
    says what was ill-formed.
    """

    start: Callable[[], Any]
    about: str
    replaces: bool = False

    def answer(self, mode: str, frame: bytes) -> bytes:
        """Return the answer to *frame* in *mode* s or i."""
        sizes, data = unpack_chunks(frame)
        steps = _Steps(self.start(), replaces=self.replaces)
        if mode == "s":
            answers = [each[:1] for each in steps.take((*sizes, FINISH), data)]
            return b"".join(b"0" if state == b"0" else b"?" for state in answers[:-1]) + answers[-1]
        return b"".join(steps.take(sizes, data))

    def decode(self, data: bytes) -> str | bytes | None:
        """Return the text that a stream makes of *data* in one piece, None where it gives none; raises to refuse."""
        stream = self.start()
        values = [stream.feed(data), _end_of(stream)()]
        if any(value is False for value in values):
            raise ValueError("refused")
        texts = [value for value in values if isinstance(value, str | bytes)]
        return (b"" if isinstance(texts[0], bytes) else "").join(texts) if texts else None  # type: ignore[arg-type]


def _end_of(stream: Any) -> Callable[[], Any]:
    end: Callable[[], Any] = getattr(stream, "finish", None) or stream.close
    return end


class _Steps:
    """Takes one stream through steps: feed, finish and reset. Who has refused is not fed further before a reset."""

    def __init__(self, stream: Any, *, replaces: bool) -> None:
        self._stream = stream
        self._end = _end_of(stream)
        self._replaces = replaces
        self._refused = False
        self._fed = self._text = b""  # since the last reset

    def take(self, steps: tuple[int, ...], data: bytes) -> Iterator[bytes]:
        """Yield the answer to each of *steps* in mode i; *data* are the bytes to feed."""
        at = 0
        for step in steps:
            if step == RESET:
                yield self._reset()
                continue
            if step == FINISH:
                yield self._step(self._end, is_end=True)
                continue
            chunk = data[at : at + step]
            at += step
            self._fed += chunk
            yield self._step(lambda chunk=chunk: self._stream.feed(chunk), is_end=False)  # type: ignore[misc]

    def _reset(self) -> bytes:
        if not hasattr(self._stream, "reset"):
            return _told(b"u")
        self._stream.reset()
        self._refused = False
        self._fed = self._text = b""
        return _told(b"1")

    def _step(self, call: Callable[[], Any], *, is_end: bool) -> bytes:
        if self._refused:
            return _told(b"0")
        try:
            value = call()
        except Exception as error:
            if not refuses(error):
                raise
            self._refused = True
            return _told(b"0", self._offset())
        if hasattr(value, "__await__"):
            raise Broken("returned a coroutine: wrap it in a function that waits for its result")
        if value is False or (is_end and type(value) is int and value == 0):
            self._refused = True
            return _told(b"0", self._offset())
        text = _encoded(value)
        self._text += text or b""
        if is_end and self._replaces:
            return _told(verdict_of_text(self._text, self._fed), text=text)
        return _told(b"1" if is_end else self._state(), text=text)

    def _state(self) -> bytes:
        """Return m if the stream says that it waits for more of a character, 1 if for nothing, else ?."""
        pending = getattr(self._stream, "pending", None)
        if callable(pending):
            pending = pending()
        return b"?" if pending is None else b"m" if pending else b"1"

    def _offset(self) -> int:
        """Return the attribute ``error`` if it is an offset: many streams have a flag of that name, or -1 for none."""
        error: Any = getattr(self._stream, "error", None)
        is_offset = isinstance(error, int) and not isinstance(error, bool) and 0 <= error < NOT_TOLD
        return int(error) if is_offset else NOT_TOLD


def _encoded(value: object) -> bytes | None:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return value if isinstance(value, bytes) else None


def _told(state: bytes, offset: int = NOT_TOLD, text: bytes | None = None) -> bytes:
    return STEP.pack(state, offset, NOT_TOLD if text is None else len(text)) + (text or b"")


class _Codec:
    """An incremental decoder as in ``codecs``, with ``decode(chunk, final)`` and ``reset()``, as a stream."""

    def __init__(self, decoder: Any) -> None:
        self._decoder = decoder
        tells = getattr(type(decoder), "getstate", None)
        if tells not in (None, codecs.IncrementalDecoder.getstate):  # that one says nothing
            self.pending = lambda: bool(decoder.getstate()[0])

    def feed(self, chunk: bytes) -> Any:
        return self._decoder.decode(chunk, False)

    def finish(self) -> Any:
        return self._decoder.decode(b"", True)

    def reset(self) -> None:
        self._decoder.reset()


def streams_of(decoder: Any) -> Streams | None:
    """Return how to start a stream of *decoder*, a class or object; None where it has none. Raises TargetError."""
    methods = class_made_by(decoder) or decoder
    if hasattr(methods, "stream"):
        owner = decoder() if isinstance(methods, type) else decoder
        return Streams(owner.stream, "feed() and finish() of what stream() returns")
    if hasattr(methods, "feed"):
        end = next((name for name in ("finish", "close") if callable(getattr(methods, name, None))), None)
        if end is None:
            raise TargetError(f"{decoder!r} has feed() and neither finish() nor close(), which ends a stream")
        return Streams(_fresh(decoder), f"feed() and {end}()")
    if hasattr(methods, "decode") and hasattr(methods, "reset"):
        fresh = _fresh(decoder)
        return Streams(lambda: _Codec(fresh()), "decode(chunk, final) and reset()")
    return None


def class_made_by(decoder: Any) -> type | None:
    """Return the class whose objects *decoder* makes: itself, or what it is a ``functools.partial`` of; else None."""
    made = decoder.func if isinstance(decoder, partial) else decoder
    return made if isinstance(made, type) else None


def _fresh(decoder: Any) -> Callable[[], Any]:
    """Return a function that makes a fresh decoder for each stream: the class itself, or a copy of the object."""
    if class_made_by(decoder):
        return decoder  # type: ignore[no-any-return]
    try:
        copy.deepcopy(decoder)
    except Exception:
        raise TargetError(f"{decoder!r} cannot be copied for each stream: name its class") from None
    return lambda: copy.deepcopy(decoder)
