"""What goes wrong with a decoder, in words: a row in, its severity and a sentence for each kind of deviation out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.formats.phrases import hexed
from utf8_abnf.conformance.harness.replacing import RULES
from utf8_abnf.conformance.harness.report import EXTRA, MISSING, REPLACEMENT
from utf8_abnf.conformance.harness.standard import first_piece, promised
from utf8_abnf.conformance.harness.verdicts.meaning import SWALLOWED
from utf8_abnf.conformance.matrix.deviations import words_of
from utf8_abnf.conformance.naming.places import AT_THE_END
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, OVERLONG, SURROGATE, TOO_LARGE, TRUNCATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.matrix.row import CheckedDeviation, Row

SECURITY, LOSS, STRICT, BY_DESIGN = "security", "loss of data", "too strict", "by design"
SEVERITIES = {
    SECURITY: "a check of the bytes before it can be passed, a character can be swallowed, or an input ends it",
    LOSS: "damaged or foreign data pass as text, so that nobody hears of it, or the next program rejects them",
    STRICT: "it rejects text that is well-formed",
    BY_DESIGN: "its documentation says that it accepts something else than UTF-8, or leaves the check to its caller",
}

NO_LEAD, DAMAGED = "a byte that no character begins with", "a cut sequence without an ASCII byte behind it"
QUOTATION_MARK, LEAD = b'"', b"\xc2"  # RFC 3629 section 4: UTF8-2 = %xC2-DF UTF8-tail
# What an accepted input of each kind of error means.
ACCEPTED = {
    NO_LEAD: (LOSS, "no character begins with it: text in another encoding, or damaged text, passes unnoticed"),
    DAMAGED: (LOSS, "a cut sequence and what stands behind it: damaged text passes unnoticed"),
    OVERLONG: (SECURITY, "a longer form than its character needs: a check of the bytes before it does not see it"),
    MISSING_TAIL: (SECURITY, "a cut sequence: {0} behind it may be swallowed"),
    LONE_TAIL: (LOSS, "a tail byte without a character: text in another encoding, or damaged text, passes unnoticed"),
    SURROGATE: (LOSS, "a surrogate of UTF-16: the next program may reject the text or change it"),
    TOO_LARGE: (LOSS, "above U+10FFFF: the next program may reject the text, change it or fail"),
    TRUNCATED: (LOSS, "cut by the end: a message that did not arrive whole passes for whole"),
}
# Overlong forms that a reader knows, and what they stand for.
NAMED = (
    (b"\xc0\xaf", "a longer form of '/': a check of a path before it can be passed with {0}"),
    (b"\xe0\x80\xaf", "a longer form of '/': a check of a path before it can be passed with {0}"),
    (b"\xf0\x80\x80\xaf", "a longer form of '/': a check of a path before it can be passed with {0}"),
    (b"\xc0\x80", "a longer form of NUL: a check for NUL before it can be passed with {0}"),
)
REFUSED = "{0} is rejected, which is well-formed: text that contains it is refused, lost or read as other text."
LEFT_OUT = "{0} is accepted, and its ill-formed bytes are left out: a check of the text before it sees another text."
BORROWED = "{0} is accepted, cut by the end, with {1} behind it: what is not its own completes the character."
LIMITS = ("only in input of", "only behind")  # of a class of wrong verdicts
OTHERS = {
    "unsteady": "{0} is answered in one way at one time and in another way at another time",
    "streaming": "{0} is answered in another way when it arrives in pieces",
}


def consequences(
    row: Row, overlong: bytes = b"", *, left_out: bool = False, behind: str = ""
) -> tuple[str, tuple[str, ...]]:
    """Return the severity of what *row* shows, "" if it shows nothing wrong, and a sentence for each kind of it.

    The most severe comes first. Deviations on which the second way disagrees do not count. *overlong* is a form of
    ``NAMED`` that becomes its character although the classes show only that its bytes are accepted; it counts where
    they show that its first byte is. *left_out*: what is accepted does not come out;
    *behind*: a cut character is accepted where that stands behind the end that the decoder was told.
    """
    said: dict[tuple[str, str], str] = {}
    accepted = words_of(tuple(each.line for each in row.facts if each.kind == EXTRA))
    if overlong and accepted and accepted.accepts(overlong[:1]):
        said[SECURITY, OVERLONG] = _told(overlong, dict(NAMED)[overlong])
    for trouble in row.troubles:
        sentence = f"{trouble.shown} gets no answer from it ({trouble.kind})."
        said.setdefault((SECURITY, trouble.kind), sentence)
    for each in sorted(row.facts, key=_order):
        for kind, severity, sentence in (_of(each, left_out=left_out, behind=behind), *_swallowed(each)):
            if sentence:
                said.setdefault((severity, kind), sentence)
    order, rules = list(SEVERITIES), ["", *RULES]
    found = sorted(said, key=lambda key: (order.index(key[0]), rules.index(key[1]) if key[1] in rules else 0))
    return (found[0][0] if found else "", tuple(_limited(said[key], row) for key in found))


def _limited(sentence: str, row: Row) -> str:
    """Return *sentence* with the lengths or places to which everything that *row* wrongly accepts is limited."""
    places = {each.place for each in row.facts if each.kind == EXTRA}
    where = places.pop() if len(places) == 1 else ""
    return f"{sentence} It does so {where}." if where.startswith(LIMITS) and " is accepted, " in sentence else sentence


def _of(each: CheckedDeviation, *, left_out: bool, behind: str) -> tuple[str, str, str]:
    """Return the kind of error, its severity and the sentence."""
    word = _telling(each)
    shown = hexed(word)
    if each.kind == MISSING:
        return MISSING, STRICT, REFUSED.format(shown)
    if each.kind == REPLACEMENT:
        rule = next(rule for rule in RULES if each.why.startswith(rule))
        return rule, LOSS, f"{shown}: {each.why}."
    if each.kind != EXTRA:
        return each.kind, LOSS, f"{OTHERS[each.kind].format(shown)}." if each.kind in OTHERS else ""
    kind = _kind(word)
    if not kind:
        return "", LOSS, ""
    if left_out:
        return kind, SECURITY, LEFT_OUT.format(shown)
    if behind and kind == TRUNCATED:
        return kind, LOSS, BORROWED.format(shown, behind)
    if named := _named(each):
        return OVERLONG, SECURITY, _told(*named)
    severity, why = ACCEPTED[kind]
    why = why.format("the quotation mark" if QUOTATION_MARK in word else "the byte")
    return kind, severity, f"{shown} is accepted, {why}."


def _swallowed(each: CheckedDeviation) -> Iterator[tuple[str, str, str]]:
    """Yield the same for a quotation mark that is swallowed, where the class *each* has such words anywhere."""
    words = words_of((each.line,)) if each.kind == EXTRA else None
    for word in SWALLOWED:
        if words is not None and words.accepts(word):
            severity, why = ACCEPTED[MISSING_TAIL]
            yield MISSING_TAIL, severity, _told(word, why.replace("{0}", "the quotation mark"))
            break


def _told(word: bytes, why: str) -> str:
    return f"{hexed(word)} is accepted, {why.format(hexed(word))}."


def _kind(example: bytes) -> str:
    """Return the key of ``ACCEPTED`` for the first error in *example*, "" where there is none.

    A longer form, a surrogate or a value above U+10FFFF is accepted only where all bytes are there that its first byte
    promises by an older definition. Where some are missing, and no ASCII byte follows, that definition says nothing.

    >>> [_kind(bytes.fromhex(each)) for each in ("E0 80 80", "E0 80", "E0 80 22")]
    ['UTF8-OVERLONG', 'UTF8-TRUNCATED', 'UTF8-MISSING-TAIL']
    >>> {_kind(bytes.fromhex(each)) for each in ("F8", "F8 80", "F8 80 C0")} == {NO_LEAD}
    True
    """
    error = first_error(example)
    if error is None:
        return ""
    piece = first_piece(example, error.start)
    if len(piece) == promised(piece[0]):
        return error.code
    behind = example[error.start + len(piece) :]
    if behind[:1] and behind[:1].isascii():
        return MISSING_TAIL
    if (cut := first_error(piece[:1])) and not cut.truncated:
        return NO_LEAD
    return DAMAGED if behind else TRUNCATED


def _telling(each: CheckedDeviation) -> bytes:
    """Return a word of the class *each* that shows more than its example, or that example.

    It has a quotation mark behind a cut sequence; or it is a cut character, where the class is one of cut ends.
    """
    data, kind = each.example, _kind(each.example)
    error, words = first_error(data), words_of((each.line,))
    if kind == MISSING_TAIL and error:
        at, byte = error.start + len(first_piece(data, error.start)), QUOTATION_MARK
    elif kind == NO_LEAD and error and AT_THE_END in each.place:
        at, byte = error.start, LEAD
    else:
        return data
    word = data[:at] + byte + data[at + 1 :]
    return word if words is not None and words.accepts(word[error.start :]) else data


def _named(each: CheckedDeviation) -> tuple[bytes, str] | None:
    """Return the first of ``NAMED`` that the class *each* has, with what it stands for; None if it has none."""
    words = words_of((each.line,)) if each.kind == EXTRA else None
    return next((named for named in NAMED if words is not None and words.accepts(named[0])), None)


def _order(each: CheckedDeviation) -> tuple[int, bool]:
    """Return its place in ``NAMED``, and whether it swallows no quotation mark: the least shows most.

    fflate, for one, makes '/' of C0 AF, and something else of F0 80 80 AF.
    """
    named = _named(each)
    return NAMED.index(named) if named else len(NAMED), QUOTATION_MARK not in _telling(each)
