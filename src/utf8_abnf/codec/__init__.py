"""Encode text or character numbers in UTF-8, and decode UTF-8, as RFC 3629 section 3 describes it.

``bulk`` works at CPython's speed: ``encode``, ``decode``.
``replacement`` decodes with U+FFFD in place of ill-formed bytes, by one of four policies: ``replace``.
``by_the_book`` is section 3 written out sentence by sentence, slow and easy to read.
``steps`` shows how a character is encoded or decoded, step by step: ``encode_steps``, ``decode_steps``.
``errors`` says why something has no encoding.
"""

from utf8_abnf.codec import by_the_book
from utf8_abnf.codec.bulk import decode, encode
from utf8_abnf.codec.errors import EncodeError
from utf8_abnf.codec.replacement import POLICIES, Policy, replace
from utf8_abnf.codec.steps import Move, Trace, decode_each, decode_steps, encode_steps
from utf8_abnf.validator.ill_formed import IllFormed, InvalidUtf8

__all__ = [
    "POLICIES",
    "EncodeError",
    "IllFormed",
    "InvalidUtf8",
    "Move",
    "Policy",
    "Trace",
    "by_the_book",
    "decode",
    "decode_each",
    "decode_steps",
    "encode",
    "encode_steps",
    "replace",
]
