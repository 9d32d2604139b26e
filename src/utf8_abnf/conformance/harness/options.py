"""What a run sends and when it stops: the options, and the families and cases that they choose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.suite import families, why_empty
from utf8_abnf.conformance.suite.blocks import Block
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from utf8_abnf.conformance.harness.clock import Progress
    from utf8_abnf.conformance.harness.findings import Finding, LevelEnd
    from utf8_abnf.conformance.suite import Family
    from utf8_abnf.grammar import Grammar

WILDCARD = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to send and when to stop. *ids* and *families* are glob patterns; empty means all."""

    level: str = "L2"
    families: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    grammar: Grammar | None = None
    start: str | None = None
    limits: Limits = field(default_factory=Limits)
    fail_fast: bool = False
    keep_going: bool = True  # ask the next level after one that failed
    max_seconds: float = 600.0  # 0: no limit
    expected: dict[str, str] = field(default_factory=dict)  # key of a deviation -> reason
    expected_level: str = ""  # at which these deviations were seen, "" where that is not known
    strict: bool = False  # what is not judged does not pass
    progress: Progress | None = None
    tell: Callable[[Finding | LevelEnd], None] | None = None  # is told what is found when it is found

    @property
    def filtered(self) -> str:
        """The filters in words; "" when the whole level is sent."""
        parts = [
            f"{name} {' '.join(globs)}" for name, globs in (("family", self.families), ("case", self.ids)) if globs
        ]
        return ", ".join(parts)


def chosen_families(options: RunOptions) -> list[Family]:
    """Return the families of the level that the options ask for, each with the cases alone that they ask for.

    UsageError for a level that does not exist or has no case, and for a pattern that matches no family.
    """
    if why := why_empty(options.level, grammar=options.grammar, start=options.start):
        raise UsageError(why)
    found = families(options.level, grammar=options.grammar, start=options.start)
    for glob in options.families:
        if not any(fnmatchcase(family.name, glob) for family in found):
            names = ", ".join(family.name for family in found)
            raise UsageError(f"no family of {options.level} matches {glob!r}; it has {names}")
    chosen = [family for family in found if not options.families or _matches(family.name, options.families)]
    if not options.ids:
        return chosen
    possible = [family for family in chosen if _possible(f"{family.name}/", options.ids)]
    some = [family if family.in_process else _with_some(family, options.ids) for family in possible]
    return [family for family in some if family.count]


def _with_some(family: Family, globs: Sequence[str]) -> Family:
    """Return *family* with the cases alone whose ids match one of *globs*."""
    blocks = tuple(chosen for block in family.blocks() for chosen in _matching(family, block, globs))
    return replace(family, make=lambda _: iter(blocks))


def _matching(family: Family, block: Block, globs: Sequence[str]) -> Iterator[Block]:
    """Yield the words of *block* whose ids match one of *globs*; no id is made where all or none of them match."""
    name = f"{family.name}/"
    prefix = f"{name}{block.label}/" if block.label else name
    globs = _possible(prefix, globs)
    heads = [glob[:-1] for glob in globs if glob.endswith("*") and not WILDCARD.search(glob[:-1])]
    if prefix.startswith(tuple(heads)):
        yield block
        return
    numbers = {block.find(glob.removeprefix(name)) for glob in globs if not WILDCARD.search(glob)}
    if any(map(WILDCARD.search, globs)):
        numbers |= {number for number in range(len(block)) if _matches(name + block.name(number), globs)}
    if family.ordered:  # then it is what comes before that a case is about
        numbers |= {number - 1 for number in numbers if number}
    for number in sorted(number for number in numbers if number is not None):
        names = ((block.name(number),), *[("",)] * (len(block.parts) - 1))
        yield Block(tuple((item,) for item in block.items(number)), names=names, skip=block.skip)


def _possible(prefix: str, globs: Sequence[str]) -> list[str]:
    """Return those of *globs* that may match a name that begins with *prefix*."""
    return [glob for glob in globs if prefix.startswith(head := WILDCARD.split(glob)[0]) or head.startswith(prefix)]


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def why_nothing_was_asked(options: RunOptions, modes: Sequence[str]) -> str:
    """Return in words why a run with *options* had no case for a decoder that has these *modes*."""
    families = chosen_families(options)
    if families and all(family.in_process for family in families):
        return f"{_needs(families)} a C function that is called in process, with all cases of the suite"
    asked = {"v", *modes}
    sent = [family for family in families if not family.in_process]
    if sent and not any(asked & set(family.modes) for family in sent):
        return f"{_needs(sent)} mode {sent[0].modes}, and the decoder has {', '.join(modes)}"
    return f"no case of {options.level} matches {options.filtered}"


def _needs(families: Sequence[Family]) -> str:
    return f"{' and '.join(family.name for family in families)} need{'s' * (len(families) == 1)}"
