r"""RFC 3629's grammar for UTF-8, made executable. This page is the validator; the rest is imported by name.

>>> import utf8_abnf
>>> utf8_abnf.is_valid("naïve".encode())
True
>>> print(utf8_abnf.first_error(b"ab\xed\xa0\x80"))
UTF8-SURROGATE: byte A0 at offset 3; expected 80..9F (UTF8-3)
"""

import sys


def _is_command() -> bool:
    """Return whether this process is the command ``utf8-abnf``, or ``python -m utf8_abnf``."""
    program = sys.argv[0] if sys.argv else ""
    if program == "-m":  # a package is imported before Python knows the path of its __main__
        return any(word.endswith("utf8_abnf") for word in sys.orig_argv)
    return program.replace("\\", "/").rpartition("/")[2].partition(".")[0] == "utf8-abnf"


if _is_command():
    import _signal  # type: ignore[import-not-found]  # signal makes enumerations of this

    # An interrupt while modules are loaded ends the process without a traceback; the command handles those after it.
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from utf8_abnf.validator import kernel  # noqa: E402
from utf8_abnf.validator.functions import (  # noqa: E402
    IncrementalValidator,
    are_valid,
    count_errors,
    first_error,
    is_valid,
    iter_errors,
    validate,
)

TYPE_CHECKING = False  # not from typing, which takes longer to load than all the rest of this
if TYPE_CHECKING:
    from utf8_abnf.files.repairing import repair
    from utf8_abnf.validator.ill_formed import IllFormed, InvalidUtf8
    from utf8_abnf.validator.summary import Summary

__version__ = "0.1.0"

__all__ = [
    "IllFormed",
    "IncrementalValidator",
    "InvalidUtf8",
    "Summary",
    "__version__",
    "are_valid",
    "count_errors",
    "first_error",
    "is_valid",
    "iter_errors",
    "kernel",
    "repair",
    "validate",
]


def __dir__() -> list[str]:
    return __all__  # what __getattr__ loads is listed like the rest


def __getattr__(name: str) -> object:
    # Only errors need these two classes; dataclasses, which they need, takes ten times as long to load as the rest.
    if name in ("IllFormed", "InvalidUtf8"):
        from utf8_abnf.validator import ill_formed

        return getattr(ill_formed, name)
    if name == "Summary":
        from utf8_abnf.validator.summary import Summary

        return Summary
    if name == "repair":  # it needs tables, messages and more
        from utf8_abnf.files.repairing import repair

        return repair
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
