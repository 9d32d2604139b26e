"""A Python decoder's answers: a function, class or object in, the bytes that the stream protocol asks for out."""

from __future__ import annotations

import struct
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.habit import BY_RETURN, BY_TRUTH, Habit, Seen, habit_of
from utf8_abnf.conformance.harness.driving.protocol import (
    ACCEPT,
    ACCEPTED,
    BY_STREAM,
    BY_TEXT,
    REJECT,
    UNFIT,
    verdict_of_text,
)
from utf8_abnf.conformance.harness.driving.results import Broken, plain, refuses, returned_by
from utf8_abnf.conformance.harness.driving.streams import Streams, class_made_by, streams_of
from utf8_abnf.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Ask = Callable[[Callable[[bytes], Any]], list[Seen]]

BY_ITS_TEXT = "accepts what its text leaves as it is"
METHODS = ("accepts", "first_error", "decode", "replace", "stream", "feed")


class Answering:
    """A Python decoder: a function of bytes, or a class or object with some of ``METHODS``.

    Each method adds modes: ``first_error`` p, ``replace`` or ``decode`` r, ``stream`` s and i. A class with ``feed``
    and ``finish``, or ``close``, is a stream itself, and one with ``decode`` and ``reset`` is an incremental decoder as
    in ``codecs``. The verdict comes from the first of ``METHODS`` that the decoder has. *seen* returns what a function
    does with a few inputs: that tells how its results are verdicts, and ``understood`` says it in words. TargetError
    when the decoder has none of the methods and cannot be called, UsageError when its results cannot be understood.
    """

    def __init__(self, decoder: Any, seen: Ask) -> None:
        self._streams: Streams | None = streams_of(decoder)
        decoder = _instance(decoder)
        has = {name for name in METHODS if callable(getattr(decoder, name, None))}
        is_text = isinstance(decoder, str | bytes)  # which has a method named replace
        if is_text or (not has and self._streams is None and not callable(decoder)):
            raise TargetError(f"{decoder!r} is not a decoder: it cannot be called and has none of {', '.join(METHODS)}")
        self._decoder = decoder
        self._habit: Habit | None = None
        self.understood = ""
        self.method = ""  # that gives the verdict; "" where the decoder itself is called
        replaces = self._streams is not None and _replaces(seen(self._streams.decode))
        self._streams = self._streams and self._streams._replace(replaces=replaces)
        self._decode = self._streams.decode if self._streams else getattr(decoder, "decode", None)
        self._v = self._choose_verdict(has, seen)
        positions = ("p",) if "first_error" in has else ()
        replacing = ("r",) if replaces or has & {"replace", "decode"} else ()
        streaming = ("s", "i") if self._streams else ()
        self.modes = ("v", *positions, *replacing, *streaming)

    def in_mode(self, mode: str) -> Callable[[bytes], bytes]:
        """Return the function that answers a frame in *mode*; it raises exceptions that do not mean a refusal."""
        if mode in "si":
            assert self._streams
            return partial(self._streams.answer, mode)
        return {"v": self._v, "p": self._p, "r": self._r}[mode]

    def _choose_verdict(self, has: set[str], seen: Ask) -> Callable[[bytes], bytes]:
        """Return the function that answers in mode v, and set ``understood``."""
        name = self.method = next((name for name in METHODS if name in has), "")
        if self._streams and name in {"decode", "stream", "feed", ""}:
            self.understood = f"{BY_STREAM}: {self._streams.about}" + f"; {BY_ITS_TEXT}" * self._streams.replaces
            return self._by_stream
        if name == "first_error":
            self.understood = "accepts where first_error() finds none"
            return self._by_first_error
        if name == "replace":
            self.understood = BY_TEXT
            return self._by_replace
        function = getattr(self._decoder, name) if name else self._decoder
        self._habit = habit_of(seen(function))
        about = self._habit.words if self._habit else "refused every input that it was asked before"
        self.understood = f"{name}() {about}" if name else about
        return partial(self._by_result, function)

    def _by_result(self, function: Callable[[bytes], Any], data: bytes) -> bytes:
        try:
            value = returned_by(function, data)
        except Exception as error:
            return _rejected(error)
        if self._habit is None:
            self._habit = BY_TRUTH if isinstance(plain(value), int) else BY_RETURN
        return ACCEPT if self._habit.accepts(value) else REJECT

    def _by_first_error(self, data: bytes) -> bytes:
        return ACCEPT if self._first_error(data) is None else REJECT

    def _by_replace(self, data: bytes) -> bytes:
        text = self._text(data)
        return verdict_of_text(None if isinstance(text, int) else text, data)

    def _by_stream(self, data: bytes) -> bytes:
        assert self._streams
        return self._streams.answer("s", struct.pack("<II", 1, len(data)) + data)[-1:]

    def _first_error(self, data: bytes) -> tuple[int, int] | None:
        try:
            error = self._decoder.first_error(data)
        except Exception as raised:
            if not refuses(raised):
                raise
            error = raised
        return span(error)

    def _p(self, data: bytes) -> bytes:
        start, length = self._first_error(data) or (ACCEPTED, 0)
        return struct.pack("<IB", start, min(length, 255))

    def _r(self, data: bytes) -> bytes:
        text = self._text(data)
        if isinstance(text, int):
            return text.to_bytes(4, "little")
        return len(text).to_bytes(4, "little") + text

    def _text(self, data: bytes) -> bytes | int:
        """Return the text for *data*, ACCEPTED where it is refused, or UNFIT where what is returned is not text."""
        method = getattr(self._decoder, "replace", None) or self._decode
        try:
            value = returned_by(method, data)  # type: ignore[arg-type]
        except Exception as error:
            _rejected(error)
            return ACCEPTED
        try:
            return ACCEPTED if value is None or value is False else encoded(value)
        except (TypeError, LookupError):
            return UNFIT


def _replaces(seen: Iterable[Seen]) -> bool:
    """Tell whether a stream that did what was *seen* replaces: it never refused, and errors alone changed its text."""
    texts = [(each.good, each.data, encoded(each.told)) for each in seen if isinstance(each.told, str | bytes)]
    is_kept = all(text == data for good, data, text in texts if good)
    is_marked = any(text != data for good, data, text in texts if not good)
    return is_kept and is_marked and all(each.returned for each in seen)


def span(error: Any) -> tuple[int, int] | None:
    """Return the offset and the length that *error* tells, length 0 where it tells none; None where there is no error.

    *error* is None, an offset, a pair, or an object with ``start`` and ``length`` or ``end``, a UnicodeDecodeError say.
    An offset of UNFIT stands for anything else, and for numbers that cannot be an offset and a length.

    >>> span(None), span(3), span((3, None)), span(UnicodeDecodeError("utf-8", b"ab", 0, 2, ""))
    (None, (3, 0), (3, 0), (0, 2))
    >>> span((-1, 1)) == span((1.0, 1)) == span("3") == (UNFIT, 0)
    True
    """
    if error is None or error is False or (isinstance(error, int) and error < 0):
        return None
    if isinstance(error, Exception) and not hasattr(error, "start"):
        raise Broken(f"first_error raised {type(error).__name__}, which has no attribute start")
    try:
        if hasattr(error, "start"):
            start, length = error.start, error.length if hasattr(error, "length") else error.end - error.start
        else:
            start, length = (error, 0) if isinstance(error, int) else error
        start, length = index(start), index(length or 0)
    except (AttributeError, TypeError, ValueError):
        return UNFIT, 0
    return (start, length) if 0 <= start < UNFIT and length >= 0 else (UNFIT, 0)


def encoded(text: Any) -> bytes:
    """Return *text* as UTF-8: a str, bytes that are UTF-8 already, or the pair (text, length) of ``codecs``."""
    if isinstance(text, tuple):
        text = text[0]
    if not isinstance(text, str):
        return bytes(memoryview(text))
    # A decoder may return surrogates: written as three bytes each they are a wrong answer, not a crash.
    return text.encode("utf-8", "surrogatepass")


def _rejected(error: Exception) -> bytes:
    if not refuses(error):
        raise error
    return REJECT


def _instance(decoder: Any) -> Any:
    """Return an object of the class *decoder* if it has ``METHODS`` or can be called; anything else as it is."""
    made = class_made_by(decoder)
    if made is None:
        return decoder
    is_called = any("__call__" in vars(each) for each in made.__mro__)
    if not is_called and not any(hasattr(made, name) for name in METHODS):
        return decoder
    try:
        return decoder()
    except TypeError:  # it needs arguments
        return decoder
