"""Repair a stream: chunks of any size in, repaired chunks and their changes out, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.codec.errors import contiguous
from utf8_abnf.files.repairing.fast import Fast, fast
from utf8_abnf.files.repairing.plain import Plain
from utf8_abnf.files.repairing.stretches import is_in_c
from utf8_abnf.files.repairing.treatments import FFFD, chain_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from utf8_abnf.files.repairing.model import Repaired


class Repairer:
    r"""Repair a stream by *policy* (see ``repair``): ``feed(chunk)``, then ``finish()``, each return a ``Repaired``.

    The joined data and the joined logs are those that ``repair`` returns for the whole, wherever the stream is cut;
    offsets count from its start. It holds back 1 KiB at most, 64 KiB for the policies that read lines ("mojibake",
    "utf16-in-place"), and 256 KiB for "auto". ``LookupError`` for an unknown policy.

    >>> repairer = Repairer("windows-1252")
    >>> [*(repairer.feed(chunk).data for chunk in (b"caf\xc3", b"\xa9, th\xe9")), repairer.finish().data]
    [b'caf', b'\xc3\xa9, th', b'\xc3\xa9']
    """

    def __init__(self, policy: str = FFFD) -> None:
        self._engine = _engine(policy)
        self._pending = b""
        self._offset = 0  # of the first pending byte
        self._finished = False

    @property
    def guess(self) -> str:
        """What "auto" went by, as a sentence; "" before that is known, and for other policies."""
        return self._engine.guess

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


def repair(data: Buffer, policy: str = FFFD) -> Repaired:
    r"""Return *data* as well-formed UTF-8, by *policy*, and the log of changes, from which the input can be made again.

    Bytes of well-formed characters stay as they are. *policy* is one or more of these, joined by "+"; each takes the
    ill-formed bytes that it knows and leaves the others to the next one:

    - a codec of Python, as "windows-1252": the ill-formed bytes are converted from this encoding
    - "cesu8": pairs of surrogates, three bytes each, become the character that they mean
    - "overlong-shortest": overlong sequences become the character that they mean. Dangerous unless you know the writer:
      a check that was made before has not seen this character
    - "utf16-in-place": lines in UTF-16 that follow a byte order mark, FF FE or FE FF, are converted
    - "mojibake": well-formed text that was encoded twice is decoded once; needs ``ftfy``
    - "auto": an input that is UTF-16 or UTF-32 as a whole is converted; else the ill-formed bytes, from the encoding
      in which their words are likely, with high confidence. Well-formed characters of several bytes stay, but where
      all words are in one encoding, in which some came about by chance. ``NoGuessError`` where the confidence is
      lower, and where nothing shows which bytes belong to characters of UTF-8
    - at the end, and "fffd" unless another is named: "fffd" (U+FFFD for each maximal subpart, "fffd:per-byte" and so
      on for the other policies of ``codec.POLICIES``), "drop" (nothing), "escape" (backslash, x and two digits), or
      "escape:angle" (``<E9>``)

    A str is a ``TypeError``, an unknown policy a ``LookupError``.

    >>> repair(b"na\xc3\xafve caf\xe9", "windows-1252").data.decode()
    'naïve café'
    >>> repair(b"caf\xe9").log
    [Change(offset=3, old=b'\xe9', new=b'\xef\xbf\xbd', why='UTF8-TRUNCATED, fffd')]
    """
    whole = contiguous(data)
    repaired, _ = _engine(policy).run(whole, 0, final=True)
    return repaired


def _engine(policy: str) -> Fast | Plain:
    chain = chain_of(policy)
    return (is_in_c() and fast(chain)) or Plain(chain)
