"""The stream protocol, version 1: frames to bytes, hello lines and answers from bytes. Nothing here starts a process.

The child writes one line, ``utf8-abnf 1 modes=v,p,r,s name=... version=...``; the driver answers with a line that names
one of those modes. Then it sends frames, each a little-endian length of 32 bits and the bytes; the child answers each
frame, in order. ``docs/reference/protocol.md`` describes it for authors of adapters.
"""

from __future__ import annotations

import re
import shlex
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from utf8_abnf.conformance.framing import frame, size_at
from utf8_abnf.errors import TargetError
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MODES = ("v", "p", "r", "s", "i")  # verdict, position, replacement, stream, incremental decoder
HELLO = "utf8-abnf 1 modes=v"
UNDERSTOOD = "understood"  # the fact in a hello that says how the decoder's results are verdicts
BY_TEXT = "accepts what replace() leaves as it is"  # what it says of a decoder that gives no verdict but by its texts
BY_STREAM = "judged as a stream"  # and behind a colon, by which methods
UNCLEAR = "unclear"  # the fact in a hello that says why no result can be understood: no frame is answered
MAX_HELLO = 1024
ACCEPTED = 0xFFFFFFFF  # in mode p: no error; in mode r: "rejected, not replaced"
UNJUDGED = 0xFFFFFFFE  # in modes p and r: the decoder cannot judge the case, as u in mode v
UNFIT = 0xFFFFFFFD  # in modes p and r: it told what cannot be an offset with a length, or a text
FINISH, RESET = 0xFFFFFFFF, 0xFFFFFFFE  # in mode i: steps that feed nothing
NOT_TOLD = 0xFFFFFFFF  # in mode i: no text, or no offset
MAX_TEXT = 1 << 12  # bytes of an answer in mode r, and so many for each byte of the inputs: a longer one is garbage
MAX_TEXT_OF_A_BYTE = 64

AFTER = b"A"  # what is fed in mode i after the end
BOM = b"\xef\xbb\xbf"  # which a decoder may remove without rejecting anything (RFC 3629 section 6)

USUAL_MARKS = ("\ufffd".encode(), b"?", b"\x1a")  # for what a decoder refuses: U+FFFD, or that of an older encoding

ACCEPT, REJECT, UNSUPPORTED = b"1", b"0", b"u"
UNREADABLE = b"x"  # the answer that UNFIT stands for
WITHOUT_VALUE = {
    number.to_bytes(4, "little"): value
    for number, value in ((ACCEPTED, None), (UNJUDGED, UNSUPPORTED), (UNFIT, UNREADABLE))
}


class Step(NamedTuple):
    """The answer to one step in mode i.

    *state* is b"0" if the data are wrong, b"1" if they are right so far and no character is cut, b"m" if more is needed
    to complete one, b"?" if the data are not wrong so far, and b"u" if the decoder cannot take this step. *offset* is
    that of the first error, *text* what the step gave out, as UTF-8; each is None where the decoder does not tell it.
    """

    state: bytes
    offset: int | None
    text: bytes | None


class Garbage(Exception):  # noqa: N818
    """An answer that the protocol does not know: *seen* are its first bytes.

    *size* is the length that it claims, if that is what is wrong with it.
    """

    def __init__(self, seen: bytes, size: int = 0) -> None:
        super().__init__(f"answered with {f'a text of {size:,} bytes' if size else hex_bytes(seen[:8])}")


@dataclass(frozen=True, slots=True)
class Hello:
    """What a decoder says of itself: the modes in which it can be asked, its name, its version, and other facts."""

    modes: tuple[str, ...]
    name: str = ""
    version: str = ""
    more: dict[str, str] = field(default_factory=dict)


def parse_hello(line: bytes) -> Hello:
    """Return what the first line of a child says; TargetError when it is not a hello line.

    >>> parse_hello(b"utf8-abnf 1 modes=v,p name=mine version='1 beta'")
    Hello(modes=('v', 'p'), name='mine', version='1 beta', more={})
    """
    text = line.decode("utf-8", "replace").strip()
    match = re.fullmatch(r"utf8-abnf (\d+)( .*)?", text)
    if not match:
        raise TargetError(f"the first line must be like {HELLO!r}, but it was {text[:80]!a}")
    if match[1] != "1":
        raise TargetError(f"the decoder speaks version {match[1]} of the protocol; this driver speaks version 1")
    try:
        words = shlex.split(match[2] or "")
    except ValueError:  # a single quote character in a version
        words = (match[2] or "").split()
    facts = dict(word.split("=", 1) for word in words if "=" in word)
    modes = tuple(mode for mode in facts.pop("modes", "").split(",") if mode)
    if set(modes) <= {"i"} or any(mode not in MODES for mode in modes):
        raise TargetError(f"the hello line must name its modes, some of v,p,r,s, as in {HELLO!r}; it was {text[:80]!a}")
    return Hello(modes, facts.pop("name", ""), facts.pop("version", ""), facts)


def find_ends(ends: list[int], frames: bytes, number: int) -> None:
    """Add to *ends*, the offsets at which the first of *frames* end and before them 0, those up to frame *number*."""
    at = ends[-1]
    for _ in range(number + 1 - len(ends)):
        at += 4 + size_at(frames, at)[0]
        ends.append(at)


STEP = struct.Struct("<cII")  # state, offset of the first error, size of the text that follows


def _steps(answer: bytes) -> Iterator[Step]:
    at = 0
    while at < len(answer):
        state, offset, size = STEP.unpack_from(answer, at)
        at += STEP.size
        text = None
        if size != NOT_TOLD:
            text = answer[at : at + size]
            at += size
        yield Step(state, None if offset == NOT_TOLD else offset, text)


_SINGLE = [bytes([value]) for value in range(256)]


class Answers:
    """Takes bytes from a child, in any pieces, and gives *count* answers of *mode*.

    In the modes s and i *chunks* has for each case its number of chunks, or of steps. *expected* are the bytes of the
    answers if all of them are right: as long as the bytes that come are the same, they are compared and not parsed.
    *asked* is the number of bytes in the inputs: it limits the length of texts.
    *excess* are bytes after the last answer.
    """

    def __init__(
        self, mode: str, count: int, chunks: Iterable[int] = (), expected: bytes = b"", asked: int = 0
    ) -> None:
        self.mode = mode
        self.count = count
        self.excess = b""
        self._expected = expected
        self._agrees = bool(expected)  # all bytes that came so far are as expected, and none of them is parsed
        self._room = count * MAX_TEXT + asked * MAX_TEXT_OF_A_BYTE  # bytes of all texts
        self._left = bytearray()  # which shrinks in place: a text of megabytes comes in hundreds of pieces
        self._values: list[object] = []
        self._sizes = [each + (mode == "s") for each in chunks]

    @property
    def all_as_expected(self) -> bool:
        """Tell whether every answer came and every one is right."""
        return self._agrees and len(self._left) == len(self._expected)

    @property
    def complete(self) -> bool:
        """Tell whether every answer came."""
        return self.all_as_expected or len(self._values) == self.count

    @property
    def done(self) -> int:
        """About how many answers came so far; exactly as many in mode v."""
        return self.count * len(self._left) // len(self._expected) if self._agrees else len(self._values)

    @property
    def values(self) -> list[object]:
        """The answers: b"1", b"0" or b"u" in mode v, None or (offset, length) in p, None or text in r, bytes in s.

        In mode i each is a tuple of ``Step``. In p and r, b"u" stands for a case that the decoder cannot judge,
        and b"x" for what cannot be an offset with a length, or a text.
        Bytes of a text that are not UTF-8 are surrogates in the str, as Python's ``surrogateescape`` makes them.
        """
        self._parse_agreed()
        return self._values

    @property
    def begun(self) -> bytes:
        """The bytes that came of an answer that is not complete."""
        self._parse_agreed()
        return bytes(self._left)

    def feed(self, data: bytes) -> None:
        """Take the next bytes; raises Garbage at the first byte that no answer can contain."""
        start = len(self._left)
        self._left += data
        self._agrees = self._agrees and self._expected[start : len(self._left)] == data
        if not self._agrees:
            self._parse()

    def _parse_agreed(self) -> None:
        if self._agrees:
            self._agrees = False
            self._parse()

    def _parse(self) -> None:
        if self.mode == "v":
            self._parse_verdicts()
            return
        at = 0
        try:
            while len(self._values) < self.count and (size := self._size(at)) and at + size <= len(self._left):
                self._values.append(self._value(bytes(self._left[at : at + size])))
                self._room -= size
                at += size
        finally:
            del self._left[:at]
        if len(self._values) == self.count:
            self.excess = bytes(self._left)

    def _parse_verdicts(self) -> None:
        room = self.count - len(self._values)
        good, self.excess = bytes(self._left[:room]), bytes(self._left[room:])
        self._left.clear()
        bad = good.translate(None, b"10u")
        done = good.index(bad[:1]) if bad else len(good)
        self._values += map(_SINGLE.__getitem__, good[:done])
        if bad:
            raise Garbage(good[done:])

    def _size(self, at: int) -> int:
        """Return the length of the answer that begins at *at*; 0 when too little of it has come to tell."""
        if self.mode == "p":
            return 5
        if self.mode == "s":
            return self._sizes[len(self._values)]
        if self.mode == "i":
            return self._size_of_steps(at)
        if len(self._left) < at + 4:
            return 0
        size = int.from_bytes(self._left[at : at + 4], "little")
        if size >= UNFIT:
            return 4
        if size > self._room:
            raise Garbage(bytes(self._left[at:]), size)
        return 4 + size

    def _size_of_steps(self, at: int) -> int:
        end = at
        for _ in range(self._sizes[len(self._values)]):
            if len(self._left) < end + STEP.size:
                return 0
            state, _offset, size = STEP.unpack_from(self._left, end)
            if state not in b"01m?u":
                raise Garbage(bytes(self._left[end:]))
            if NOT_TOLD > size > self._room:
                raise Garbage(bytes(self._left[end:]), size)
            end += STEP.size + (0 if size == NOT_TOLD else size)
        return end - at

    def _value(self, answer: bytes) -> object:
        if self.mode in "pr" and answer[:4] in WITHOUT_VALUE:
            return WITHOUT_VALUE[answer[:4]]
        if self.mode == "p":
            return int.from_bytes(answer[:4], "little"), answer[4]
        if self.mode == "s":
            if answer.translate(None, b"10?u"):
                raise Garbage(answer)
            return answer
        if self.mode == "i":
            return tuple(_steps(answer))
        return answer[4:].decode("utf-8", "surrogateescape")  # text that is ill-formed is judged, it is not garbage


def is_unsupported(answer: object) -> bool:
    """Tell whether *answer*, in any mode, says that the decoder cannot judge the case.

    >>> is_unsupported(b"u"), is_unsupported(b"?u"), is_unsupported("u")
    (True, True, False)
    """
    if isinstance(answer, tuple) and answer and isinstance(answer[0], Step):
        return answer[0].state == UNSUPPORTED
    return isinstance(answer, bytes) and answer[-1:] == UNSUPPORTED


def verdict_of(mode: str, answer: Any, data: bytes) -> bytes:
    """Return 1, 0 or u: the verdict on *data* that follows from *answer*, which was given in *mode*.

    >>> verdict_of("p", (3, 1), b"a"), verdict_of("s", b"?1", b"a"), verdict_of("r", "b", b"b")
    (b'0', b'1', b'1')
    """
    if mode == "v" or answer == UNSUPPORTED:
        return bytes(answer)
    if mode == "i":  # its first end: it may take no reset
        return ACCEPT if answer[(len(answer) - 5) // 3].state == ACCEPT else REJECT
    if mode == "p":
        return ACCEPT if answer is None else REJECT
    if mode == "s":
        return bytes(answer[-1:]) if answer[-1:] in (ACCEPT, UNSUPPORTED) else REJECT
    text = answer.encode("utf-8", "surrogateescape") if isinstance(answer, str) else None
    return verdict_of_text(text, data)


def verdict_of_text(text: bytes | None, data: bytes) -> bytes:
    r"""Return 1 or 0: the verdict on *data* that follows from the *text* which was made of it; None was refused.

    A text that is neither the data, as it is, nor marked says nothing about well-formed data but that they are taken.

    >>> verdict_of_text(b"b", b"a"), verdict_of_text(b"?", b"a"), verdict_of_text(b"", b"\xff")
    (b'1', b'0', b'0')
    """
    if text is None:
        return REJECT
    if text in (data, data.removeprefix(BOM)):
        return ACCEPT
    is_marked = any(text.count(mark) > data.count(mark) for mark in USUAL_MARKS)
    return ACCEPT if not is_marked and is_valid(data) else REJECT


def steps_of(chunks: Sequence[int]) -> tuple[int, ...]:
    """Return the steps that a case in these *chunks* takes: two for each chunk, and six."""
    return (*chunks, FINISH, len(AFTER), RESET, sum(chunks), RESET, *chunks, FINISH)


def frame_of(data: bytes, chunks: Sequence[int]) -> bytes:
    """Return the frame of mode i for *data* in *chunks*."""
    return frame(data + AFTER + data + data, steps_of(chunks))
