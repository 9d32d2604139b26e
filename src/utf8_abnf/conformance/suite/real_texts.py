"""The families of real texts: a hundred short words and signs as people write them, and long runs of them.

Some decoders treat characters that belong together as a unit: a letter with its marks, the jamo of a syllable, an emoji
with its joiners. What they do there shows only in text that has such units. ``real_texts.txt`` has the words.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite.blocks import Block, listed
from utf8_abnf.conformance.suite.long_text import CUT, FAULTS, turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from utf8_abnf.conformance.suite.plan import Plan

MAX_RUN = 5 << 10  # characters: the last borders are those of counters of 8, 9 and 10 bits


def texts() -> dict[str, str]:
    """Return the texts by their names.

    >>> len(texts()), texts()["greek/word"]
    (109, 'Λόγος')
    """
    lines = (files(__package__) / "real_texts.txt").read_text(encoding="ascii").splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return {name: "".join(chr(int(point, 16)) for point in points) for name, *points in rows}


def real_texts(_: Plan) -> Iterator[Block]:
    """Yield each text, and each with one fault at each border of its characters, or one character cut short."""
    for name, text in texts().items():
        cases = {name: text.encode()}
        for border in range(len(text) + 1):
            before, after = text[:border].encode(), text[border:].encode()
            for number, fault in enumerate(FAULTS):
                cases[f"{name}/{border}/fault-{number}"] = before + fault + after
            if border and text[border - 1] > "\x7f":
                cases[f"{name}/{border}/cut"] = before[:-1] + after
        yield listed(cases)


def long_runs(_: Plan) -> Iterator[Block]:
    """Yield a letter and a long run of each text and of each of its characters, well-formed and with faults behind it.

    A decoder may keep what belongs together in a buffer, count it, or call itself for each part of it.
    """
    repeated = texts() | {f"U+{ord(each):04X}": each for text in texts().values() for each in text}
    for number, (name, text) in enumerate(repeated.items()):
        run = ("e" + text * (MAX_RUN // len(text))).encode()
        yield Block(((run,), (b"", *turns(number, FAULTS, 2), *turns(number, CUT, 1))), names=((name,), None))
