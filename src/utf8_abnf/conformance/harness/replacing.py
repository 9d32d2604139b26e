"""Replacing: the policies by which decoders replace ill-formed bytes, and what holds under every one of them.

Data is cut into well-formed text and stretches of ill-formed bytes by regular expressions made from the automaton's
tracks. Texts are bytes here: what a decoder wrote need not be well-formed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.validator.functions import is_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

BOM = b"\xef\xbb\xbf"
FFFD = b"\xef\xbf\xbd"
BETWEEN = b"\n\x00 between two inputs \x00\n"  # which is in none of them
TAIL = rb"[\x80-\xbf]"  # UTF8-tail = %x80-BF


def _range(low: int, high: int) -> bytes:
    return b"[\\x%02x-\\x%02x]" % (low, high)


@cache
def _patterns() -> tuple[bytes, bytes]:
    """Return the regular expressions of a character and of a maximal subpart, or of a byte that begins nothing."""
    tracks = [[_range(low, high) for low, high in track] for track in plan().tracks]
    characters = b"|".join(b"".join(track) for track in tracks)
    prefixes = {b"".join(track[:size]) for track in tracks for size in range(1, len(track))}
    return b"(?:%s)" % characters, b"|".join([*sorted(prefixes, key=lambda each: -each.count(b"[")), b"."])


#   one mark for each           what follows a well-formed character otherwise; "" stands for a maximal subpart
UNITS = {
    "maximal subpart (Unicode 3.9, WHATWG)": b"",
    "byte": b".",
    "whole run of ill-formed bytes": b"(?:(?!CHARACTER).)+",
    "sequence that its first byte promises": b"[\\xc0-\\xdf]T{0,1}|[\\xe0-\\xef]T{0,2}|[\\xf0-\\xf7]T{0,3}"
    b"|[\\xf8-\\xfb]T{0,4}|[\\xfc-\\xfd]T{0,5}|\\xfeT{0,6}|\\xffT{0,12}|.",
    "sequence that its first byte promises (RFC 2279)": b"[\\xc0-\\xdf]T{0,1}|[\\xe0-\\xef]T{0,2}|[\\xf0-\\xf7]T{0,3}"
    b"|[\\xf8-\\xfb]T{0,4}|[\\xfc-\\xfd]T{0,5}|.",
    "sequence that its first byte promises, up to F4": b"[\\xc2-\\xdf]T{0,1}|[\\xe0-\\xef]T{0,2}|[\\xf0-\\xf4]T{0,3}|.",
    "maximal subpart, but one for a whole surrogate": b"\\xed[\\xa0-\\xbf]T{0,1}|",
    "byte and all tail bytes behind it": b".T{0,}",
}
UNICODE_PRACTICE = next(iter(UNITS))


@cache
def _pieces(unit: str, *, ends: bool = False) -> re.Pattern[bytes]:
    """Return the expression that finds well-formed text, as group 1, or one unit of ill-formed bytes.

    If it *ends* there, it finds well-formed text and the unit that ends it, together.
    """
    character, subpart = _patterns()
    bad = UNITS[unit].replace(b"CHARACTER", character).replace(b"T{", TAIL + b"{")
    if not bad or bad.endswith(b"|"):
        bad += subpart
    return re.compile((b"(%s*+)(?:%s)" if ends else b"(%s++)|(?:%s)") % (character, bad), re.DOTALL)


def end_of_run(data: bytes, start: int) -> int:
    r"""Return where the ill-formed bytes of *data* that begin at *start* end: at the next character, or with *data*.

    >>> end_of_run(b"a\xff\xe2\x82b", 1)
    4
    """
    found = _pieces("whole run of ill-formed bytes").match(data, start)
    return found.end() if found and found[1] is None else start


# -- policies ---------------------------------------------------------------------------------------------------------


BY_BYTE = {  # the encoding and the handler of its errors, by which a byte that is not ASCII is read
    "each byte as Latin-1": ("latin-1", "strict"),
    "each byte as windows-1252": ("cp1252", "replace"),
    "each byte as \\xNN": ("ascii", "backslashreplace"),
    "each byte as a lone surrogate, U+DC80..U+DCFF (surrogateescape)": ("ascii", "surrogateescape"),
}
MAX_RUNS = 64  # runs of ill-formed bytes in whose ends a swallowed byte is looked for
REJECTS = "rejects, does not replace"


def common_size(one: bytes, other: bytes) -> int:
    """Return how many bytes at their start *one* and *other* have in common.

    >>> common_size(b"abc", b"abx"), common_size(b"ab", b"abc")
    (2, 2)
    """
    low, high = 0, min(len(one), len(other)) + 1
    while high - low > 1:  # slices are compared at the speed of memory
        middle = (low + high) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy: what stands for each *unit* of ill-formed bytes: always the same *mark*, or what *replace* returns.

    *replace* is None where such data is refused. *strips_bom*: a BOM at the start of the data is left out.
    """

    name: str
    unit: str
    replace: Callable[[bytes], bytes] | None
    mark: bytes = b""
    strips_bom: bool = False

    @property
    def is_of_suite(self) -> bool:
        """Whether the suite's own answers follow it: U+FFFD for each maximal subpart."""
        return self.name == f"U+FFFD for each {UNICODE_PRACTICE}" and not self.strips_bom

    def text(self, data: bytes) -> bytes | None:
        """Return what a decoder with this policy makes of *data*; None where it refuses it."""
        replace = self.replace
        if self.is_of_suite:
            return plan().oracle.replaced(data)
        if replace is None:
            text = data if is_valid(data) else None
        else:
            text = _pieces(self.unit).sub(lambda found: found[1] or replace(found[0]), data)
        return text[len(BOM) :] if self.strips_bom and text is not None and data.startswith(BOM) else text

    def swallows(self, data: bytes, text: bytes) -> bool:
        r"""Tell whether *text* is what becomes of *data* but for an ASCII byte directly behind an ill-formed one.

        >>> policies()[0].swallows(b"a\xc3<b", "a\ufffdb".encode())
        True
        """
        pieces = _pieces("whole run of ill-formed bytes").finditer(data)
        ends = [
            found.end() for found in islice(pieces, MAX_RUNS) if found[1] is None and data[found.end() :][:1].isascii()
        ]
        all_but = [byte for at, byte in enumerate(data) if at not in ends]
        ways = [bytes(all_but), *(data[:end] + data[end + 1 :] for end in ends)]
        return any(end < len(data) for end in ends) and text in map(self.text, ways)

    def are_texts(self, texts: Iterable[bytes], inputs: Iterable[bytes]) -> bool:
        """Tell whether *texts* are what becomes of *inputs*; False where this has to be looked at one by one.

        All are compared in one go, five times as fast, where a constant mark makes that possible.
        """
        if not self.mark or self.strips_bom:
            return False
        joined = BETWEEN.join([*inputs, b"\xff"])  # ends with a unit, so that no search runs to the end in vain
        marked = _pieces(self.unit, ends=True).sub(rb"\g<1>" + self.mark.replace(b"\\", rb"\\"), joined)
        return marked == BETWEEN.join([*texts, self.mark])

    @property
    def note(self) -> str:
        """The policy in words."""
        return f"{self.name}; a BOM at the start is removed" if self.strips_bom else self.name


def policies(mark: bytes = FFFD, *, strips_bom: bool = False) -> list[Policy]:
    """Return the policies that we know, with *mark* for what is replaced by always the same text."""
    shown = "U+FFFD" if mark == FFFD else repr(mark.decode("utf-8", "replace"))
    by_mark = [Policy(_name(shown, unit), unit, lambda _: mark, mark, strips_bom) for unit in UNITS]
    by_byte = [Policy(name, "byte", _read_as(*codec), b"", strips_bom) for name, codec in BY_BYTE.items()]
    return [*by_mark, *by_byte, Policy(REJECTS, "byte", None, b"", strips_bom)]


def _read_as(encoding: str, errors: str) -> Callable[[bytes], bytes]:
    return lambda byte: byte.decode(encoding, errors).encode("utf-8", "surrogatepass")


def _name(mark: str, unit: str) -> str:
    if unit.startswith("whole run"):
        return f"one {mark} for a {unit}"
    return f"{'' if unit.startswith('maximal') else 'one '}{mark} for each {unit}"


Texts = list[tuple[bytes, bytes | None]]  # data, and what the decoder made of it


def mark_of(texts: Texts) -> bytes:
    """Return what most often stands for one ill-formed byte; b"" where nothing does.

    Some decoders have a way of their own at the end: where what they write for a byte that is alone is nothing, or is
    several times what they write for it before ASCII, it is the latter.
    """
    errors = [(data, text) for data, text in texts if text and data[:1] > b"\x7f" and data[1:].isascii()]
    at_end = _most_common(text for data, text in errors if len(data) == 1)
    before = _most_common(text.removesuffix(data[1:]) for data, text in errors if len(data) == 2)
    return before if before and not at_end.replace(before, b"") else at_end


def _most_common(texts: Iterable[bytes]) -> bytes:
    """Return the text that more than half of *texts* are, and two at least; b"" if there is none."""
    found = Counter(texts)
    (text, times), *_ = found.most_common(1) or [(b"", 0)]
    return text if times * 2 > max(found.total(), 2) else b""


def is_marked(data: bytes, text: bytes | None, mark: bytes) -> bool:
    r"""Tell whether *text* is what is well-formed in *data*, with *mark* any number of times; None was refused.

    >>> is_marked(b"a\xffb", b"a??b", b"?"), is_marked(b"a\xffb", b"a!b", b"?")
    (True, False)
    """
    kept = b"".join(piece[1] or b"" for piece in _pieces("byte").finditer(data)).replace(mark, b"")
    return text is None or (mark != b"" and text.replace(mark, b"") in (kept, kept.removeprefix(BOM)))


def policy_of(texts: Texts) -> tuple[Policy, int, int]:
    """Return the policy that *texts* follow best, how many ill-formed texts follow it, and how many there are.

    Some decoders have a way of their own at the
    end: a policy that all follow that end with ASCII is the best, and else the share of those counts three times.
    """
    with_bom = [(data, text) for data, text in texts if data.startswith(BOM) and is_valid(data)]
    strips_bom = sum(text == data[len(BOM) :] for data, text in with_bom) * 2 > len(with_bom)
    errors = [(data, text) for data, text in texts if not is_valid(data)]
    samples = [[(data, text) for data, text in errors if data[-1] < 0x80] or errors, errors]
    known = policies(mark_of(texts) or FFFD, strips_bom=strips_bom)
    for policy in known:
        if all(policy.text(data) == text for data, text in errors):  # what most decoders do is the first
            return policy, len(errors), len(errors)
    fits = [[sum(policy.text(data) == text for data, text in some) for some in samples] for policy in known]
    sizes = [max(1, len(some)) for some in samples]
    shares = [(inside / sizes[0], every / sizes[1]) for inside, every in fits]
    best = max(
        range(len(known)), key=lambda number: (shares[number][0] == 1, 3 * shares[number][0] + shares[number][1])
    )
    kind = max(range(2), key=lambda number: shares[best][number])
    return known[best], fits[best][kind], len(samples[kind])


# -- what holds under every policy ------------------------------------------------------------------------------------

LOST = "well-formed text does not come out unchanged"
CHANGED = "the well-formed text around what is ill-formed does not come out unchanged"
NO_MARK = "a stretch of ill-formed bytes leaves no mark, and the input is not refused"
NOT_WELL_FORMED = "the output is not well-formed"
OTHER_MARK = "a stretch of ill-formed bytes is not replaced by one or more of the usual mark, at most one for a byte"
RULES = (LOST, CHANGED, NO_MARK, NOT_WELL_FORMED, OTHER_MARK)


def broken(data: bytes, text: bytes | None, *, mark: bytes = b"", strips_bom: bool = False) -> str:
    r"""Return which rule that holds under every policy is broken where *data* becomes *text* (None: refused), or "".

    Well-formed text before and after a fault comes out unchanged, each stretch of ill-formed bytes leaves a *mark*
    (b"": any text) or the data is refused, and the output is well-formed.

    >>> broken(b"a\xc3<b", b"a?<b"), broken(b"a\xc3<b", b"a?b") == CHANGED
    ('', True)
    """
    pieces = [(found[0], found[1] is not None) for found in _pieces("whole run of ill-formed bytes").finditer(data)]
    if all(good for _, good in pieces):
        expected = data[len(BOM) :] if strips_bom and data.startswith(BOM) else data
        return "" if text == expected else LOST
    if text is None:
        return ""
    if not is_valid(text):
        return NOT_WELL_FORMED
    if strips_bom and data.startswith(BOM):
        pieces[0] = (pieces[0][0][len(BOM) :], True)
    if not _fits(pieces, text, b""):
        kept = b"".join(piece for piece, good in pieces if good)
        return NO_MARK if text == kept else CHANGED
    return "" if not mark or _fits(pieces, text, mark) else OTHER_MARK


def _fits(pieces: Sequence[tuple[bytes, bool]], text: bytes, mark: bytes) -> bool:
    """Tell whether *text* is the good pieces with something between them: any text, or *mark* a number of times."""
    ends: set[int] = {0}  # where in the text the pieces so far can end
    for number, (piece, good) in enumerate(pieces):
        if good:
            ends = {end + len(piece) for end in ends if text.startswith(piece, end)}
        elif mark:
            ends = set(_after_marks(ends, text, mark, len(piece)))
        elif number + 1 == len(pieces):
            return any(end < len(text) for end in ends)
        else:
            ends = set(_after_gap(min(ends, default=len(text)), text, pieces[number + 1][0], number + 2 == len(pieces)))
        if not ends:
            return False
    return len(text) in ends


def _after_marks(ends: Iterable[int], text: bytes, mark: bytes, most: int) -> Iterable[int]:
    for end in ends:
        for _ in range(most):
            if not text.startswith(mark, end):
                break
            end += len(mark)
            yield end


def _after_gap(end: int, text: bytes, following: bytes, is_last: bool) -> list[int]:
    """Return where *following* can begin, after at least one byte from *end* on: at the first place, or at the last."""
    at = len(text) - len(following) if is_last else text.find(following, end + 1)
    return [at] if at > end and text.startswith(following, at) else []
