"""The codecs in the form of Python's ``codecs`` module: incremental, for streams, and by name for ``open``.

The import registers nothing. ``register()`` adds, for the whole interpreter, the encodings "rfc3629", "cesu-8" and
"mutf-8", and an error handler for each replacement policy, under the policy's name.
"""

from __future__ import annotations

import codecs
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.codec import bulk, cesu8, mutf8
from utf8_abnf.codec.by_the_book import TABLE, distribute, fits
from utf8_abnf.codec.replacement import POLICIES, REPLACEMENT, WINDOW, Policy, replace
from utf8_abnf.codec.utf16 import HIGH
from utf8_abnf.validator.ill_formed import InvalidUtf8, describe, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

NAME = "rfc3629"


# ---- UTF-8 ---------------------------------------------------------------------------------------------------------


def utf8_encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
    """Return *text* in UTF-8 and the number of characters taken; for *errors* other than "strict" Python's handlers."""
    return (bulk.encode(text) if errors == "strict" else text.encode("utf-8", errors)), len(text)


def utf8_decode(data: Buffer, errors: str = "strict", final: bool = True) -> tuple[str, int]:
    """Return the text in *data* and the number of bytes taken: all if *final*, else all but an unfinished sequence.

    *errors* is "strict" (``InvalidUtf8``), one of ``POLICIES``, or any of Python's handlers.
    """
    if errors in POLICIES:
        whole = bytes(data)
        taken = len(whole) - (0 if final else unfinished(whole))
        return replace(whole[:taken], policy=errors), taken
    if errors == "strict":
        return _decode_strictly(bytes(data), final)
    return codecs.utf_8_decode(data, errors, final)


def _decode_strictly(data: bytes, final: bool) -> tuple[str, int]:
    try:
        text, taken = codecs.utf_8_decode(data, "strict", final)
    except UnicodeDecodeError as error:
        raise bulk.explained(data, error.start) from None
    # CPython waits after ED A0..BF, because its handler "surrogatepass" may accept it; in UTF-8 it is ill-formed.
    waiting = describe(data[taken:], taken)
    if waiting and not waiting.truncated:
        raise InvalidUtf8(data, waiting)
    return text, taken


class IncrementalEncoder(codecs.IncrementalEncoder):
    """Encodes text that comes in pieces: ``encode(text, final=False)``, ``reset()``. It keeps nothing for later."""

    def encode(self, input: str, final: bool = False) -> bytes:
        """Return *input* in UTF-8. ``EncodeError.position`` counts from the start of this piece."""
        return utf8_encode(input, self.errors)[0]


class IncrementalDecoder(codecs.BufferedIncrementalDecoder):
    r"""Decodes bytes that come in chunks of any size: ``decode(chunk, final=False)``, ``reset()``, ``getstate()``.

    Wherever the cuts are, the joined pieces are what ``decode`` or ``replace`` returns for the whole. An ill-formed
    sequence raises as soon as it is certain; the offsets count from the start of the error's ``object``.

    >>> decoder = IncrementalDecoder("per-byte")
    >>> [decoder.decode(chunk) for chunk in (b"\xe2\x82", b"\xac\xe2", b"a")]
    ['', '€', '\ufffda']
    """

    def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
        return utf8_decode(input, errors, final)


class StreamWriter(codecs.StreamWriter):
    """A text stream that writes UTF-8 to a binary stream."""

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        """Return *input* in UTF-8 and the number of characters taken."""
        return utf8_encode(input, errors)


class StreamReader(codecs.StreamReader):
    """A text stream that reads UTF-8 from a binary stream."""

    def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
        """Return the text in *input* and the number of bytes taken, without an unfinished sequence at the end."""
        return utf8_decode(input, errors, final=False)


UTF8 = codecs.CodecInfo(
    utf8_encode,
    utf8_decode,
    streamreader=StreamReader,
    streamwriter=StreamWriter,
    incrementalencoder=IncrementalEncoder,
    incrementaldecoder=IncrementalDecoder,
    name=NAME,
)


# ---- CESU-8 and modified UTF-8: strict only ------------------------------------------------------------------------


def dialect(name: str, encode: Callable[[str], bytes], decode: Callable[[bytes], str]) -> codecs.CodecInfo:
    r"""Return the codec *name* for Python, made from *encode* and *decode*. It supports ``errors="strict"`` only.

    >>> decoder = dialect("cesu-8", cesu8.encode, cesu8.decode).incrementaldecoder()
    >>> decoder.decode(bytes.fromhex("ED A1 8C ED")), decoder.decode(bytes.fromhex("BE B4")) == "\U000233B4"
    ('', True)
    """

    def encode_all(text: str, errors: str = "strict") -> tuple[bytes, int]:
        _only_strict(name, errors)
        return encode(text), len(text)

    def decode_some(data: Buffer, errors: str = "strict", final: bool = True) -> tuple[str, int]:
        _only_strict(name, errors)
        whole = bytes(data)
        taken = len(whole) - (0 if final else _unfinished(whole))
        return decode(whole[:taken]), taken

    class Encoder(codecs.IncrementalEncoder):
        def encode(self, input: str, final: bool = False) -> bytes:
            return encode_all(input, self.errors)[0]

    class Decoder(codecs.BufferedIncrementalDecoder):
        def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
            return decode_some(input, errors, final)

    class Writer(codecs.StreamWriter):
        def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
            return encode_all(input, errors)

    class Reader(codecs.StreamReader):
        def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
            return decode_some(input, errors, final=False)

    return codecs.CodecInfo(
        encode_all,
        decode_some,
        streamreader=Reader,
        streamwriter=Writer,
        incrementalencoder=Encoder,
        incrementaldecoder=Decoder,
        name=name,
    )


def _only_strict(name: str, errors: str) -> None:
    if errors != "strict":
        raise LookupError(f"{name} supports errors='strict' only, not {errors!r}")


def _unfinished(data: bytes) -> int:
    """Return how many bytes at the end of *data* are undecided: an unfinished sequence, a high surrogate, or both."""
    waiting = unfinished(data)
    pictures = TABLE[2].pictures  # the row of the surrogates
    before = data[: len(data) - waiting][-len(pictures) :]
    if len(before) == len(pictures) and all(map(fits, before, pictures)) and distribute(before) in HIGH:
        waiting += len(before)
    return waiting


# ---- Registration, on request --------------------------------------------------------------------------------------

CESU8 = dialect(cesu8.NAME, cesu8.encode, cesu8.decode)
MUTF8 = dialect(mutf8.NAME, mutf8.encode, mutf8.decode)
# codecs.lookup() puts "_" for "-".
CODECS = {each.name.replace("-", "_"): each for each in (UTF8, CESU8, MUTF8)}


def register() -> None:
    """Register the encodings "rfc3629", "cesu-8", "mutf-8" and an error handler for each policy with this interpreter.

    Then ``open(path, encoding="mutf-8")`` and ``data.decode("utf-8", "per-byte")`` work. A second call changes nothing.
    With Python's own "utf-8" a handler sees only one chunk; for streams use "rfc3629", which waits for the next.
    """
    codecs.unregister(_search)
    codecs.register(_search)
    for policy in POLICIES.values():
        codecs.register_error(policy.name, partial(_handle, policy))


def _search(name: str) -> codecs.CodecInfo | None:
    return CODECS.get(name)


def _handle(policy: Policy, error: UnicodeError) -> tuple[str, int]:
    """Return what replaces the bytes of *error*, and the position at which CPython continues."""
    if not isinstance(error, UnicodeDecodeError):
        raise error  # the policies are about bytes
    return REPLACEMENT, error.start + policy.take(error.object[error.start : error.start + WINDOW])
