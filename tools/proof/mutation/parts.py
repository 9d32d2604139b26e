"""A run in N parts, on several machines perhaps: what one part found, and the whole that all parts are together.

A run has groups, one for each kernel, and each group has units of work: mutants. Part I of N has every Nth unit,
beginning with the Ith. It keeps what is found under the unit's number, so that all parts put together are, to the byte,
what one run of everything keeps.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

T = TypeVar("T")


def numbers(name: str) -> tuple[int, int]:
    """Return I and N of ``I/N``; UsageError unless 1 <= I <= N.

    >>> numbers("2/8")
    (2, 8)
    """
    found = re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", name, re.ASCII)
    if not found or int(found[1]) > int(found[2]):
        raise UsageError(f"a part is I/N with I from 1 to N, such as 2/8, not {name!r}")
    return int(found[1]), int(found[2])


def part_of(whole: Iterable[T], name: str) -> Iterator[T]:
    """Return every Nth of *whole*, beginning with the Ith: what belongs together is spread over the parts.

    Without a *name* the part is the whole.

    >>> list(part_of("abcdefg", "2/3"))
    ['b', 'e']
    """
    first, count = numbers(name or "1/1")
    return islice(whole, first - 1, None, count)


def in_order(names: Sequence[str]) -> list[int]:
    """Return where in *names* each part of a run stands, from the first part on.

    UsageError unless these are all the parts of one run, each once.

    >>> in_order(["2/3", "3/3", "1/3"])
    [2, 0, 1]
    """
    if not names or not all(names):
        raise UsageError("only parts of one run can be merged, which --part I/N makes")
    numbered = {numbers(name): at for at, name in enumerate(names)}
    counts = {count for _, count in numbered}
    if len(counts) != 1 or len(numbered) != len(names):
        raise UsageError(f"parts {', '.join(names)} are not those of one run")
    count = counts.pop()
    missing = [f"{number}/{count}" for number in range(1, count + 1) if (number, count) not in numbered]
    if missing:
        raise UsageError(f"missing: part {', '.join(missing)}")
    return [numbered[number, count] for number in range(1, count + 1)]


def the_same(facts: Sequence[Mapping[str, Any]]) -> None:
    """Raise UsageError if the parts whose *facts* these are were not made in the same way."""
    for name in facts[0]:
        values = {json.dumps(each.get(name)) for each in facts}
        if len(values) > 1:
            raise UsageError(f"the parts differ in {name}: {', '.join(sorted(values)).replace(chr(34), '')}")


@dataclass(slots=True)
class Group:
    """What the units of one group showed: *done* counts what was done, *found* has what they found, by their numbers.

    A unit that found nothing is not in *found*.
    """

    name: str
    done: int = 0
    found: dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """What the part *name* of a run found; ``1/1`` is the whole. *run* says what was run, in the same words in each.

    It is written when the part is done, so that a file of it never has less than the part.
    """

    run: Mapping[str, Any]
    name: str
    groups: tuple[Group, ...]

    def to_json(self) -> str:
        """Return the part as indented JSON."""
        groups = [{**asdict(group), "found": sorted(group.found.items())} for group in self.groups]
        return json.dumps({"part": self.name, "run": self.run, "groups": groups}, indent=1) + "\n"


def read(path: Path) -> Part:
    """Return the part that was written to *path*; UsageError if the file is not a part."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        groups = [Group(each["name"], int(each["done"]), dict(each["found"])) for each in facts["groups"]]
        return Part(dict(facts["run"]), facts["part"], tuple(groups))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not a part of a run as JSON ({type(error).__name__}: {error})") from None


def merged(parts: Sequence[Part]) -> Part:
    """Return the whole that *parts* are, given in any order.

    UsageError if a part is missing or there twice, or if they were not made in the same way.
    """
    ordered = [parts[at] for at in in_order([each.name for each in parts])]
    the_same([{**each.run, "groups": [group.name for group in each.groups]} for each in ordered])
    groups = tuple(Group(each.name) for each in ordered[0].groups)
    for part in ordered:
        for group, more in zip(groups, part.groups, strict=True):
            group.done += more.done
            group.found |= more.found
    return Part(ordered[0].run, "1/1", groups)
