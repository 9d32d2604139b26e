"""Encoding and decoding after RFC 3629 section 3: text, character numbers or UTF-16 in, UTF-8 out; and back.

Fast: ``encode``, ``decode``, ``code_points``, ``encode_utf16``, ``replace``. To be read: ``by_the_book``. To be shown:
``encode_steps``, ``decode_steps``, ``compare``. By name only, for they are not UTF-8: ``cesu8``, ``mutf8``.
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
