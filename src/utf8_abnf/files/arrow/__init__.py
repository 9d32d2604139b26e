r"""Validate and repair the columns of tables, from any library that has the Arrow PyCapsule interface.

These are pyarrow, polars, pandas, DuckDB, nanoarrow and others: whatever has ``__arrow_c_array__`` or
``__arrow_c_stream__``. None of them is imported here. A column holds strings or bytes, also as views, in a dictionary,
in chunks or as a slice; a table of one column is taken as this column. These libraries take the results as columns:

>>> import pyarrow
>>> from utf8_abnf.files import arrow
>>> names = pyarrow.array([b"caf\xc3\xa9", b"caf\xe9", None])
>>> pyarrow.array(arrow.is_valid(names)).to_pylist()
[True, False, None]

What a library hands over is looked at: lengths, offsets, views and indices that lead outside, or offsets that decrease,
are a ``ValueError``. Arrow's interface does not say how long most buffers are: this has to be believed.
The module needs the C extension: without it, its import is an ``ImportError``.
"""

from utf8_abnf.files.arrow._arrow import ChunkedColumn, Column
from utf8_abnf.files.arrow.functions import ColumnSummary, first_error, is_valid, replace, summary

__all__ = ["ChunkedColumn", "Column", "ColumnSummary", "first_error", "is_valid", "replace", "summary"]
