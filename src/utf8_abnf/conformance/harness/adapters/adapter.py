"""Adapter for ``utf8-abnf test stream:'python3 adapter.py'``; in Python ``py:module:function`` is simpler.

Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
"""

import os


# [v]
def accepts(data: bytes) -> bool:
    """Tell whether the decoder takes *data* as UTF-8."""
    # TODO: call your decoder. This example accepts ASCII only.
    return data.isascii()


# [p]
def first_error(data: bytes) -> tuple[int, int] | None:
    """Return the offset and the length (0: not told) of the first error, None if there is none."""
    # TODO: call your decoder.
    return next(((at, 1) for at, byte in enumerate(data) if byte > 0x7F), None)


# [r]
def replace(data: bytes) -> str | None:
    """Return the text, with U+FFFD for errors; None to reject and not replace."""
    # TODO: call your decoder.
    return data.decode("ascii", "replace")


# [s]
class Stream:
    """A stream of the decoder."""

    # TODO: feed returns False if the data are certainly wrong by now, finish if they were.
    def __init__(self) -> None:
        self.good = True

    def feed(self, data: bytes) -> bool:
        self.good = self.good and data.isascii()
        return self.good

    def finish(self) -> bool:
        return self.good


# [pr]
def number(value: int) -> bytes:
    return (value & 0xFFFFFFFF).to_bytes(4, "little")


# [end]
def answer(mode: str, data: bytes) -> bytes:
    """Return the answer to one frame."""
    # [v]
    if mode == "v":
        return b"1" if accepts(data) else b"0"
    # [p]
    if mode == "p":
        offset, length = first_error(data) or (-1, 0)
        return number(offset) + bytes([length])
    # [r]
    if mode == "r":
        text = replace(data)
        # "surrogatepass", so that a lone surrogate is seen, as three bytes.
        written = (text or "").encode("utf-8", "surrogatepass")
        return number(-1) if text is None else number(len(written)) + written
    # [s]
    if mode == "s":
        stream, said = Stream(), b""
        count = int.from_bytes(data[:4], "little")
        at = 4 + 4 * count
        for index in range(4, at, 4):
            end = at + int.from_bytes(data[index : index + 4], "little")
            said += b"?" if stream.feed(data[at:end]) else b"0"
            at = end
        return said + (b"1" if stream.finish() else b"0")
    # [end]
    raise ValueError(mode)


def main() -> None:
    """Answer until the input ends; answers leave when everything that has come is judged."""
    os.write(1, b"utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n")
    pending = b""
    while b"\n" not in pending:
        pending += os.read(0, 65536)
    mode, _, pending = pending.partition(b"\n")
    while True:
        answers, at = bytearray(), 0
        while at + 4 <= len(pending) and at + 4 + int.from_bytes(pending[at : at + 4], "little") <= len(pending):
            end = at + 4 + int.from_bytes(pending[at : at + 4], "little")
            answers += answer(mode.decode(), pending[at + 4 : end])
            at = end
        pending = pending[at:]
        while answers:
            del answers[: os.write(1, answers)]
        more = os.read(0, 65536)
        if not more:
            return
        pending += more


if __name__ == "__main__":
    main()
