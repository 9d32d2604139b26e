"""Ways to judge that the adapters of packages of PyPI share."""

from __future__ import annotations

import re

ESCAPES = {byte: b"\\u%04x" % byte for byte in (*range(0x20), ord('"'), ord("\\"))}
FORBIDDEN = re.compile(b'[\0-\x1f"\\\\]')
# A decoder that takes anything for a tail would swallow the backslash, and not see the byte that was asked.
SWALLOWED = re.compile(b'[\x80-\xff][\0-\x1f"\\\\]')
SWALLOWED_BY_FOUR = re.compile(b'[\x80-\xff][\0-\xff]{0,2}[\0-\x1f"\\\\]')  # or up to three bytes, whatever they are


class Decoder:
    """A function that takes well-formed data and raises one of *errors* for other."""

    def __init__(self, call, *errors):
        self.call, self.errors = call, errors or (ValueError,)

    def accepts(self, data):
        """Tell whether the call returns; None where it says so."""
        try:
            return self.call(data) is not None
        except self.errors:
            return False


def unless(forbidden, decoder):
    """Return *decoder* made to answer None for data in which *forbidden* is found."""
    accepts = decoder.accepts
    decoder.accepts = lambda data: None if forbidden.search(data) else accepts(data)
    return decoder


def json_text(data):
    """Return *data* as a JSON string; what JSON forbids in one is escaped, and nothing from 80 on is."""
    return b'"%b"' % FORBIDDEN.sub(lambda match: ESCAPES[match[0][0]], data)


def varint(number):
    """Return *number* as protobuf writes it."""
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])
