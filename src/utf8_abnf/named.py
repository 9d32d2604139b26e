"""``NamedTuple`` as in typing, for what a command loads at each start.

Typing compiles each annotation that is text, and the first ``compile`` makes all classes of ``ast``: 1.5 ms. Here
annotations stay what they are. A type checker sees typing's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        def __new__(cls, name, _, scope):
            fields = scope["__annotations__"]
            defaults = [scope.pop(field) for field in fields if field in scope]
            made = namedtuple(name, fields, defaults=defaults, module=scope["__module__"])
            return type(name, (made,), {**scope, "__slots__": ()})

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
