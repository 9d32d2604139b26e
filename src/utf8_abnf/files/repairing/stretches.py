"""Where ill-formed stretches are: runs of bytes outside of well-formed characters. In C where there is a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.validator import kernel
from utf8_abnf.validator.functions import first_error
from utf8_abnf.validator.ill_formed import describe

if TYPE_CHECKING:
    from utf8_abnf.files.repairing import _repair as loops
    from utf8_abnf.validator import _kernel
else:
    try:
        from utf8_abnf.files.repairing import _repair as loops
        from utf8_abnf.validator import _kernel
    except ImportError:  # installed without a compiler
        loops = None

_POINTS = _kernel.entry_points() if loops else {}
KERNELS = {name: _POINTS[name][-1] for name in kernel.available if name in _POINTS}


def address() -> int:
    """Return the address of the kernel in use; 0 where Python has to do it."""
    return KERNELS.get(kernel.name, 0)


def next_stretch(data: bytes, at: int, limit: int, most: int) -> tuple[int, int]:
    r"""Return where the first stretch of ``data[at:limit]`` starts and ends; *limit* twice where there is none.

    A stretch has about *most* bytes at most: it ends after the ill-formed sequence that reaches this length.
    Precondition: a character, or an ill-formed sequence, begins at *at*.

    >>> next_stretch(b"a\xe9\xe8b\xff", 0, 5, 100)
    (1, 3)
    """
    if found := address():
        return loops.stretch(found, data, at, limit, most)
    with memoryview(data) as view, view[at:limit] as part:
        error = first_error(part)
    if error is None:
        return limit, limit
    start = at + error.start
    return start, stretch_end(data, start, limit, most)


def repaired_by_table(data: bytes, table: bytes, *, final: bool) -> tuple[bytes, int, bytearray]:
    """Return the repaired bytes, how many of *data* they are, and the changes: see ``fast``. Needs C."""
    found = address() or KERNELS["scalar"]  # the kernel "python" may have been chosen since the stream began
    return loops.repair(found, data, final, table)


def stretch_end(data: bytes, start: int, limit: int, most: int) -> int:
    """Return where the stretch that starts at *start* ends, as in ``next_stretch``."""
    end = start
    while end - start < most and (error := describe(data[end : min(end + 4, limit)])):
        end += error.length
    return end
