"""What a Python decoder did with an input: it refused, it broke, or it returned a result, which has parts to read."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterator, Sized
from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# What the interpreter raises where a program is wrong. Other exceptions refuse, and so do classes of the decoder's own.
FAULTS = (
    *(TypeError, AttributeError, NameError, ImportError, LookupError, ArithmeticError, MemoryError),
    *(RecursionError, NotImplementedError, SystemError, OSError, StopIteration),
)
PLAIN = frozenset({bool, int, str, bytes, type(None)})  # looked up first: the other questions take longer
MAX_PARTS = 8  # of a tuple or a list
ASKED = ("is_ok", "is_err", "is_valid", "ok", "valid", "error")  # methods of result objects that only tell something

Part = tuple[str, object]  # how it is reached, and the index, key or name
WHOLE: Part = ("", None)
SIZE: Part = ("len", None)


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


def result_of(function: Callable[[bytes], Any], data: bytes) -> Any:
    """Return the same as ``returned_by``, but raise an exception that *function* returns: it refuses as well."""
    value = returned_by(function, data)
    if isinstance(value, Exception):
        raise value
    return value


def returned_by(function: Callable[[bytes], Any], data: bytes) -> Any:
    """Return what *function* returns for *data*; a generator is read to its end, and a coroutine is waited for.

    Raises Broken for what else has to be waited for.
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
    return value


def parts_of(value: object) -> list[Part]:
    """Return which parts of a result can be read: the whole, items of a tuple, list or dict, attributes of an object.

    >>> parts_of((True, "")), parts_of("text")
    ([('', None), ('item', 0), ('item', 1), ('len', None)], [('', None)])
    """
    value = _without_array(value)
    whole = plain(value)
    if not isinstance(whole, tuple):
        return [WHOLE]
    if isinstance(value, dict):
        return [WHOLE, *[("item", key) for key in value if isinstance(key, str | int)], SIZE]
    if isinstance(value, list | tuple):
        return [WHOLE, *[("item", number) for number in range(min(len(value), MAX_PARTS))], SIZE]
    size = [SIZE] * isinstance(value, Sized)
    return [WHOLE, *size, *[part for name in dir(value) if (part := _attribute(value, name))]]


def part_of(value: object, part: Part) -> object:
    """Return *part* of a result as a plain value, see ``plain``; Broken where the result has no such part.

    >>> part_of({"valid": False}, ("item", "valid")), part_of({"valid": False}, ("item", "error"))
    (False, None)
    """
    value = _without_array(value)
    how, key = part
    try:
        match how:
            case "":
                return plain(value)
            case "len":
                return len(value)  # type: ignore[arg-type]
            case "item" if isinstance(value, dict):
                return plain(value.get(key))
            case "item" if isinstance(value, list | tuple):
                return plain(value[key])  # type: ignore[call-overload]
            case "attribute":
                return plain(getattr(value, str(key)))
            case "method":
                return plain(getattr(value, str(key))())
            case _:
                raise LookupError(how)
    except Exception:
        raise Broken(f"returned {value!r:.60}, which has no {written(part)}") from None


def plain(value: object) -> object:
    """Return *value* as None, bool, int, str or bytes; an object of another class as a tuple with the class's name.

    An object whose class says by ``__bool__`` whether it is true, and has no length, is a bool: numpy's bools, say.

    >>> plain(7), plain(b"a"), plain([7])
    (7, b'a', ('list',))
    """
    if type(value) in PLAIN:
        return value
    value = _without_array(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, str | bytes):
        return str(value) if isinstance(value, str) else bytes(value)
    has_truth = any("__bool__" in vars(each) for each in type(value).__mro__)  # not hasattr: classes of enums have one
    if has_truth and value is not NotImplemented and not isinstance(value, Sized | float):
        return bool(value)
    return ("dict" if isinstance(value, dict) else type(value).__name__,)


def written(part: Part, name: str = "result") -> str:
    """Return *part* as Python writes it.

    >>> written(("item", "valid")), written(("attribute", "ok")), written(SIZE)
    ("result['valid']", 'result.ok', 'len(result)')
    """
    how, key = part
    forms = {"": "{}", "len": "len({})", "item": "{}[{!r}]", "attribute": "{}.{}", "method": "{}.{}()"}
    return forms[how].format(name, key)


def _without_array(value: object) -> object:
    """Return an array, of numpy or the standard library, as list or single value; anything else as it is."""
    if type(value) in PLAIN or isinstance(value, memoryview) or not hasattr(value, "tolist"):
        return value
    return value.tolist()


def _attribute(value: object, name: str) -> Part | None:
    """Return the attribute *name* of a result object as a part; None where it says nothing."""
    if name.startswith("_"):
        return None
    try:
        is_method = callable(getattr(value, name))
    except Exception:
        return None
    if is_method:
        return ("method", name) if name in ASKED else None
    return "attribute", name
