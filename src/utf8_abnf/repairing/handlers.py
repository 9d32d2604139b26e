"""Error handlers for Python's own UTF-8 decoder: ``data.decode("utf-8", "utf8-abnf-windows-1252")``, and in ``open``.

A handler's name is ``PREFIX`` and a policy. ``register_all`` runs when ``utf8_abnf.repairing`` is imported.
"""

from __future__ import annotations

import codecs
from encodings.aliases import aliases
from functools import partial

from utf8_abnf.codec import POLICIES
from utf8_abnf.repairing.stretches import stretch_end
from utf8_abnf.repairing.treatments import ANGLE, CESU8, DROP, ESCAPE, FFFD, LOOKAHEAD, OVERLONG, chain_of

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


def _handle(policy: str, error: UnicodeError) -> tuple[str, int]:
    """Return the text for the stretch in which *error* is, and where decoding goes on."""
    if not isinstance(error, UnicodeDecodeError) or error.encoding != "utf-8":
        raise error
    chain = chain_of(policy)
    data, at = error.object, error.start
    end = stretch_end(data, at, len(data), MAX_STRETCH + LOOKAHEAD)
    parts = []
    while at < end and at - error.start < MAX_STRETCH:
        length, new, _ = chain.take(data[at : min(at + LOOKAHEAD, end)])
        parts.append(new)
        at += length
    return b"".join(parts).decode(), at
