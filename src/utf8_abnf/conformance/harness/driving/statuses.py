"""Exit statuses of an ``exec:`` target: what the user says of them, or what a few inputs show, in; verdicts out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.worker import Limits, status_of
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Statuses other than 1 with which programs refuse their input, and who does so.
HABITS = {65: "EX_DATAERR of sysexits.h", 2: "like grep and diff"}
MINUS_ONE = 255  # what -1 becomes
NOT_RUN = 126  # from here on a shell says that a program could not be started, or that a signal ended it
WELL_FORMED = b"A"
ILL_FORMED = tuple(map(bytes.fromhex, ("FF", "C3", "EDA080")))


class Statuses(NamedTuple):
    """What each exit status says: *verdicts* maps it to an answer, *words* say it, "" for the usual 0 and 1."""

    verdicts: Mapping[int, bytes]
    words: str = ""


USUAL = Statuses({0: ACCEPT, 1: REJECT})


def given(accept: Sequence[int], reject: Sequence[int]) -> Statuses | None:
    """Return what the user says; None where both are empty. UsageError for a status that is out of range or in both.

    Without *accept* the status 0 accepts, without *reject* the status 1 rejects, unless the other takes it.

    >>> given([1], [0]).words
    'status 1 accepts, 0 rejects'
    """
    if not accept and not reject:
        return None
    accept = accept or [status for status in (0,) if status not in reject]
    reject = reject or [status for status in (1,) if status not in accept]
    for status in (*accept, *reject):
        if not 0 <= status <= 255:
            raise UsageError(f"{status} is not an exit status; they go from 0 to 255")
        if status in accept and status in reject:
            raise UsageError(f"status {status} cannot accept and reject")
    verdicts = dict.fromkeys(accept, ACCEPT) | dict.fromkeys(reject, REJECT)
    words = [
        f"{' and '.join(map(str, some))} {verb}{'s' * (len(some) == 1)}"
        for some, verb in ((accept, "accept"), (reject, "reject"))
        if some
    ]
    return Statuses(verdicts, f"status {', '.join(words)}")


def found(command: Sequence[str], seconds: float) -> Statuses:
    """Return the habit of *command*, which is asked four inputs, each for at most *seconds*.

    Where it accepts a letter with 0 and never rejects with 1, but with one of ``HABITS``, this status rejects.
    UsageError where it ends in one way for a letter and in another one for all that is ill-formed, and neither 0 and 1
    nor a habit say what that means.
    """
    good, bad = _status(command, WELL_FORMED, seconds), []
    for data in ILL_FORMED:
        bad.append(_status(command, data, seconds))
        if None in (good, *bad) or (good, bad[-1]) == (0, 1):
            return USUAL
    if good == 0:
        for status, who in HABITS.items():
            if status in bad:
                return Statuses({**USUAL.verdicts, status: REJECT}, f"status 0 accepts, 1 and {status} reject ({who})")
    if len({*bad}) == 1 and good != bad[0] and _is_said(good) and _is_said(bad[0]):
        raise UsageError(
            f"{shlex.join(command)} ends with status {good} for a letter and with {bad[0]} for all that is ill-formed: "
            f"if {bad[0]} refuses, add --accept {good} --reject {bad[0]}; if it is a crash, add --reject 1"
        )
    return USUAL


def _is_said(status: int | None) -> bool:
    """Tell whether a program may end with *status* of its own accord: no signal ends it, and no shell."""
    return status is not None and (0 <= status < NOT_RUN or status == MINUS_ONE)


def _status(command: Sequence[str], data: bytes, seconds: float) -> int | None:
    """Return the exit status of *command* for *data* on its standard input; None if it takes longer than *seconds*."""
    status = status_of(command, data, Limits(seconds))
    return status if isinstance(status, int) else None
