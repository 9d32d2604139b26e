"""How a Python decoder says yes and no: what it did with a few inputs comes in, the meaning of its results goes out."""

from __future__ import annotations

import inspect
import os
import select
import signal
import time
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# Well-formed and ill-formed in turn: where a decoder is slow, the first ones are all that it is asked.
PROBES = tuple(
    map(bytes.fromhex, ("41", "FF", "6162", "C3", "C3A9", "E28261", "E282AC", "C0AF", "", "EDA080", "F09F9880"))
)

# What the interpreter raises where a program is wrong. Other exceptions refuse, and so do classes of the decoder's own.
FAULTS = (
    *(TypeError, AttributeError, NameError, ImportError, LookupError, ArithmeticError, MemoryError),
    *(RecursionError, NotImplementedError, SystemError, OSError, StopIteration),
)

PLAIN = frozenset({bool, int, str, bytes, type(None)})  # looked up first: the other questions take longer
TRUTH, NONE, FALSE, VALUE, COUNT, RAISED = "truth", "None", "False", "value", "count", "raised"
MARKED = "marked"  # a value with U+FFFD, which none of PROBES has


class Broken(Exception):  # noqa: N818
    """The decoder did what is neither yes nor no: this is reported as a crash."""


def refuses(error: Exception) -> bool:
    """Tell whether *error* says that the data are wrong, and not that the decoder is broken.

    >>> refuses(ValueError()), refuses(UnicodeDecodeError("utf-8", b"", 0, 1, "")), refuses(IndexError())
    (True, True, False)
    """
    if isinstance(error, ValueError):
        return True
    is_fault = isinstance(error, FAULTS) and type(error).__module__ == "builtins"
    return not is_fault and not isinstance(error, Broken)


def result_of(function: Callable[[bytes], Any], data: bytes) -> Any:
    """Return what *function* returns for *data*; a generator is read to its end, and a coroutine is waited for.

    An exception that it returns refuses as one that it raises. Raises Broken for what else has to be waited for.
    """
    try:
        value = function(data)
        if type(value) in PLAIN:
            return value
        if inspect.iscoroutine(value):
            import asyncio  # it takes long to load

            value = asyncio.run(value)
        if isinstance(value, Iterator):
            deque(value, maxlen=0)
    except SystemExit as error:
        raise Broken(f"raised SystemExit: {error}") from None
    if inspect.isawaitable(value):
        getattr(value, "close", bool)()
        raise Broken("returned what has to be waited for: wrap it in a function that waits for its result")
    if isinstance(value, Exception):
        raise value
    return value


def kind_of(value: object) -> str:
    """Return the kind of a result: truth for True, 0 and 1, count for other whole numbers, False, None, or value.

    An object whose class says by ``__bool__`` whether it is true, such as numpy's bools, is a truth value.

    >>> kind_of(True), kind_of(False), kind_of(0), kind_of(7), kind_of(None), kind_of("")
    ('truth', 'False', 'truth', 'count', 'None', 'value')
    """
    if value is True:
        return TRUTH
    if value is None or value is False:
        return str(value)
    if isinstance(value, Integral):
        return TRUTH if value in (0, 1) else COUNT
    return TRUTH if hasattr(type(value), "__bool__") else VALUE


def _has_mark(value: object) -> bool:
    """Tell whether *value* is text with U+FFFD, or a pair that begins with such text, as codecs return it."""
    text = value[0] if isinstance(value, tuple) and value else value
    if isinstance(text, str):
        return "\ufffd" in text
    return isinstance(text, bytes | bytearray) and "\ufffd".encode() in text


@dataclass(frozen=True, slots=True)
class Habit:
    """How results are verdicts: *words* say it, *accepts* tells whether a result does."""

    words: str
    accepts: Callable[[object], bool]


BY_TRUTH = Habit("accepts when its result is true", bool)
BY_RETURN = Habit("accepts when it returns, refuses when it raises", lambda _value: True)
BY_VALUE = Habit("accepts when its result is neither None nor False", lambda value: kind_of(value) not in (NONE, FALSE))
UNLESS_FALSE = Habit("accepts unless it returns False", lambda value: value is not False)
REPLACES = Habit(
    "accepts when it returns, and was not seen to refuse anything; it returned U+FFFD for ill-formed input: "
    "a class with `replace = staticmethod(FUNCTION)` is judged as a decoder that replaces",
    lambda _value: True,
)
NEVER_REFUSES = Habit("accepts when it returns, and was not seen to refuse anything", lambda _value: True)


def habit_of(seen: set[str]) -> Habit | None:
    """Return the habit of a decoder that did what *seen* holds, kinds of results and RAISED; None if it is unknown.

    >>> habit_of({TRUTH, FALSE}) is BY_TRUTH, habit_of({NONE, RAISED}) is BY_RETURN, habit_of({VALUE, NONE}) is BY_VALUE
    (True, True, True)
    """
    returned = seen - {RAISED, MARKED}
    if not returned:
        return None
    if returned <= {TRUTH, FALSE, COUNT}:
        is_length = COUNT in returned and RAISED in seen  # len(text), say: 0 is then the length of the empty text
        return BY_RETURN if is_length else BY_TRUTH
    if RAISED in seen:
        return BY_RETURN
    if returned == {NONE, FALSE}:
        return UNLESS_FALSE
    if returned & {NONE, FALSE} and len(returned) > 1:
        return BY_VALUE
    return REPLACES if MARKED in seen else NEVER_REFUSES


def observe(function: Callable[[bytes], Any], seconds: float, tell: Callable[[str], object]) -> None:
    """Call *function* with ``PROBES`` until *seconds* have passed; call *tell* with the kind of each result."""
    deadline = time.monotonic() + seconds
    for data in PROBES:
        if time.monotonic() > deadline:
            return
        try:
            value = result_of(function, data)
            tell(kind_of(value))
            if _has_mark(value):
                tell(MARKED)
        except Exception as error:
            if refuses(error):
                tell(RAISED)


def seen_here(function: Callable[[bytes], Any], seconds: float) -> set[str]:
    """Return what *function* does with ``PROBES``."""
    seen: set[str] = set()
    observe(function, seconds, seen.add)
    return seen


def seen_apart(function: Callable[[bytes], Any], seconds: float) -> set[str]:
    """Return the same as ``seen_here``, asked in a copy of this process: it may crash, hang, or remember the calls."""
    if not hasattr(os, "fork"):
        return seen_here(function, seconds)
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads in a process that forks: the decoder may have started some
        copy = os.fork()
    if copy == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            observe(function, seconds, lambda kind: os.write(writes, f"{kind}\n".encode()))
        finally:
            os._exit(0)
    os.close(writes)
    told = b""
    deadline = time.monotonic() + seconds
    with open(reads, "rb", buffering=0) as stream:
        while (left := deadline - time.monotonic()) > 0 and select.select([stream], [], [], left)[0]:
            if not (more := stream.read(4096)):
                break
            told += more
    os.kill(copy, signal.SIGKILL)
    os.waitpid(copy, 0)
    return set(told.decode().split())
