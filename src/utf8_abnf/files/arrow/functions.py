"""The functions on columns: a column of any library in, a column or a summary out. The loops are in C."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from utf8_abnf.files.arrow import _arrow
from utf8_abnf.validator import _kernel, kernel
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from utf8_abnf.files.arrow._arrow import ChunkedColumn, Column

_POINTS = _kernel.entry_points()


class ArrowArray(Protocol):
    """A column, or a table of one column, in one piece."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Return its type and its rows as capsules."""


class ArrowStream(Protocol):
    """A column, or a table of one column, in chunks."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return its chunks as a capsule."""


class ColumnSummary(NamedTuple):
    """What is in a column: *rows*, how many of them are null (*nulls*) and how many *ill_formed*.

    *first_ill_formed* is the number of the first ill-formed row, counted from 0; None where there is none. *errors*
    counts the ill-formed sequences in all rows, by the codes of ``IllFormed``.
    """

    rows: int
    nulls: int
    ill_formed: int
    first_ill_formed: int | None
    errors: dict[str, int]


def is_valid(column: ArrowArray | ArrowStream, /) -> Column | ChunkedColumn:
    r"""Return a column of booleans: whether each row is well-formed UTF-8 (RFC 3629 section 4); null where it is null.

    A column in chunks gives a ``ChunkedColumn`` with the same chunks, any other a ``Column``. ``TypeError`` for what is
    not a column of strings or bytes, ``ValueError`` for a column that is broken and for a table with null rows.

    >>> import pyarrow
    >>> pyarrow.array(is_valid(pyarrow.array([b"a", b"\xff", b""]))).to_pylist()
    [True, False, True]
    """
    return _arrow.is_valid(_kernel_in_use(), column)


def first_error(column: ArrowArray | ArrowStream, /) -> Column | ChunkedColumn:
    r"""Return a column of structs (offset, length, code): the first ill-formed sequence of each row.

    The struct is null where the row is well-formed or null. *offset* and *length* count bytes, *offset* from the start
    of the row; *code* is that of ``IllFormed``, as a dictionary of strings. It raises what ``is_valid`` raises.

    >>> import pyarrow
    >>> pyarrow.array(first_error(pyarrow.array([b"a", b"ab\xff"]))).to_pylist()
    [None, {'offset': 2, 'length': 1, 'code': 'UTF8-TOO-LARGE'}]
    """
    return _arrow.first_error(_kernel_in_use(), column)


def replace(column: ArrowArray | ArrowStream, policy: str = "fffd") -> Column | ChunkedColumn:
    r"""Return *column* as strings, well-formed in every row: ill-formed rows are repaired by *policy*, each by itself.

    *policy* is that of ``utf8_abnf.repair``, as "fffd" or "windows-1252". The type is Arrow's large_string; a column
    with a dictionary gets another dictionary, of large_string. It raises what ``is_valid`` and ``repair`` raise.

    >>> import pyarrow
    >>> pyarrow.array(replace(pyarrow.array([b"caf\xe9", None]), "windows-1252")).to_pylist()
    ['café', None]
    """
    from utf8_abnf.files.repairing import (
        repair,  # it loads codecs and tables, for which the other functions need not wait
    )

    repair(b"", policy)  # an unknown policy is an error also where all rows are well-formed
    return _arrow.replace(_kernel_in_use(), column, lambda row: repair(row, policy).data)


def summary(column: ArrowArray | ArrowStream, /) -> ColumnSummary:
    r"""Return how many rows *column* has, how many are null or ill-formed, and the errors in them by their codes.

    It raises what ``is_valid`` raises.

    >>> import pyarrow
    >>> found = summary(pyarrow.array([b"a", None, b"\xff", b"\xc0\x80\xff"]))
    >>> found.rows, found.nulls, found.ill_formed, found.first_ill_formed, found.errors["UTF8-TOO-LARGE"]
    (4, 1, 2, 2, 2)
    """
    rows, nulls, ill_formed, first, counts = _arrow.summary(_kernel_in_use(), column)
    return ColumnSummary(rows, nulls, ill_formed, None if first < 0 else first, dict(zip(CODES, counts, strict=True)))


def _kernel_in_use() -> int:
    """Return the address of the kernel. The kernel "python" has none: then the scalar one decides."""
    return _POINTS.get(kernel.name, _POINTS["scalar"])[-1]
