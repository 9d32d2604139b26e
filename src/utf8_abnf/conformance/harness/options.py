"""What a run sends and when it stops: the options, and the families and cases that they choose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.suite import families, why_empty
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from utf8_abnf.conformance.harness.clock import Progress
    from utf8_abnf.conformance.suite import Batch, Family
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
    max_seconds: float = 600.0  # 0: no limit
    expected: dict[str, str] = field(default_factory=dict)  # key of a deviation -> reason
    strict: bool = False  # what is not judged does not pass
    progress: Progress | None = None
    say: Callable[[str], None] | None = None  # is told after each level what it showed and what the next will take

    @property
    def filtered(self) -> str:
        """The filters in words; "" when the whole level is sent."""
        parts = [
            f"{name} {' '.join(globs)}" for name, globs in (("family", self.families), ("case", self.ids)) if globs
        ]
        return ", ".join(parts)

    @property
    def whole_families(self) -> bool:
        """Whether each chosen family is sent with all its cases, and is the suite's own."""
        return not self.ids and self.grammar is None


def chosen_families(options: RunOptions) -> list[Family]:
    """Return the families of the level that the options ask for.

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
    return [family for family in chosen if not options.ids or _possible(f"{family.name}/", options.ids)]


def chosen_cases(batch: Batch, options: RunOptions) -> Sequence[int] | None:
    """Return the indices of the cases of *batch* to send, in order; None means all of them as they stand."""
    return _matching(batch, _possible(batch.prefix, options.ids)) if options.ids else None


def _possible(prefix: str, globs: Sequence[str]) -> list[str]:
    """Return those of *globs* that may match a name that begins with *prefix*."""
    return [glob for glob in globs if prefix.startswith(head := WILDCARD.split(glob)[0]) or head.startswith(prefix)]


def _matching(batch: Batch, globs: Sequence[str]) -> list[int]:
    """Return the indices of the cases of *batch* whose id matches one of *globs*; no id is made where all match."""
    heads = [glob[:-1] for glob in globs if glob.endswith("*") and not WILDCARD.search(glob[:-1])]
    if batch.prefix.startswith(tuple(heads)):
        return list(range(len(batch)))
    return [index for index in range(len(batch)) if _matches(batch.id(index), globs)] if globs else []


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


def why_nothing_was_asked(options: RunOptions, modes: Sequence[str]) -> str:
    """Return in words why a run with *options* had no case for a decoder that has these *modes*."""
    families = chosen_families(options)
    if families and all(family.in_process for family in families):
        return f"{_named(families)} needs a C function that is called in process, with all cases of the suite"
    asked = {"v", *modes}
    sent = [family for family in families if not family.in_process]
    if sent and not any(asked & set(family.modes) for family in sent):
        return f"{_named(sent)} needs mode {sent[0].modes}, and the decoder has {', '.join(modes)}"
    return f"no case of {options.level} matches {options.filtered}"


def _named(families: Sequence[Family]) -> str:
    return " and ".join(family.name for family in families)
