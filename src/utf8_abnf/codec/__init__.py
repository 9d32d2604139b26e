"""Encode text, character numbers or UTF-16 in UTF-8, and decode UTF-8, as RFC 3629 section 3 describes it.

``bulk`` works at CPython's speed: ``encode``, ``decode``, ``code_points``, ``encode_utf16``.
``replacement`` decodes with U+FFFD in place of ill-formed bytes, by one of four policies: ``replace``.
``utf16`` joins surrogate pairs (RFC 2781): ``decode_utf16``.
``by_the_book`` is section 3 written out sentence by sentence, slow and easy to read.
``steps`` shows how a character is encoded or decoded, step by step: ``encode_steps``, ``decode_steps``.
``cesu8`` and ``mutf8`` are not UTF-8 and are used only by name. ``comparison`` puts them beside UTF-8: ``compare``.
``python_codecs`` has the incremental and stream forms, and ``register``. ``errors`` says why something has no encoding.
"""

from utf8_abnf.codec import by_the_book, cesu8, mutf8
from utf8_abnf.codec.bulk import code_points, decode, encode, encode_utf16
from utf8_abnf.codec.comparison import Coded, ComparedCharacter, Comparison, compare
from utf8_abnf.codec.errors import EncodeError, Utf16Error
from utf8_abnf.codec.python_codecs import IncrementalDecoder, IncrementalEncoder, StreamReader, StreamWriter, register
from utf8_abnf.codec.replacement import POLICIES, Policy, replace
from utf8_abnf.codec.steps import Move, Step, Trace, decode_each, decode_steps, encode_steps
from utf8_abnf.codec.utf16 import decode_utf16, decode_utf16_chunks
from utf8_abnf.validator.ill_formed import IllFormed, InvalidUtf8

__all__ = [
    "POLICIES",
    "Coded",
    "ComparedCharacter",
    "Comparison",
    "EncodeError",
    "IllFormed",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "InvalidUtf8",
    "Move",
    "Policy",
    "Step",
    "StreamReader",
    "StreamWriter",
    "Trace",
    "Utf16Error",
    "by_the_book",
    "cesu8",
    "code_points",
    "compare",
    "decode",
    "decode_each",
    "decode_steps",
    "decode_utf16",
    "decode_utf16_chunks",
    "encode",
    "encode_steps",
    "encode_utf16",
    "mutf8",
    "register",
    "replace",
]
