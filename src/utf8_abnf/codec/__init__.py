"""Encode text, character numbers or UTF-16 in UTF-8, and decode UTF-8, as RFC 3629 section 3 describes it.

``bulk`` works at CPython's speed: ``encode``, ``decode``.
``replacement`` decodes with U+FFFD in place of ill-formed bytes, by one of four policies: ``replace``.
``by_the_book`` is section 3 written out sentence by sentence, slow and easy to read.
``steps`` shows how a character is encoded or decoded, step by step: ``encode_steps``, ``decode_steps``.
``utf16`` joins surrogate pairs (RFC 2781): ``decode_utf16``.
``errors`` gives the reasons why something has no encoding.
"""

from utf8_abnf.codec import by_the_book
from utf8_abnf.codec.bulk import decode, encode
from utf8_abnf.codec.errors import EncodeError, Utf16Error
from utf8_abnf.codec.replacement import POLICIES, Policy, replace
from utf8_abnf.codec.steps import Move, Trace, decode_each, decode_steps, encode_steps
from utf8_abnf.codec.utf16 import decode_utf16
from utf8_abnf.validator.ill_formed import IllFormed, InvalidUtf8

__all__ = [
    "POLICIES",
    "EncodeError",
    "IllFormed",
    "InvalidUtf8",
    "Move",
    "Policy",
    "Trace",
    "Utf16Error",
    "by_the_book",
    "decode",
    "decode_each",
    "decode_steps",
    "decode_utf16",
    "encode",
    "encode_steps",
    "replace",
]
