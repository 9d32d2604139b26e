"""Deviation classes: from wrong verdicts to the few ABNF lines that a decoder accepts too much, or misses.

The run only collects: a count and a few words for each kind of wrong verdict. Afterwards the decoder is asked again, to
shrink each word to the sequence that is to blame and to find which other bytes in its place are taken just as wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from utf8_abnf.harness.boxes import Box, merge, ranges_of

Ask = Callable[[list[bytes]], list[bool | None]]
Key = tuple[bool, bytes, int]

MOST_KEYS = 50_000
WORDS_PER_KEY = 4
MOST_BOXES = 400
MOST_ROUNDS = 60  # of shrinking one word

# Where the ranges of RFC 3629, of its predecessors and of known dialects begin and end: all that is asked of a decoder
# that needs a process for each question. 81 and 84 begin the longer forms of RFC 2279, 82 and 88 the longest.
EDGES = (0x00, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xFF)


@dataclass(slots=True)
class Group:
    """Wrong verdicts that look alike: how many, and the shortest words that showed it, each with its case's id."""

    count: int = 0
    words: list[tuple[bytes, str]] = field(default_factory=list)

    def add(self, data: bytes, case: Callable[[], str]) -> None:
        """Count *data*; keep it if it is among the first or the shortest."""
        self.count += 1
        if len(self.words) < WORDS_PER_KEY:
            self.words.append((data, case()))
        elif len(data) < len(self.words[-1][0]):
            self.words[-1] = (data, case())


@dataclass(slots=True)
class Found:
    """A deviation class: *accepted* wrongly or, if not, rejected wrongly."""

    accepted: bool
    box: Box
    count: int
    example: bytes
    case: str
    detail: str = ""


@dataclass(slots=True)
class _Blame:
    box: Box
    word: bytes
    case: str
    count: int = 0


class Deviations:
    """Collects wrong verdicts with ``add`` and explains them with ``classes``.

    *ask* gives the decoder's verdicts on words (None where it gave none), *right* is the grammar's verdict, *cut*
    splits data into the pieces to blame (for UTF-8: characters and ill-formed sequences). *thrifty*: questions are
    dear, ask few.
    """

    def __init__(
        self,
        ask: Ask,
        right: Callable[[bytes], bool],
        cut: Callable[[bytes], Iterable[tuple[bytes, bool]]],
        *,
        thrifty: bool = False,
    ) -> None:
        self._ask = ask
        self._right = right
        self._cut = cut
        self._thrifty = thrifty
        self._groups: dict[Key, Group] = {}

    def add(self, data: bytes, case: Callable[[], str], *, accepted: bool) -> None:
        """Take note that the decoder wrongly accepted, or wrongly rejected, *data*."""
        key = self._key(data, accepted)
        if key not in self._groups and len(self._groups) >= MOST_KEYS:
            key = (accepted, b"", 0)
        self._groups.setdefault(key, Group()).add(data, case)

    def _key(self, data: bytes, accepted: bool) -> Key:
        pieces = self._cut(data)
        if accepted:
            piece = next((piece for piece, good in pieces if not good), b"")
            return accepted, piece[:2], len(piece)
        leads = sorted({piece[0] for piece, _ in pieces})
        return accepted, bytes(leads[-3:]), len(leads)

    def classes(self) -> list[Found]:
        """Return the deviation classes, most often met first within each kind."""
        found: list[Found] = []
        for accepted in (True, False):
            groups = [group for (kind, _, _), group in sorted(self._groups.items()) if kind is accepted]
            found += self._classes(groups, accepted=accepted)
        return found

    def _classes(self, groups: list[Group], *, accepted: bool) -> list[Found]:
        blames: list[_Blame] = []
        for group in sorted(groups, key=lambda each: len(each.words[0][0])):
            shares = [self._blame(word, case, blames, accepted=accepted) for word, case in group.words]
            for blame in shares:  # a group's count is shared among the classes of its words
                blame.count += group.count // len(shares)
            shares[0].count += group.count % len(shares)
        found = []
        merged = merge(blame.box for blame in blames)
        for box in merge(self._with_neighbours(box, accepted=accepted) for box in merged):
            members = [blame for blame in blames if _within(blame.box, box)]
            best = min(members, key=lambda blame: (len(blame.word), blame.word))
            count = sum(blame.count for blame in members)
            # The lowest corner of a box has been asked: as short as any, and plainer than what a case happened to hold.
            word = best.word if box.context else bytes(min(place) for place in box.places)
            detail = "" if box.context else self._where(word, accepted=accepted)
            found.append(Found(accepted, box, count, word, best.case, detail))
        return found

    def _blame(self, data: bytes, case: str, blames: list[_Blame], *, accepted: bool) -> _Blame:
        pieces = [piece for piece, good in self._cut(data) if good is not accepted]
        for blame in blames:
            if not blame.box.context and any(blame.box.begins(piece) for piece in pieces):
                return blame
        if len(blames) >= MOST_BOXES:
            return blames[-1]
        word = self._shrink(data, pieces, accepted=accepted)
        box = self._box(word, accepted=accepted)
        for blame in blames:
            if blame.box == box:
                if (len(word), word) < (len(blame.word), blame.word):
                    blame.word, blame.case = word, case
                return blame
        blames.append(_Blame(box, word, case))
        return blames[-1]

    def _wrong(self, words: list[bytes], *, accepted: bool) -> list[bool]:
        """Tell for each of *words* whether the decoder gets it wrong in the same direction."""
        wanted = [self._right(word) is not accepted for word in words]
        asked = [word for word, want in zip(words, wanted, strict=True) if want]
        answers = iter(self._ask(asked))
        return [want and next(answers, None) is accepted for want in wanted]

    def _shrink(self, data: bytes, pieces: list[bytes], *, accepted: bool) -> bytes:
        """Return the shortest word we find within *data* that the decoder still gets wrong."""
        # A piece alone is nearly always enough, and of an ill-formed piece perhaps its beginning.
        alone = [
            piece[:end]
            for piece in dict.fromkeys(pieces)
            for end in (range(1, len(piece) + 1) if accepted else [len(piece)])
        ]
        wrong = self._wrong(alone, accepted=accepted)
        if any(wrong):
            return min(
                (word for word, is_wrong in zip(alone, wrong, strict=True) if is_wrong),
                key=lambda word: (len(word), word),
            )
        for _ in range(MOST_ROUNDS):
            shorter = list(dict.fromkeys(self._shorter(data)))
            wrong = self._wrong(shorter, accepted=accepted)
            if not any(wrong):
                break
            data = shorter[wrong.index(True)]
        return data

    def _shorter(self, data: bytes) -> Iterator[bytes]:
        pieces = [piece for piece, _ in self._cut(data)]
        for size in (len(pieces) // 2, len(pieces) // 4, len(pieces) // 8):
            if size > 1:
                for start in range(0, len(pieces), size):
                    yield b"".join(pieces[:start] + pieces[start + size :])
        starts = range(0, len(pieces), max(1, len(pieces) // 64))
        yield from (b"".join(pieces[:start] + pieces[start + 1 :]) for start in starts if len(pieces) > 1)
        if len(data) <= 64:
            yield from (data[:at] + data[at + 1 :] for at in range(len(data)) if len(data) > 1)

    def _box(self, word: bytes, *, accepted: bool) -> Box:
        """Return the box around *word* all of whose words the decoder gets wrong."""
        pieces = [piece for piece, good in self._cut(word) if good is not accepted]
        if not pieces or pieces[0] != word or len(word) > 16:
            to_blame = (pieces or [word])[-1]
            return Box(tuple(frozenset({byte}) for byte in to_blame), context=to_blame != word)
        places = [frozenset({word[0]})]
        places += [self._sweep(word, place, accepted=accepted) for place in range(1, len(word))]
        box = Box(tuple(places))
        return (
            box if self._corners_are_wrong(box, accepted=accepted) else Box(tuple(frozenset({byte}) for byte in word))
        )

    def _sweep(self, word: bytes, place: int, *, accepted: bool) -> frozenset[int]:
        values = sorted({*EDGES, word[place]}) if self._thrifty else list(range(256))
        words = [word[:place] + bytes([value]) + word[place + 1 :] for value in values]
        wrong = self._wrong(words, accepted=accepted)
        if not self._thrifty:
            return frozenset(value for value, is_wrong in zip(values, wrong, strict=True) if is_wrong) | {word[place]}
        taken = {word[place]}
        for index, value in enumerate(values):
            if wrong[index]:
                taken.add(value)
                if index + 1 < len(values) and wrong[index + 1]:
                    taken.update(range(value, values[index + 1]))
        return frozenset(taken)

    def _with_neighbours(self, box: Box, *, accepted: bool) -> Box:
        """Return *box* with the first bytes beside its own that are taken just as wrongly, though no case showed it."""
        if box.context or len(box.places) < 2:
            return box
        leads = set(box.places[0])
        for step, lead in ((-1, min(leads) - 1), (1, max(leads) + 1)):
            while 0x80 <= lead <= 0xFF:
                word = bytes([lead, *(min(place) for place in box.places[1:])])
                if not all(self._wrong([word], accepted=accepted)):
                    break
                if self._box(word, accepted=accepted).places[1:] != box.places[1:]:
                    break
                leads.add(lead)
                lead += step
        return Box((frozenset(leads), *box.places[1:]))

    def _corners_are_wrong(self, box: Box, *, accepted: bool) -> bool:
        corners = [b""]
        for place in box.places:
            ends = sorted({end for pair in ranges_of(place) for end in pair})
            corners = [corner + bytes([end]) for corner in corners for end in ends][:256]
        return all(self._wrong(corners, accepted=accepted))

    def _where(self, word: bytes, *, accepted: bool) -> str:
        """Say so when *word* is wrong at the end, or at the start, of the input only."""
        after, before = self._wrong([word + b"a", b"a" + word], accepted=accepted)
        if after and before:
            return ""
        return (
            "only at the start of the input"
            if after
            else "only at the end of the input"
            if before
            else "only as the whole input"
        )


def _within(box: Box, other: Box) -> bool:
    same_kind = box.context == other.context and len(box.places) == len(other.places)
    return same_kind and all(one <= two for one, two in zip(box.places, other.places, strict=True))
