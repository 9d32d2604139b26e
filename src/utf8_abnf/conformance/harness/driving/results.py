"""What a Python decoder did with an input: it refused, it broke, or it returned a result."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What the interpreter raises where a program is wrong. Other exceptions refuse, and so do classes of the decoder's own.
FAULTS = (
    *(TypeError, AttributeError, NameError, ImportError, LookupError, ArithmeticError, MemoryError),
    *(RecursionError, NotImplementedError, SystemError, OSError, StopIteration),
)
PLAIN = frozenset({bool, int, str, bytes, type(None)})  # looked up first: the other questions take longer


class Broken(Exception):  # noqa: N818
    """The decoder did what is neither yes nor no: this is reported as a crash."""

    __module__ = "builtins"  # the last line of a traceback, which the report quotes, has this name alone


def refuses(error: Exception) -> bool:
    """Tell whether *error* says that the data are wrong, and not that the decoder is broken.

    >>> refuses(ValueError()), refuses(UnicodeDecodeError("utf-8", b"", 0, 1, "")), refuses(IndexError())
    (True, True, False)
    """
    if isinstance(error, ValueError):
        return True
    is_fault = isinstance(error, FAULTS) and type(error).__module__ == "builtins"
    return not is_fault and not isinstance(error, Broken)


def returned_by(function: Callable[[bytes], Any], data: bytes) -> Any:
    """Return what *function* returns for *data*; a generator is read to its end, and a coroutine is waited for."""
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
    return value


def plain(value: object) -> object:
    """Return *value* as None, bool, int, str or bytes; an object of another class as a tuple with the class's name.

    An object whose class says by ``__bool__`` whether it is true, and has no length, is a bool: numpy's bools, say.

    >>> plain(7), plain(b"a"), plain([7])
    (7, b'a', ('list',))
    """
    if type(value) in PLAIN:
        return value
    has_truth = any("__bool__" in vars(each) for each in type(value).__mro__)  # not hasattr: classes of enums have one
    if has_truth and value is not NotImplemented and not isinstance(value, Sized | float):
        return bool(value)
    return (type(value).__name__,)
