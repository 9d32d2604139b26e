r"""Conformance tests in Python: ``run`` tests a decoder and returns a ``Report``; ``cases`` are the cases themselves.

>>> from utf8_abnf.conformance import run
>>> def lax(data: bytes) -> bool:
...     data.decode("utf-8", "surrogatepass")
...     return True
>>> report = run(lax, level="L1")
>>> report.conforms, [(deviation.key, deviation.example) for deviation in report.deviations]
(False, [('extra %xED %xA0-BF UTF8-tail', b'\xed\xa0\x80')])

``render(report, "text")`` is what ``utf8-abnf test`` prints; ``harness.formats.FORMATS`` has the other formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.suite import sample
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from utf8_abnf.conformance.harness.clock import Progress
    from utf8_abnf.conformance.harness.report import Report
    from utf8_abnf.grammar import Grammar


def run(
    target: Any,
    *,
    level: str = "L2",
    fail_fast: bool = False,
    keep_going: bool = True,
    families: Sequence[str] = (),
    ids: Sequence[str] = (),
    grammar: Grammar | None = None,
    start: str | None = None,
    corpus: Sequence[bytes] = (),
    timeout: float | None = None,
    max_seconds: float = 600.0,
    memory: int = 2 << 30,
    expected: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Test *target* with the cases of *level* and return the report, whose ``conforms`` is the short answer.

    *target* is a string as on the command line (``py:module:name``, ``lib:path:symbol``, ``stream:command``,
    ``exec:command``, ``known:name``), which runs in a process of its own, or a Python function, class or object, which
    runs in this one. *families* and *ids* are glob patterns that choose cases. *fail_fast* ends the test at the
    first failure; without *keep_going* the first level that fails is the last. A decoder hangs when it is silent for
    *timeout* seconds (None: 5, and 15 until its hello). *max_seconds* limits the whole test (0: no limit), *memory* the
    bytes that a decoder may hold. *expected* maps the full keys of deviations to the reasons why they are expected.
    With *strict* a decoder conforms only if everything could be judged; the report's ``not_judged`` says what could
    not. With a *grammar*, the words of *corpus* are samples of it.

    Raises ``UsageError`` if *target* is not a valid target, ``TargetError`` if the decoder cannot be started.
    """
    limits = Limits(memory=memory) if timeout is None else Limits(timeout, timeout, memory)
    if grammar is not None:
        sample(grammar, start, tuple(corpus))
    elif corpus:
        raise UsageError("a corpus needs a grammar")
    options = RunOptions(
        level=level,
        families=tuple(families),
        ids=tuple(ids),
        grammar=grammar,
        start=start,
        limits=limits,
        fail_fast=fail_fast,
        keep_going=keep_going,
        max_seconds=max_seconds,
        expected=dict(expected or {}),
        strict=strict,
        progress=progress,
    )
    return execute(target, options)
