"""Error handlers for Python's own UTF-8 decoder, in ``bytes.decode`` and in ``open``.

Rule 1: a handler takes no byte of a character that the next chunk of a stream may complete. It is not told what that
chunk is, so only policies that treat each byte by itself can be registered.
"""

from __future__ import annotations

import codecs
from functools import partial

from utf8_abnf.files.repairing.stretches import stretch_end
from utf8_abnf.files.repairing.treatments import LOOKAHEAD, chain_of
from utf8_abnf.validator.ill_formed import unfinished

PREFIX = "utf8-abnf-"
MAX_STRETCH = 1024  # bytes that one call treats; the decoder calls again for the others


def register(policy: str) -> str:
    r"""Register an error handler that treats ill-formed bytes by *policy* (see ``repair``), and return its name.

    ``LookupError`` for an unknown policy, ``ValueError`` for one that joins bytes, as CESU-8 and Shift_JIS do.

    >>> b"na\xc3\xafve caf\xe9\x81".decode("utf-8", register("windows-1252+escape"))
    'naïve café\\x81'
    """
    if not all(treatment.per_byte for treatment in chain_of(policy).first):
        raise ValueError(f"{policy!r} joins bytes, which a chunk of a stream may cut apart: use repair() or Repairer")
    codecs.register_error(PREFIX + policy, partial(_handle, policy))
    return PREFIX + policy


def _handle(policy: str, error: UnicodeError) -> tuple[str, int]:
    """Return the text for the stretch in which *error* is, and where decoding goes on."""
    if not isinstance(error, UnicodeDecodeError) or error.encoding != "utf-8":
        raise error
    chain = chain_of(policy)
    data, at = error.object, error.start
    end = stretch_end(data, at, len(data), MAX_STRETCH + LOOKAHEAD)
    if at < (begun := len(data) - unfinished(data)) < end:
        end = begun
    parts = []
    while at < end and at - error.start < MAX_STRETCH:
        length, new, _ = chain.take(data[at : min(at + LOOKAHEAD, end)])
        parts.append(new)
        at += length
    return b"".join(parts).decode(), at
