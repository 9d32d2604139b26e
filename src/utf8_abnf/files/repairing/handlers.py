"""Error handlers for Python's own UTF-8 decoder: ``data.decode("utf-8", "utf8-abnf-windows-1252")``, and in ``open``.

A handler's name is ``PREFIX`` and a policy. ``register_all`` runs when ``utf8_abnf.files.repairing`` is imported.

Rule 1: a handler takes no byte of a character that the next chunk of a stream may complete. It is not told what that
chunk is, so a file that ``open`` reads is repaired as by ``repair`` only where each byte is treated by itself. Where
the policy joins bytes (a codec of several bytes, CESU-8, overlong sequences), those that the edge of a chunk cuts apart
are treated one by one: take ``Repairer``.
"""

from __future__ import annotations

import codecs
import sys
from encodings.aliases import aliases
from functools import partial

from utf8_abnf.codec import POLICIES
from utf8_abnf.files.repairing.stretches import stretch_end
from utf8_abnf.files.repairing.treatments import ANGLE, CESU8, DROP, ESCAPE, FFFD, LOOKAHEAD, OVERLONG, chain_of
from utf8_abnf.validator.ill_formed import unfinished

PREFIX = "utf8-abnf-"
MAX_STRETCH = 1024  # bytes that one call treats; the decoder calls again for the others


def register(policy: str) -> str:
    r"""Register an error handler that treats ill-formed bytes by *policy* (see ``repair``), and return its name.

    ``LookupError`` for an unknown policy, ``ValueError`` for one that has to read well-formed bytes.

    >>> b"na\xc3\xafve caf\xe9\x81".decode("utf-8", register("windows-1252+escape"))
    'naïve café\\x81'
    """
    if not chain_of(policy).only_stretches:
        raise ValueError(f"{policy!r} reads more than ill-formed bytes: use repair() or Repairer")
    codecs.register_error(PREFIX + policy, partial(_handle, policy))
    return PREFIX + policy


def register_all() -> None:
    """Register a handler for each policy of one part: for every codec of Python that reads text, by all of its names.

    The codecs themselves are looked up when a handler meets its first ill-formed byte.
    """
    words = [DROP, ESCAPE, ANGLE, CESU8, OVERLONG, FFFD, *(f"{FFFD}:{name}" for name in POLICIES)]
    for alias, name in aliases.items():
        if not name.endswith("_codec") and name != "rot_13":  # those decode bytes to bytes, or text to text
            words += {alias, name, alias.replace("_", "-"), name.replace("_", "-")}
    for word in words:
        codecs.register_error(PREFIX + word, partial(_handle, word))


def _has_all() -> bool:
    """Return whether the decoder that called the handler has the end of the input, as far as its Python frame tells.

    Python tells a handler nothing of that. Only of a whole input the last bytes may be joined, as in GBK's CE C4.
    """
    caller = sys._getframe(1).f_back  # None where C calls the decoder
    if caller and caller.f_code is codecs.BufferedIncrementalDecoder.decode.__code__:  # of ``open`` as well
        return bool(caller.f_locals["final"])
    return caller is None or caller.f_code is not codecs.StreamReader.read.__code__


def _handle(policy: str, error: UnicodeError) -> tuple[str, int]:
    """Return the text for the stretch in which *error* is, and where decoding goes on."""
    if not isinstance(error, UnicodeDecodeError) or error.encoding != "utf-8":
        raise error
    chain = chain_of(policy)
    data, at = error.object, error.start
    end = stretch_end(data, at, len(data), MAX_STRETCH + LOOKAHEAD)
    if at < (begun := len(data) - unfinished(data)) < end and not (chain.joins and _has_all()):
        end = begun
    parts = []
    while at < end and at - error.start < MAX_STRETCH:
        length, new, _ = chain.take(data[at : min(at + LOOKAHEAD, end)])
        parts.append(new)
        at += length
    return b"".join(parts).decode(), at
