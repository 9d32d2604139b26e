"""A run in parts: what is judged in process is the long work, and several machines can each do a part of it.

A part is judged in process and nothing else is asked. A run that gets all parts takes what they found for what it would
have judged itself, asks everything else, and explains: so its report is that of a run which did everything.
"""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utf8_abnf import __version__
from utf8_abnf.conformance.harness.clock import Clock
from utf8_abnf.conformance.harness.driving.inprocess import InProcess, SeenInProcess
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.conformance.harness.options import chosen_families
from utf8_abnf.conformance.suite.judging import MAX_NUMBERS
from utf8_abnf.conformance.suite.parts import Group, Part, numbers
from utf8_abnf.errors import TargetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from utf8_abnf.conformance.harness.driving.target import Target
    from utf8_abnf.conformance.harness.options import RunOptions
    from utf8_abnf.conformance.suite import Family


def judge_part(target: Any, options: RunOptions, name: str) -> Part:
    """Return what the part *name*, ``I/N``, of the cases that are judged in process shows about *target*.

    UsageError if *target* is not a C function, or if *options* choose single cases. TargetError if the time of the
    options was over before the part was done.
    """
    first, count = numbers(name)
    opened = open_target(target)
    if not opened.library:
        raise UsageError(f"{opened.spec} is not a C function: only what is judged in process is judged in parts")
    if not options.whole_families:
        raise UsageError("a part has whole families of RFC 3629's grammar, in their order: leave the other options out")
    families = [family for family in chosen_families(options) if is_judged_in_process(family)]
    clock = Clock(0, options.progress, options.say)  # most cases are in the last blocks: the pace tells nothing
    clock.total = sum(family.count for family in families) // count
    with closing(InProcess(opened.library, options.level, options.limits)) as in_process:
        groups = []
        for family in families:
            groups.append(Group(family.name))
            for done in _judged(in_process, family, groups[-1], first - 1, count):
                clock.family = family.name
                clock.overdue(done)
                if 0 < options.max_seconds < clock.elapsed:
                    raise TargetError(f"part {name} was not done in {clock.elapsed:.0f} s: allow more by --max-time")
            clock.done += groups[-1].done
    return Part(_about(opened, options), name, tuple(groups))


def is_judged_in_process(family: Family) -> bool:
    """Whether a C function is called in process for the verdicts of *family*."""
    return "v" in family.modes and not family.ordered


def _judged(in_process: InProcess, family: Family, group: Group, number: int, count: int) -> Iterator[int]:
    """Put into *group* what every *count*-th block of *family* shows, beginning with *number*; yield the cases done."""
    for block in in_process.blocks(family, f"{number + 1}/{count}"):
        if "failure" in block or block["failures"]:
            group.found[number] = block
        group.done += block.get("count", 0)
        number += count
        yield group.done


def _about(opened: Target, options: RunOptions) -> dict[str, Any]:
    assert opened.library
    path = Path(opened.library[0])
    return {
        "command": "test",
        "made_by": f"utf8-abnf {__version__}",
        "target": opened.spec,
        "library": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else path.name,
        "level": options.level,
        "families": list(options.families),
    }


class JudgedInParts:
    """What all parts of a run found, in the place of ``InProcess``."""

    silent = 0.0

    def __init__(self, whole: Part) -> None:
        self._groups = {group.name: group for group in whole.groups}

    def judge(self, family: Family, overdue: Callable[[int], str]) -> SeenInProcess:
        """Return what calls with all cases of *family* showed, up to the first that ended the decoder."""
        seen, group = SeenInProcess(family), self._groups[family.name]
        for _, block in sorted(group.found.items()):
            left = MAX_NUMBERS - len(seen.numbers)
            seen.add({**block, "numbers": block.get("numbers", [])[:left]})
            if seen.failure:
                seen.count = block["first"]
                return seen
        seen.count = group.done
        overdue(seen.count)
        return seen

    def close(self) -> None:
        """Nothing is left to close."""
