"""The C half of ``utf8_abnf.conformance.suite`` (src/suite/suite.c); blocks.py and oracle.py say what these return."""

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
