"""Explains bytes for people: takes ``Piece`` objects and yields lines of text."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.explain.diagnostic import headline, reason, rule_line
from utf8_abnf.explain.steps import LAST
from utf8_abnf.language import codes, explanations
from utf8_abnf.language.catalogue import columns, padded, say
from utf8_abnf.language.notation import code_point, hex_bytes
from utf8_abnf.validator.ill_formed import LONE_TAIL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.explain.steps import ByteStep, Piece


class Explained(NamedTuple):
    """The *pieces* of *data*, which stands at offset *origin* of an input of *total* bytes."""

    pieces: list[Piece]
    data: bytes
    origin: int
    total: int

    def lines(self) -> Iterator[str]:
        """Yield the explanation for people, line by line."""
        if not self.total:
            yield say(explanations.NOTHING)
            return
        if len(self.data) < self.total:
            yield say(explanations.ELIDED, count=len(self.data), total=self.total, start=self.origin) + "\n"
        yield _row(*map(say, explanations.COLUMNS))
        for piece in self.pieces:
            for step in piece.steps:
                yield _row(f"{step.offset}", f"{step.byte:02X}", f"{step.byte:08b}", step.state, _expects(step, piece))
            if piece.error and piece.error.truncated:
                yield _row(f"{piece.end}", "--", "", "", f"{piece.error.expected}   <- {say(explanations.END)}")
            for label, text in _facts(piece, self.data[piece.start - self.origin :]):
                yield f"        {padded(label, 6)} {text}".rstrip() if label else f"        {text}"
            yield ""
        if any(piece.error for piece in self.pieces):
            yield say(explanations.REPLACED, text=repr(self.data.decode("utf-8", "replace")))
        else:
            yield say(explanations.WELL_FORMED)


def _row(offset: str, byte: str, bits: str, state: str, expects: str) -> str:
    before = " " * (6 - columns(offset))
    return f"{before}{offset}  {padded(byte, 4)}  {padded(bits, 8)}  {padded(state, 8)}  {expects}".rstrip()


def _expects(step: ByteStep, piece: Piece) -> str:
    if not step.fits:
        return f"{step.expected}   <- {say(explanations.WRONG)}"
    if step.offset == piece.start:
        rule = rule_line(_rule_of(step.byte), step.byte)
        return f"{step.expected}   -> {rule.text}"
    return step.expected


def _rule_of(first: int) -> str:
    """Return the rule whose characters begin with the byte *first*."""
    length = max(1, 8 - (first ^ 0xFF).bit_length())  # leading one bits; none in UTF8-1
    return f"UTF8-{length}"


def _facts(piece: Piece, sequence: bytes) -> list[tuple[str, str]]:
    """Return the explanation of a piece that begins *sequence*, as (label, text) for each line."""
    error = piece.error
    if error is None:
        return [("", _named(ord(sequence[: piece.end - piece.start].decode())))]
    rule = rule_line(error.rule, sequence[0])
    facts = [
        (error.code, f"{headline(error, sequence)}"),
        (say(explanations.RULE), f"{rule.text}      {say(codes.SECTION_4)}, {rule.file}:{rule.line}"),
        (say(explanations.WHY), f"{reason(error, sequence[0])} ({say(codes.SECTION[error.code])})"),
    ]
    if piece.follows and error.code == LONE_TAIL:
        return [facts[0], (say(explanations.FIX), say(explanations.REST_OF_THE_LAST))]
    facts += [(say(explanations.NAIVE_LABEL), text) for text in naive_texts(piece)]
    risk = (say(explanations.RISK_LABEL), say(codes.RISK[error.code]))
    return [*facts, risk, (say(explanations.FIX), say(codes.ADVICE[error.code]))]


def naive_texts(piece: Piece) -> list[str]:
    """Return what careless decoders would have made of *piece*, one sentence for each decoder."""
    readings = []
    if piece.naive is not None:
        template = explanations.NAIVE
        if piece.naive.is_surrogate:
            template = explanations.NAIVE_SURROGATE
        elif piece.naive.number > LAST:
            template = explanations.NAIVE_TOO_LARGE
        readings.append((template, piece.naive))
    if piece.joined is not None:
        readings.append((explanations.NAIVE_JOINED, piece.joined))
    return [say(template, bytes=hex_bytes(each.data), point=_named(each.number)) for template, each in readings]


def _named(number: int) -> str:
    """Return a code point, its name and its character, if any: ``U+00E9 LATIN SMALL LETTER E WITH ACUTE é``."""
    point = code_point(number)
    if number > LAST or 0xD800 <= number <= 0xDFFF:
        return point
    character = chr(number)
    name = unicodedata.name(character, "")
    return " ".join(part for part in (point, name, character if character.isprintable() else "") if part)
