"""Left out: the well-formed text that a decoder leaves out, found from its wrong texts.

A decoder that removes soft hyphens before it decodes joins the bytes on both sides: ``E2 C2 AD 82 AC`` becomes one
character. So its texts are wrong about errors of all kinds, and have one cause: they are those of other input.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.stripped import Stripped
from utf8_abnf.conformance.harness.replacing import is_well_formed, well_formed_parts
from utf8_abnf.conformance.harness.verdicts.cutting import characters

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from utf8_abnf.conformance.harness.replacing import Policy

MAX_TEXTS = 40  # a decoder that leaves out more has another reason than these texts
MIN_EXPLAINED = 2  # wrong texts: one alone may lack it by chance
MAX_SIZE = 32  # bytes of an input in which further texts are looked for
MAX_TRIES = 200  # such inputs, of those that are well-formed and of the others
MAX_ANY = 3  # times that a text is in an input, if any of them may stay; of more the first or the last may


class LeftOut:
    """The texts that a decoder with this *policy* leaves out: each was found in an input with nothing else wrong in it.

    How many wrong texts a text explains is counted; how many it does not explain, though it was in the input, is taken
    from that.
    """

    def __init__(self, policy: Policy) -> None:
        self._mark = policy.mark
        self._policies = {replace(policy, strips_bom=strips_bom) for strips_bom in (False, policy.strips_bom)}
        self._known: Counter[bytes] = Counter()
        self._tries: Counter[bool] = Counter()
        self._policy = policy
        self.stripped = Stripped(policy)

    def learn(self, texts: Collection[tuple[bytes, bytes | None]]) -> None:
        """Look for texts in the wrong ones of *texts*, data and what became of it, so that they are known sooner."""
        self.stripped.learn(texts)
        for data, text in texts:
            if self._policy.text(data) != text:
                self.of(data, text)
        self._known = Counter({known: 0 for known in self._known if self._is_rule(known)})
        self._tries.clear()

    def of(self, data: bytes, text: bytes | None) -> bytes:
        """Return what was left out of *data*, which gave the wrong *text*; b"" if nothing, or something else, was."""
        if found := self.stripped.of(data, text):
            return found
        here = [known for known in self._known if known in data]
        if reason := self._reason(data, text, here):
            self._known.update(reason)
            return min(reason, key=data.index)
        self._known.subtract(here)
        if found := self._new(data, text):
            self._known[found] += 1
        return found

    def is_left_out(self, text: bytes) -> bool:
        """Tell whether *text* is left out as a rule, and few texts are, or is taken off an end of the text."""
        return text in self.stripped or self._is_rule(text)

    def _is_rule(self, text: bytes) -> bool:
        return self._known[text] >= MIN_EXPLAINED and len(self._known) <= MAX_TEXTS

    def explains(self, data: bytes, text: bytes | None) -> bool:
        """Tell whether *data* gave *text* only because texts that are left out as a rule are in it."""
        if self.stripped.of(data, text):
            return True
        return bool(self._reason(data, text, [known for known in self._known if self._is_rule(known)]))

    def completes(self, data: bytes) -> bool:
        """Tell whether *data* is well-formed without a text that is left out as a rule, or without all of them."""
        here = [known for known in self._known if known in data and self._is_rule(known)]
        rest = data
        for each in here:
            rest = rest.replace(each, b"")
        return any(is_well_formed(one) for each in here for one in (data.replace(each, b""), rest))

    def is_gone(self, data: bytes, text: bytes | None, left_out: bytes) -> bool:
        """Tell whether *left_out* was left out of *data* wherever it is."""
        return text is not None and self._gives(data.replace(left_out, b""), text)

    def is_without(self, data: bytes, text: bytes | None, left_out: bytes) -> bool:
        """Tell whether *left_out* was left out of *data*, at one place at least, before it became *text* or after."""
        if text is None or left_out not in data:
            return False
        if any(self._gives(rest, text) for rest in _without(data, left_out)):
            return True
        made = (policy.text(data) for policy in self._policies)
        return any(text == rest for each in made if each is not None for rest in _without(each, left_out))

    def _reason(self, data: bytes, text: bytes | None, texts: list[bytes]) -> list[bytes]:
        """Return which of *texts* was left out of *data*, or all of them if several were at once; [] if none was."""
        if found := next((each for each in texts if self.is_without(data, text, each)), b""):
            return [found]
        here = [each for each in texts if each in data]
        rest = data
        for each in here:
            rest = rest.replace(each, b"")
        return here if len(here) > 1 and text is not None and self._gives(rest, text) else []

    def _gives(self, data: bytes, text: bytes) -> bool:
        return any(policy.text(data) == text for policy in self._policies)

    def _new(self, data: bytes, text: bytes | None) -> bytes:
        """Return the shortest text without which *data* gives *text*, if it is well-formed or bytes were joined."""
        if text is None or len(data) > MAX_SIZE or len(self._known) > MAX_TEXTS:
            return b""
        good = is_well_formed(data)
        if self._tries[good] == MAX_TRIES:
            return b""
        self._tries[good] += 1
        size = sum(map(len, well_formed_parts(data)))
        for each in sorted(set(_texts_in(data)) - {self._mark}, key=lambda each: (len(each), each)):
            for rest in _without(data, each):
                is_joined = sum(map(len, well_formed_parts(rest))) + len(data) - len(rest) > size
                if (good or is_joined) and self._gives(rest, text):
                    return each
        return b""


def _texts_in(data: bytes) -> Iterator[bytes]:
    """Yield each stretch of whole characters in *data*."""
    for part in map(characters, well_formed_parts(data)):
        for start in range(len(part)):
            yield from (b"".join(part[start:end]) for end in range(start + 1, len(part) + 1))


def _without(data: bytes, text: bytes) -> Iterator[bytes]:
    """Yield *data* without *text*, first at all places where it is, then at some of them.

    >>> list(_without(b"a-b-c", b"-"))
    [b'abc', b'ab-c', b'a-bc']
    """
    first, *parts = data.split(text)
    count = len(parts)
    if count <= MAX_ANY:
        ways: Iterable[tuple[bytes, ...]] = islice(
            product((b"", text), repeat=count), 2**count - bool(count)
        )  # the last would leave out nothing
    else:
        none = (b"",) * count
        ways = (none, (text, *none[1:]), (*none[1:], text))
    for way in ways:
        yield first + b"".join(kept + part for kept, part in zip(way, parts, strict=True))
