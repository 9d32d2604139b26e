"""Result codes of the play page: a code in, and how many of its answers are right out.

The page asks questions that follow from the student's name, and puts the first answers into the code. Here the same
questions are made again, so a code with the answers to another student's questions is of no use. A code shows which
answers were given, not by whom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.automaton import Automaton

    Random = Callable[[int], int]

QUESTIONS = 10
MAX_CODE = 4000  # characters
MAX_WORD = 30  # bytes of a word, but for the shortest way to its end
ROWS = ((0x21, 0x7E), (0x80, 0x7FF), (0x800, 0xD7FF), (0x10000, 0x10FFFF))  # of RFC 3629 section 3, without controls
# The exercises that ask for verdicts: the grammar, one that ships, and the rule; after UTF-8 in the order of levels.
# JSON as a whole is not regular.
LANGUAGES = {
    "predict": ("utf8", "UTF8-octets"),
    "date-time": ("date-time", "date-time"),
    "json-number": ("json", "number"),
    "uri": ("uri", "URI"),
}
EXERCISES = ("predict", "code", *(name for name in LANGUAGES if name != "predict"))
_CODE = re.compile(r"1/(?P<student>[^/\s]+)(?P<answers>(?:/[a-z-]+=[0-9A-Fvx.-]*)*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Result:
    """What a code says: the student, and for each exercise how many of the ten answers are right."""

    student: str
    right: dict[str, int]


def read_code(text: str) -> Result | None:
    """Return the result that the code *text* holds, or None if it is not a code.

    >>> read_code("1/Ana/predict=v.0.2/code=28.73/uri=v").right["code"]
    2
    """
    found = _CODE.fullmatch(text.strip())
    if not found or len(text) > MAX_CODE:
        return None
    student = unquote(found["student"])
    given = dict(part.split("=") for part in found["answers"].split("/")[1:])
    if not given.keys() <= set(EXERCISES):
        return None
    return Result(student, {name: _right(student, name, given.get(name, "")) for name in EXERCISES})


def _right(student: str, exercise: str, answers: str) -> int:
    given = answers.split(".")[:QUESTIONS]
    asked = {number: each for number, each in enumerate(given) if each not in {"", "-"}}
    if exercise == "code":
        return sum(each == coding(student, number) for number, each in asked.items())
    return sum(each == prediction(student, number, exercise) for number, each in asked.items())


def prediction(student: str, number: int, exercise: str = "predict") -> str:
    """Return the right verdict: ``v``, or the offset of the first byte that cannot be right, which may be the end.

    >>> question("Ana", 0, "date-time"), prediction("Ana", 0, "date-time")
    (b'6438-49-49Tt2:11:07+96:80', '11')
    """
    word = question(student, number, exercise)
    automaton = _automaton(exercise)
    if automaton.accepts(word):
        return "v"
    wrong = automaton.dead_offset(word)
    return str(len(word) if wrong is None else wrong)


def coding(student: str, number: int) -> str:
    """Return the right answer to a question of *Code by hand*: the bytes, or for an odd *number* the code point."""
    asked = point(student, number)
    return f"{asked:X}" if number % 2 else chr(asked).encode().hex().upper()


def question(student: str, number: int, exercise: str = "predict") -> bytes:
    """Return the bytes about which question *number* of *exercise* asks *student*.

    A word of the language of 3 + *number* bytes or more, as it is or with a mistake: a byte changed to the edge of a
    class (two times out of four), or one byte left out.
    """
    random = _random(f"{student}/{exercise}/{number}")
    automaton = _automaton(exercise)
    word = _word(automaton, 3 + min(number, QUESTIONS - 1), random)
    mistake = random(4)
    if not mistake:
        return bytes(word)
    place = random(len(word))
    if mistake == 3:
        return bytes(word[:place] + word[place + 1 :])
    columns = list(zip(*automaton.rows, strict=True))
    edges = [each for byte in range(1, 256) if columns[byte] != columns[byte - 1] for each in (byte - 1, byte)]
    word[place] = edges[random(len(edges))]
    return bytes(word)


def _word(automaton: Automaton, least: int, random: Random) -> list[int]:
    """Return a word of *least* bytes or more; after MAX_WORD bytes it takes the shortest way to its end."""
    far = _distances(automaton)
    word: list[int] = []
    state = automaton.start
    while len(word) < least or state not in automaton.accepting:
        targets: dict[int, list[int]] = {}  # in the order of their lowest bytes
        for byte, target in enumerate(automaton.rows[state]):
            if target in far and (len(word) < MAX_WORD or far[target] < far[state]):
                targets.setdefault(target, []).append(byte)
        if not targets:
            break  # no longer word begins so
        choice = list(targets.values())[random(len(targets))]
        word.append(choice[random(len(choice))])
        state = automaton.step(state, word[-1])
    return word


def _distances(automaton: Automaton) -> dict[int, int]:
    """Return how many bytes each state is away from accepting; a state from which nothing is accepted is left out."""
    far = dict.fromkeys(automaton.accepting, 0)
    while True:
        near = {
            state: min(far[target] for target in row if target in far) + 1
            for state, row in enumerate(automaton.table)
            if state not in far and not far.keys().isdisjoint(row)
        }
        if not near:
            return far
        far |= near


@cache
def _automaton(exercise: str) -> Automaton:
    name, rule = LANGUAGES[exercise]
    return compile_grammar(Grammar.load(name, start=rule), rule)


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
