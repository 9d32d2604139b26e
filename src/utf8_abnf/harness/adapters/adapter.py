"""Adapter for ``utf8-abnf test stream:'python3 adapter.py'``; in Python ``py:module:function`` is simpler.

Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
"""

import os


def accepts(data: bytes) -> bool:
    """Tell whether the decoder takes *data* as UTF-8."""
    # TODO: call your decoder. This example accepts ASCII only.
    return data.isascii()


def main() -> None:
    """Answer until the input ends; answers leave when everything that has come is judged."""
    os.write(1, b"utf8-abnf 1 modes=v name=mydecoder version=1\n")
    pending = b""
    while b"\n" not in pending:
        pending += os.read(0, 65536)
    pending = pending.partition(b"\n")[2]
    while True:
        answers, at = bytearray(), 0
        while at + 4 <= len(pending) and at + 4 + int.from_bytes(pending[at : at + 4], "little") <= len(pending):
            end = at + 4 + int.from_bytes(pending[at : at + 4], "little")
            answers += b"1" if accepts(pending[at + 4 : end]) else b"0"
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
