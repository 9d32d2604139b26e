"""The validator's functions: bytes in, a verdict or the errors out.

Rule 1: nothing here imports the grammar pipeline; the differential tests show that both agree.
Rule 2: the kernels find where an ill-formed sequence starts; ``ill_formed.describe`` says what is wrong with it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from typing: see __init__.py
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from utf8_abnf.validator._kernel import (
        IncrementalValidator,
        are_valid,
        count_by_code,
        count_well_formed,
        errors_from,
        first_error,
        is_valid,
    )
    from utf8_abnf.validator.ill_formed import IllFormed
else:
    try:
        from utf8_abnf.validator._kernel import (
            IncrementalValidator,
            are_valid,
            count_by_code,
            count_well_formed,
            errors_from,
            first_error,
            is_valid,
        )
    except ImportError:  # installed without a compiler
        from utf8_abnf.validator._python import (
            IncrementalValidator,
            are_valid,
            count_by_code,
            count_well_formed,
            errors_from,
            first_error,
            is_valid,
        )

__all__ = [
    "IncrementalValidator",
    "are_valid",
    "count_errors",
    "count_well_formed",
    "first_error",
    "is_valid",
    "iter_errors",
    "validate",
]

_BATCH = 256  # errors that one call of C looks for; more would be found and not asked for


def iter_errors(data: Buffer, /) -> Iterator[IllFormed]:
    r"""Return an iterator over every ill-formed sequence in *data*, in order.

    Each is a maximal subpart (Unicode 3.9): what a decoder replaces by one U+FFFD. Offsets count bytes. A str is a
    TypeError and a view that is not contiguous a BufferError, at once; bad bytes raise nothing.

    >>> [(error.start, error.length) for error in iter_errors(b"a\xc0\x80b\xe2\x82")]
    [(1, 1), (2, 1), (4, 2)]
    """
    return _errors(data, errors_from(data, 0, 1))


def _errors(data: Buffer, errors: list[IllFormed]) -> Iterator[IllFormed]:
    while errors:
        yield from errors
        errors = errors_from(data, errors[-1].end, _BATCH)


def count_errors(data: Buffer, /) -> dict[str, int]:
    r"""Return how many ill-formed sequences *data* has of each code: those that ``iter_errors`` yields, counted in C.

    The keys are the codes of ``IllFormed``, all six of them. It raises what ``iter_errors`` raises.

    >>> counts = count_errors(b"a\xc0\x80b\xe2\x82")
    >>> {code: count for code, count in counts.items() if count}
    {'UTF8-OVERLONG': 1, 'UTF8-LONE-TAIL': 1, 'UTF8-TRUNCATED': 1}
    """
    from utf8_abnf.validator.ill_formed import CODES

    return dict(zip(CODES, count_by_code(data), strict=True))


def validate(data: Buffer, /) -> None:
    r"""Return when *data* is well-formed UTF-8; raise InvalidUtf8, a UnicodeDecodeError, when it is not.

    The exception's ``error`` is the IllFormed that ``first_error`` returns; its ``object`` is *data* as bytes, copied
    when it is asked for if *data* is something else. A str is a TypeError, a view that is not contiguous a BufferError.

    >>> try:
    ...     validate(b"\xf4\x90\x80\x80")
    ... except UnicodeDecodeError as exception:
    ...     print(exception.error)
    UTF8-TOO-LARGE: byte 90 at offset 1; expected 80..8F (UTF8-4)
    """
    error = first_error(data)
    if error is not None:
        from utf8_abnf.validator.ill_formed import InvalidUtf8

        raise InvalidUtf8(data, error)
