from typing_extensions import Buffer

def judge(
    first_error: int, avx2: bool, data: Buffer, table: bytes, missing_tail: int, /
) -> tuple[int, int, int, tuple[int, ...], tuple[int, int, int, int] | None]: ...
