"""Loading: a C function from a shared library."""

from __future__ import annotations

import ctypes
from typing import Any

from utf8_abnf.errors import TargetError


def load_function(path: str, symbol: str) -> Any:
    """Return the C function *symbol* of the library *path*; TargetError when it cannot be loaded."""
    try:
        function = getattr(ctypes.CDLL(path), symbol)
    except OSError as error:
        raise TargetError(f"cannot load {path}: {error}") from None
    except AttributeError:
        raise TargetError(f"{path} has no symbol {symbol}") from None
    function.restype = ctypes.c_int
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return function
