"""Where ill-formed stretches are: runs of bytes outside of well-formed characters. In C where there is a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.validator import kernel
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from utf8_abnf.validator import _kernel as loops
else:
    try:
        from utf8_abnf.validator import _kernel as loops
    except ImportError:  # installed without a compiler
        loops = None


def is_in_c() -> bool:
    """Return whether a kernel in C is in use; else Python has to do it."""
    return kernel.name != "python"


def next_stretch(data: bytes, at: int, limit: int, most: int) -> tuple[int, int]:
    r"""Return where the first stretch of ``data[at:limit]`` starts and ends; *limit* twice where there is none.

    A stretch has about *most* bytes at most: it ends after the ill-formed sequence that reaches this length.
    Precondition: a character, or an ill-formed sequence, begins at *at*.

    >>> next_stretch(b"a\xe9\xe8b\xff", 0, 5, 100)
    (1, 3)
    """
    if is_in_c():
        return loops.stretch(data, at, limit, most)
    with memoryview(data) as view, view[at:limit] as part:
        error = first_error(part)
    if error is None:
        return limit, limit
    start = at + error.start
    return start, stretch_end(data, start, limit, most)


def repaired_by_table(data: bytes, table: bytes, *, final: bool) -> tuple[bytes, int, bytearray]:
    """Return the repaired bytes, how many of *data* they are, and the changes: see ``fast``. Needs C."""
    return loops.repair(data, final, table)


def stretch_end(data: bytes, start: int, limit: int, most: int) -> int:
    """Return where the stretch that starts at *start* ends, as in ``next_stretch``."""
    end = start
    while end - start < most and (error := describe(data[end : min(end + 4, limit)])):
        end += error.length
    return end
