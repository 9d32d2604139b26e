"""The C half of ``utf8_abnf.conformance.suite`` (src/suite/suite.c), and of ``proving`` (src/suite/prove.h).

blocks.py and oracle.py say what the first three return.
"""

def frames(
    next: bytes, accepting: bytes, start: int, parts: tuple[tuple[bytes, ...], ...], skip: int, /
) -> tuple[bytes, bytes]: ...
def judge(
    next: bytes,
    accepting: bytes,
    start: int,
    parts: tuple[tuple[bytes, ...], ...],
    decoder: int,
    after: int,
    place: int,
    keep: int,
    stop_at: int,
    asked: int = 0,
    /,
) -> tuple[int, int, tuple[int, ...]]: ...
def answers(next: bytes, accepting: bytes, start: int, sink: int, mode: str, frames: bytes, /) -> bytes: ...
def next_window(window: int, /) -> int: ...
def lanes(address: int, width: int, oracle: bytes, window: int, count: int, /) -> tuple[int, int, int] | None: ...
def text(address: int, width: int, oracle: bytes, text: bytes, /) -> tuple[int, int, int] | None: ...
def four(address: int, oracle: bytes, first: int, /) -> tuple[int, int, int] | None: ...
def sequence(address: int, oracle: bytes, first: int, /) -> tuple[int, int, int] | None: ...
def unfinished(address: int, oracle: bytes, first: int, /) -> tuple[int, int, int] | None: ...
def positions(
    is_valid: int,
    first_error: int,
    oracle: bytes,
    filler: bytes,
    word: bytes,
    low: int,
    high: int,
    from_end: int,
    skew: int,
    /,
) -> tuple[int, int, int] | None: ...
