"""Choose the kernel that decides: ``kernel.name``, ``kernel.available`` and ``kernel.use``.

``name`` is the kernel that decides now, ``available`` those that run here, best first and "python" last. The first is
in use unless the environment variable UTF8_ABNF_KERNEL names another.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # not from typing: see __init__.py
if TYPE_CHECKING:
    from utf8_abnf.validator import _kernel as _machine

    name: str
else:
    try:
        from utf8_abnf.validator import _kernel as _machine
    except ImportError:  # installed without a compiler
        from utf8_abnf.validator import _python as _machine

__all__ = ["available", "name", "use"]

NAMES = ("avx512", "avx2", "sse4", "neon", "wasm", "scalar", "python")  # every kernel there is, on any machine
VARIABLE = "UTF8_ABNF_KERNEL"

available: tuple[str, ...] = _machine.available()


def use(name: str, /) -> None:
    """Let the kernel called *name* decide from now on, in the whole process.

    ValueError when no kernel of that name runs here; the message lists those that do.

    >>> from utf8_abnf import kernel
    >>> best = kernel.name
    >>> kernel.use("python")
    >>> kernel.name
    'python'
    >>> kernel.use(best)
    """
    if name not in available:
        raise ValueError(_refusal(name))
    _machine.use(name)


def _refusal(name: str) -> str:
    why = "does not run here" if name in NAMES else "does not exist"
    return f"the kernel {name!r} {why}; available: {', '.join(available)}"


def _use_the_one_asked_for() -> None:
    wanted = os.environ.get(VARIABLE)
    if wanted in available:
        _machine.use(wanted)
    elif wanted:
        import warnings

        # A warning, because a setting for another machine must not keep a program from starting on this one.
        message = f"{VARIABLE}: {_refusal(wanted)}; using {_machine.active()}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def __getattr__(attribute: str) -> str:
    if attribute == "name":
        return _machine.active()
    raise AttributeError(f"module {__name__!r} has no attribute {attribute!r}")


_use_the_one_asked_for()
