"""Result codes of the play page: a code in, and how many of its answers are right out.

The page asks questions that follow from the student's name, and puts the first answers into the code. Here the same
questions are made again, so a code with the answers to another student's questions is of no use. A code shows which
answers were given, not by whom.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from utf8_abnf import first_error

if TYPE_CHECKING:
    from collections.abc import Callable

    Random = Callable[[int], int]

QUESTIONS = 10
MAX_CODE = 2000  # characters
ROWS = ((0x21, 0x7E), (0x80, 0x7FF), (0x800, 0xD7FF), (0x10000, 0x10FFFF))  # of RFC 3629 section 3, without controls
_CODE = re.compile(r"1/(?P<student>[^/\s]+)/predict=(?P<predict>[v0-9.-]*)/code=(?P<code>[0-9A-Fx.-]*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Result:
    """What a code says: the student, and how many of the ten answers to each exercise are right."""

    student: str
    predict: int
    code: int


def read_code(text: str) -> Result | None:
    """Return the result that the code *text* holds, or None if it is not a code.

    >>> read_code("1/Ana/predict=v.2.0/code=28.73")
    Result(student='Ana', predict=2, code=2)
    """
    found = _CODE.fullmatch(text.strip())
    if not found or len(text) > MAX_CODE:
        return None
    student = unquote(found["student"])
    asked = {"predict": prediction, "code": coding}
    right = {
        exercise: sum(
            given == answer(student, number)
            for number, given in enumerate(found[exercise].split(".")[:QUESTIONS])
        )
        for exercise, answer in asked.items()
    }  # fmt: skip
    return Result(student, right["predict"], right["code"])


def prediction(student: str, number: int) -> str:
    """Return the right answer to a question of *Predict the verdict*: ``v``, or the offset that cannot be right."""
    error = first_error(question(student, number))
    return str(error.offending) if error else "v"


def coding(student: str, number: int) -> str:
    """Return the right answer to a question of *Code by hand*: the bytes, or for an odd *number* the code point."""
    asked = point(student, number)
    return f"{asked:X}" if number % 2 else chr(asked).encode().hex().upper()


def question(student: str, number: int) -> bytes:
    """Return the bytes that question *number* of *Predict the verdict* shows to *student*."""
    random = _random(f"{student}/predict/{number}")
    table = _table()
    classes, sink = table["class_of"], table["sink"]
    found = bytearray()
    state = table["start"]
    while len(found) < 3 or not table["states"][state]["accepting"]:
        moves = [table["next"][state][classes[byte]] for byte in range(256)]
        starts = [byte for byte in range(256) if moves[byte] != sink and (not byte or moves[byte - 1] != moves[byte])]
        low = starts[random(len(starts))]
        high = next((byte for byte in range(low, 256) if moves[byte] != moves[low]), 256) - 1
        found.append(low + random(high - low + 1))
        state = moves[found[-1]]
    if random(3):
        edges = [each for byte in range(1, 256) if classes[byte] != classes[byte - 1] for each in (byte - 1, byte)]
        place = random(len(found))
        found[place] = edges[random(len(edges))]
    return bytes(found)


def point(student: str, number: int) -> int:
    """Return the code point that question *number* of *Code by hand* is about; even ones are to be encoded."""
    low, high = ROWS[number // 2 % len(ROWS)]
    return low + _random(f"{student}/code/{number}")(high - low + 1)


def _random(text: str) -> Random:
    """Return the page's ``randomFrom``: numbers below a limit, always the same for *text*."""
    seed = 2166136261
    for byte in text.encode():
        seed = (seed ^ byte) * 16777619 & 0xFFFFFFFF  # FNV-1a

    def below(limit: int) -> int:
        nonlocal seed
        seed = ((seed ^ seed >> 15) * 2246822519 + 374761393) & 0xFFFFFFFF
        return seed % limit

    return below


def _table() -> dict[str, Any]:
    text = (files("utf8_abnf") / "play" / "derived" / "utf8-automaton.json").read_text("ascii")
    table: dict[str, Any] = json.loads(text)
    return table
