r"""Conformance for programs: ``cases`` to pose yourself, ``run`` to have them posed to a decoder, and the ``Report``.

>>> def lax(data: bytes) -> bool:
...     data.decode("utf-8", "surrogatepass")
...     return True
>>> report = run(lax, level="L1")
>>> report.conforms, [(each.key, each.example) for each in report.deviations]
(False, [('extra %xED %xA0-BF UTF8-tail', b'\xed\xa0\x80')])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from utf8_abnf.harness.formats import render
from utf8_abnf.harness.options import RunOptions
from utf8_abnf.harness.report import Deviation, FamilyResult, Report, Trouble
from utf8_abnf.harness.run import execute
from utf8_abnf.harness.worker import Limits
from utf8_abnf.suite import cases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.harness.clock import Progress

__all__ = ["Deviation", "FamilyResult", "Report", "Trouble", "cases", "render", "run"]


def run(
    target: Any,
    *,
    level: str = "L2",
    fail_fast: bool = False,
    max_failures: int = 0,
    families: Sequence[str] = (),
    ids: Sequence[str] = (),
    rules: Sequence[str] = (),
    grammar: Grammar | None = None,
    start: str | None = None,
    timeout: float = 5.0,
    max_seconds: float = 600.0,
    memory: int = 2 << 30,
    jobs: int = 0,
    seed: int | None = None,
    expected: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Return what the cases of *level* show about *target*; ``report.conforms`` is the short answer.

    *target* is a string as on the command line (``py:module:name``, ``lib:path:symbol``, ``stream:command``,
    ``exec:command``, ``known:name``), which runs in a process of its own, or a Python function, class or object,
    which runs in this one. *families*, *ids* and *rules* are glob patterns that choose cases. *fail_fast* ends at the
    first failure, *max_failures* after so many (0: never). *timeout* is the seconds of silence that make a hang,
    *max_seconds* the time for everything (0: no limit), *memory* the bytes a decoder may hold, *jobs* how many
    processes at once where each case has its own. *seed* shuffles the cases. *expected* maps the keys of deviations
    to the reasons why they are expected.

    Raises ``UsageError`` for something that is no target, ``TargetError`` for a decoder that cannot be started.
    """
    limits = Limits(silence=timeout, memory=memory, jobs=jobs)
    options = RunOptions(
        level=level,
        families=tuple(families),
        ids=tuple(ids),
        rules=tuple(rules),
        grammar=grammar,
        start=start,
        limits=limits,
        max_failures=1 if fail_fast else max_failures,
        max_seconds=max_seconds,
        seed=seed,
        expected=dict(expected or {}),
        progress=progress,
    )
    return execute(target, options)
