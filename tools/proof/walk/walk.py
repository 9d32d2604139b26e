"""Walks every path of a kernel's ``checked`` on texts of one size, and checks the premises of docs/kernel-proof.md.

That is coverage, gathering, end, and what the offset that it returns promises. The text's bytes stay unknown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import nodes
from intrinsics import Condition, NotModelledError, Pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interpreter import Interpreter
    from nodes import Byte

WIDTHS = {"sse4": 16, "neon": 16, "wasm": 16, "avx2": 32, "avx512": 64}
BLOCKS = {kernel: 128 if kernel == "avx512" else 64 for kernel in WIDTHS}  # bytes that judge_block judges
TESTED_BEFORE = {kernel: 4 if kernel == "avx512" else 3 for kernel in WIDTHS}  # bytes before a block: see before_block
CUT_OFF = ((1, 0xC0), (2, 0xE0), (3, 0xF0))  # utf8_cut_off: so many bytes before the end, this value or above
# The functions that go through a text, the last to be called first.
LOOPS = ("checked_long", "checked")


class MergedError(Exception):
    """From here on the path is one that has been walked."""


class GapError(Exception):
    """The argument does not hold on some path."""


@dataclass
class Path:
    """One way through: what was known on it, what was asked last, and the answer."""

    ascii: set[Byte] = field(default_factory=set)  # bytes that are ASCII
    other: set[frozenset[Any]] = field(default_factory=set)  # sets of bytes of which one at least is not ASCII
    silent: set[Byte] = field(default_factory=set)  # what is ORed together, and is zero
    whole: set[int] = field(default_factory=set)  # offsets before which no character is unfinished
    objections: set[Byte] = field(default_factory=set)  # what is ORed together, and is not zero
    cut: set[int] = field(default_factory=set)  # offsets before which a character is unfinished
    answers: list[bool] = field(default_factory=list)
    result: int = -1


class Walk:
    """The paths of one kernel."""

    def __init__(self, kernel: str, interpreter: Interpreter) -> None:
        self.kernel, self.interpreter = kernel, interpreter
        self.width = WIDTHS[kernel]
        self.lanes: dict[tuple[Byte, ...], frozenset[Byte]] = {}
        interpreter.stand_ins["judge"] = cache(partial(interpreter.call, "judge"))  # of vectors; it asks nothing
        interpreter.stand_ins["list_others"] = self.list_others
        interpreter.stand_ins["is_mostly_ascii"] = self.sample

    def list_others(self, found: list[Any], block: Pointer, stop: Pointer, last: Pointer, _: Any) -> int:
        """Stand in for list_others: list nothing where all is ASCII, and everything where not: see ``leaves_out``."""
        blocks = [Pointer(block.room, at, block.skew) for at in range(block.at, stop.at, BLOCKS[self.kernel])]
        tested = [*range(block.at - TESTED_BEFORE[self.kernel], stop.at)]
        if stop.at >= last.at:
            blocks.append(last)
            tested += range(last.at, last.at + BLOCKS[self.kernel])
        if self.interpreter.decide(Condition("ascii", frozenset(block.room[at] for at in tested))):
            return 0
        found[: len(blocks)] = blocks
        return len(blocks)

    def sample(self, *arguments: Any) -> int:
        """Stand in for is_mostly_ascii: either answer will do. It is run once, to see that it reads nothing outside."""
        decide, self.interpreter.decide = self.interpreter.decide, lambda _: False
        del self.interpreter.stand_ins["is_mostly_ascii"]
        self.interpreter.call("is_mostly_ascii", *arguments)
        self.interpreter.stand_ins["is_mostly_ascii"] = self.sample
        self.interpreter.decide = decide
        return int(decide(Condition("either", frozenset())))

    def paths(self, size: int, skew: int = 0) -> Iterator[Path]:
        """Yield every path on texts of *size* bytes that begin *skew* bytes behind a multiple of 4096.

        Right after a look at the objections that finds none, the rest of a path depends on the local variables alone,
        and on which of the last bytes are known for ASCII. A path that comes to where another has been ends there,
        with -1 for a result, once what is behind it has been checked.
        """
        room = tuple(map(nodes.text, range(size)))
        pending: list[list[bool]] = [[]]
        seen: set[Any] = set()
        while pending:
            prefix, path = pending.pop(), Path()

            def decide(condition: Condition, prefix: list[bool] = prefix, path: Path = path) -> bool:
                if (settled := implied(condition, path)) is not None:
                    return settled
                new = len(path.answers) >= len(prefix)
                answer = new or prefix[len(path.answers)]
                if new:
                    pending.append([*path.answers, False])
                path.answers.append(answer)
                learn(condition, answer, path)
                loop = next((each for each in LOOPS if "block" in self.interpreter.scopes.get(each, {})), "")
                if new and condition.kind == "zero" and loop:
                    scope = self.interpreter.scopes[loop]
                    state = (loop, *self.state(scope, path, sets_good=loop == "checked_long"))
                    if state in seen:
                        self.check_behind(path, scope["block"].at, size)
                        raise MergedError
                    seen.add(state)
                return answer

            self.interpreter.decide = decide
            self.interpreter.scopes.clear()
            with suppress(MergedError):
                path.result = self.interpreter.call("checked", Pointer(room, 0, skew), size)
            yield path

    def state(self, scope: dict[str, Any], path: Path, *, sets_good: bool) -> tuple[Any, ...]:
        """Return what the rest of the path depends on. *sets_good*: it sets `good` anew before it reads it."""
        plain = {name: value.at if isinstance(value, Pointer) else value for name, value in scope.items()}
        plain = {name: value for name, value in plain.items() if isinstance(value, int)}
        if sets_good or plain.get("ascii"):  # then `from` is read no more
            plain = {name: value for name, value in plain.items() if name not in ("good", "from")}
        block, size = plain["block"], plain["size"]
        known = tuple(nodes.text(at) in path.ascii for at in range(max(0, block - 64), size))
        ahead = {each for each in path.other if min(byte.args[0] for byte in each) >= block - 64}
        return (*sorted(plain.items()), block in path.whole, known, frozenset(ahead))

    def check_behind(self, path: Path, block: int, size: int) -> None:
        """Raise ``GapError`` unless all before *block* is covered, and no late objection is lost there."""
        judged = [self.lane(at, size) <= path.silent for at in range(block)]
        known = [nodes.text(at) in path.ascii for at in range(block)]
        self._check_covered(path, judged, known, block)
        if not judged[-1] and not all(known[-2:]):
            raise GapError(f"a late objection before {block} may be lost")
        self._check_late(path, judged, known, block - 2)

    def lane(self, at: int, size: int) -> frozenset[Byte]:
        """Return what is ORed together in the objection of the lane of the byte at an offset, zeros around the text."""
        window = tuple(nodes.text(i) if 0 <= i < size else 0 for i in range(at - 3, at + 1))
        if window not in self.lanes:
            last = [nodes.text(i) if 0 <= i < size else 0 for i in range(at - 3, at + self.width)]
            vectors = [tuple(last[back : back + self.width]) for back in (3, 2, 1, 0)]
            found = self.interpreter.run("judge", *vectors)
            for lane, byte in enumerate(found):
                self.lanes.setdefault(tuple(last[lane : lane + 4]), nodes.members(byte))
        return self.lanes[window]

    def check(self, path: Path, size: int) -> None:
        """Raise ``GapError`` where the path's answer does not follow from what was asked on it."""
        judged = [self.lane(at, size) <= path.silent for at in range(size + 2)]
        known = [nodes.text(at) in path.ascii for at in range(size)]
        upto = path.result
        if not 0 <= upto <= size:
            raise GapError(f"{upto} is no offset")
        self._check_covered(path, judged, known, upto)
        if upto == size:
            self._check_accepted(path, size, judged, known)
        else:
            self._check_rejected(path, size)
            again = self.interpreter.looked_from(upto, size)
            self._check_late(path, judged, known, again - 1)  # the scalar kernel begins before `again`, not at it

    @staticmethod
    def _check_covered(path: Path, judged: list[bool], known: list[bool], upto: int) -> None:
        for at in range(upto):
            if not judged[at] and not known[at]:
                raise GapError(f"nobody judges offset {at}")
            if not judged[at] and at > 0 and not known[at - 1] and at not in path.whole:
                raise GapError(f"a character may go on into the ASCII at {at}")

    @staticmethod
    def _check_late(path: Path, judged: list[bool], known: list[bool], upto: int) -> None:
        for at in range(upto):  # bytes that begin no character are objected to one lane later at most
            if not (known[at] or judged[at + 1] or at + 1 in path.whole):
                raise GapError(f"a late objection to offset {at} is lost")

    def _check_accepted(self, path: Path, size: int, judged: list[bool], known: list[bool]) -> None:
        self._check_late(path, judged, known, size)
        if size > 0 and not known[-1] and not judged[size] and size not in path.whole:
            raise GapError("the end may cut a character")

    def _check_rejected(self, path: Path, size: int) -> None:
        lanes = {member: at for at in range(size + 3) for member in self.lane(at, size)}
        if not path.objections <= lanes.keys():
            raise GapError("something else than a lane objects")
        cut = {at for at in path.cut if at == size or nodes.text(at) in path.ascii}
        if not path.objections and not cut:
            raise GapError("rejected without a reason")
        seen = {*(min(lanes[member], size) for member in path.objections), *cut}
        if max(seen) > path.result + self.interpreter.globals["STRETCH"] + 4 * BLOCKS[self.kernel]:
            raise GapError(f"the reason may lie far behind {path.result}")


def implied(condition: Condition, path: Path) -> bool | None:
    """Return the answer where what is known gives it."""
    match condition.kind:
        case "ascii":
            numbers = [each for each in condition.bytes if isinstance(each, int)]
            if any(each >= 0x80 for each in numbers):
                return False
            if any(each <= condition.bytes for each in path.other):
                return False
            return True if condition.bytes - path.ascii <= set(numbers) else None
        case "zero":
            if any(isinstance(each, int) and each for each in condition.bytes):
                return False
            return True if condition.bytes <= path.silent else None
        case "either":
            return None
        case _:
            return False if all(byte in path.ascii for byte, _ in condition.bytes) else None


def learn(condition: Condition, answer: bool, path: Path) -> None:
    """Note on the path what the answer tells."""
    match condition.kind, answer:
        case "ascii", True:
            path.ascii |= condition.bytes
        case "ascii", False:
            path.other.add(condition.bytes)
        case "zero", True:
            path.silent |= condition.bytes
        case "zero", False:
            path.objections = set(condition.bytes)
        case "from", _:
            (path.cut if answer else path.whole).add(_end(condition))


def _end(condition: Condition) -> int:
    """Return the offset behind the three bytes that utf8_cut_off has asked about."""
    pairs = {(byte.args[0], least) for byte, least in condition.bytes}
    end = max(at for at, _ in pairs) + 1
    if pairs != {(end - back, least) for back, least in CUT_OFF}:
        raise NotModelledError(f"a question about the bytes {pairs}")
    return end


def leaves_out(kernel: str, interpreter: Interpreter) -> str:
    """Return "proved" where list_others leaves out no lane but of four bytes of ASCII, or what it does wrong.

    Every answer to its questions is walked, for whole blocks, for a row of three (ROW is eight), and for the text's
    last block. That such lanes are silent is part of what lanes.py shows; what judge_block judges, the paths.
    """
    block = BLOCKS[kernel]
    saved, interpreter.stand_ins = interpreter.stand_ins, {}
    globals, interpreter.globals = interpreter.globals, interpreter.globals | {"ROW": 3}
    lasts = (1 - block, -1, 0, None)
    places = [*((count, last) for count in (1, 2) for last in lasts), (0, 1 - block), (0, 0), (4, None)]
    answers = [_left_out(interpreter, kernel, count * block, last) for count, last in places]
    interpreter.globals = globals
    interpreter.stand_ins = saved
    return next((each for each in answers if each), "proved")


def _left_out(interpreter: Interpreter, kernel: str, size: int, last: int | None) -> str:
    """Walk list_others for *size* bytes, with the text's last block at *last* from their end, or far away when None."""
    span, begin, stop = BLOCKS[kernel], 256, 256 + size
    room = tuple(map(nodes.text, range(stop + (span + last if last is not None else 2 * span))))
    lanes = _bits(range(begin, stop)) | (_bits(range(len(room) - span, len(room))) if last is not None else 0)
    pending: list[list[bool]] = [[]]
    while pending:
        prefix = pending.pop()
        asked: list[int] = []  # of which offsets
        listed: list[Any] = [None] * 8

        def decide(condition: Condition, prefix: list[bool] = prefix, asked: list[int] = asked) -> bool:
            if len(asked) == len(prefix):
                pending.append([*prefix, False])
                prefix.append(True)
            asked.append(_bits(each.args[0] for each in condition.bytes))
            return prefix[len(asked) - 1]

        interpreter.decide = decide
        pointers = (Pointer(room, at) for at in (begin, stop, len(room) - span))
        length = interpreter.call("list_others", listed, *pointers, False)
        judged = [_bits(range(each.at, each.at + span)) for each in listed[:length]]
        answered = [*zip(asked, prefix, strict=True)]
        ascii = reduce(or_, (each for each, yes in answered if yes), 0)
        if any(not yes and not each & ~ascii for each, yes in answered):
            continue  # no text answers so
        silent = ascii & ascii << 1 & ascii << 2 & ascii << 3  # lanes of four such bytes
        if left_out := lanes & ~silent & ~reduce(or_, judged, 0):
            return f"the lane {(left_out & -left_out).bit_length() - 1 - begin} is left out"
        whole = (lanes | _bits(range(begin - TESTED_BEFORE[kernel], begin))) & ~ascii == 0
        if (length == 0) != whole:
            return f"list_others lists {length} blocks"
    return ""


def _bits(places: Iterable[int]) -> int:
    return reduce(or_, (1 << each for each in places), 0)


def check_size(walk: Walk, size: int, skew: int = 0) -> int:
    """Check every path on texts of *size* bytes; return how many there are."""
    count = 0
    for path in walk.paths(size, skew):
        if path.result >= 0:
            walk.check(path, size)
        count += 1
    return count
