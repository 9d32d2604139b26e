"""Repair a stream: chunks of any size in, repaired chunks and their changes out, in bounded memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.codec.errors import contiguous
from utf8_abnf.files.repairing.fast import Fast, fast
from utf8_abnf.files.repairing.lines import Lines
from utf8_abnf.files.repairing.plain import Plain
from utf8_abnf.files.repairing.stretches import is_in_c
from utf8_abnf.files.repairing.treatments import FFFD, chain_of
from utf8_abnf.files.repairing.wide import NAMES, Wide
from utf8_abnf.language import messages
from utf8_abnf.language.catalogue import Message

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from utf8_abnf.files.repairing.model import Repaired

BYTES, LINE = UNITS = "bytes", "line"


class Repairer:
    r"""Repair a stream by *policy* (see ``repair``): ``feed(chunk)``, then ``finish()``, each return a ``Repaired``.

    The joined data and the joined logs are those that ``repair`` returns for the whole, wherever the stream is cut;
    offsets count from its start. It holds back 1 KiB at most, and 64 KiB by lines. ``LookupError`` for an unknown
    policy.

    >>> repairer = Repairer("windows-1252")
    >>> [*(repairer.feed(chunk).data for chunk in (b"caf\xc3", b"\xa9, th\xe9")), repairer.finish().data]
    [b'caf', b'\xc3\xa9, th', b'\xc3\xa9']
    """

    def __init__(self, policy: str = FFFD, *, unit: str = BYTES) -> None:
        self._engine = _engine(policy, unit)
        self._pending = b""
        self._offset = 0  # of the first pending byte
        self._finished = False

    def feed(self, chunk: Buffer) -> Repaired:
        """Return what is certain after *chunk*. ``ValueError`` after ``finish``."""
        if self._finished:
            raise ValueError("finish() has ended this stream: make another Repairer")
        data = contiguous(chunk)
        return self._next(self._pending + data if self._pending else data, final=False)

    def finish(self) -> Repaired:
        """End the stream and return what was held back."""
        self._finished = True
        return self._next(self._pending, final=True)

    def _next(self, data: bytes, *, final: bool) -> Repaired:
        repaired, used = self._engine.run(data, self._offset, final=final)
        self._pending = data[used:]
        self._offset += used
        return repaired


def repair(data: Buffer, policy: str = FFFD, *, unit: str = BYTES) -> Repaired:
    r"""Return *data* as well-formed UTF-8, by *policy*, and the log of changes, from which the input can be made again.

    *policy* is one or more of these, joined by "+"; each takes the ill-formed bytes that it knows and leaves the others
    to the next one:

    - a codec of Python, as "windows-1252": the ill-formed bytes are converted from this encoding
    - "cesu8": pairs of surrogates, three bytes each, become the character that they mean
    - "overlong-shortest": overlong sequences become the character that they mean. Dangerous unless you know the writer:
      a check that was made before has not seen this character
    - at the end, and "fffd" unless another is named: "fffd" (U+FFFD for each maximal subpart, "fffd:per-byte" and so
      on for the other policies of ``codec.POLICIES``), "drop" (nothing), "escape" (backslash, x and two digits), or
      "escape:angle" (``<E9>``)

    *unit* says what a codec converts: "bytes", the ill-formed ones only, so that well-formed characters stay as they
    are; or "line": each line that is not UTF-8 is decoded as a whole, and every other line stays as it is. "line" with
    UTF-16 or UTF-32 converts the lines that are in it. A str is a ``TypeError``, an unknown policy a ``LookupError``.

    >>> repair(b"na\xc3\xafve caf\xe9", "windows-1252").data.decode()
    'naïve café'
    >>> repair("naïve\n".encode() + "чёрной".encode("koi8-r"), "koi8-r", unit="line").data.decode()
    'naïve\nчёрной'
    >>> repair(b"caf\xe9").log
    [Change(offset=3, old=b'\xe9', new=b'\xef\xbf\xbd', why='UTF8-TRUNCATED, fffd')]
    """
    whole = contiguous(data)
    repaired, _ = _engine(policy, unit).run(whole, 0, final=True)
    return repaired


def _engine(policy: str, unit: str) -> Fast | Plain | Lines | Wide:
    chain = chain_of(policy)
    if unit not in (BYTES, LINE):
        raise LookupError(Message(messages.NO_UNIT, name=repr(unit)))
    codec = next((each.codec for each in chain.first if each.codec), None)
    if unit == LINE and codec:
        return Wide(codec.name, replace(chain, first=())) if codec.name in NAMES else Lines(chain)
    return (is_in_c() and fast(chain)) or Plain(chain)
