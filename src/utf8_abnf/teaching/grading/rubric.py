"""A rubric: what each mistake costs, and what a teacher wants to say about it. A TOML file in, a ``Rubric`` out.

``docs/teaching/rubric.toml`` is an example with every key. Without a rubric each mistake costs the same: all the
points, divided by the number of mistakes of the starter.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from utf8_abnf.errors import UsageError
from utf8_abnf.validator.ill_formed import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from utf8_abnf.teaching.grading.mistakes import Mistake

FULL = 100.0
STARTER_MISTAKES = 6  # of the grammar that lesson 3 begins with, against UTF-8
ONE_CHARACTER = "one-character"  # the grammar describes one character, not a sequence of characters
OTHER_START = "other-start"  # another rule than the one that would be right is the start
EMPTY_INPUT = "empty-input"  # the grammar is wrong about the empty input
SYNTAX = "syntax"  # slips of syntax, however many
REQUIREMENT = "requirement"  # the grammar is not what ``--require`` or ``--forbid`` ask for
KINDS = (*CODES, ONE_CHARACTER, OTHER_START, EMPTY_INPUT, SYNTAX, REQUIREMENT)
_KEYS = {"name": str, "points": int | float, "kind": str, "begins": str, "accepts": bool, "hint": str}


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """A mistake that a rubric names: it costs *points* once, in however many places it is made.

    It is a mistake of the *kind* (a code such as ``UTF8-SURROGATE``, or one of ``KINDS``), whose input *begins* with
    these bytes, and which the grammar *accepts* wrongly (True) or rejects wrongly (False); None and empty: any.
    """

    name: str
    points: float
    kind: str = ""
    begins: bytes = b""
    accepts: bool | None = None
    hint: str = ""

    def covers(self, mistake: Mistake) -> bool:
        """Return whether *mistake* is this one."""
        if mistake.said:  # of the whole grammar, not of an input
            return self.kind == mistake.name
        kind = mistake.name or ("" if mistake.word else EMPTY_INPUT)
        return (
            self.kind in {"", kind} and mistake.word.startswith(self.begins) and self.accepts in {None, mistake.extra}
        )


@dataclass(frozen=True, slots=True)
class Rubric:
    """A grammar equal to the reference has *full* points; a mistake costs *each*, or what *named* has for it."""

    full: float = FULL
    each: float = FULL / STARTER_MISTAKES
    named: tuple[NamedMistake, ...] = ()

    @property
    def most(self) -> int:
        """How many mistakes take all points, at most; named ones that cost less than others are counted apart."""
        return int(-(-self.full // self.each)) + len(self.named)

    def charges(self, found: Iterable[Mistake]) -> list[NamedMistake | None]:
        """Return what the mistakes *found* cost: each named one once, and None for each that has no name."""
        rows = [next((row for row in self.named if row.covers(mistake)), None) for mistake in found]
        return [row for number, row in enumerate(rows) if row is None or row not in rows[:number]]

    def points(self, found: Iterable[Mistake]) -> float:
        """Return the points that the mistakes *found* leave, with one digit after the point.

        >>> from utf8_abnf.teaching.grading.mistakes import Mistake
        >>> Rubric(full=10, each=3).points([Mistake(b"A", extra=True, offset=0)])
        7
        """
        return max(0.0, round(self.full - sum(row.points if row else self.each for row in self.charges(found)), 1))


def read_rubric(text: bytes, file: str) -> tuple[Rubric, str]:
    r"""Return the rubric in *text*, with 0 for each if it says nothing of that, and its starter, "" if it names none.

    ``UsageError`` names the key that is wrong.

    >>> rubric, _ = read_rubric(b'points = 20\n[[mistake]]\nname = "a"\npoints = 5', "r.toml")
    >>> rubric.each, rubric.named[0].points
    (0, 5)
    """
    try:
        table = tomllib.loads(text.decode())
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: this is not TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{file}: values are nested too deeply") from None
    rows, starter = table.pop("mistake", []), table.pop("starter", "")
    full = _number(table.pop("points", FULL), "points", file)
    each = _number(table.pop("each", 0), "each", file)
    if table or not isinstance(rows, list) or not isinstance(starter, str):
        known = "points, each, starter, and [[mistake]] with " + ", ".join(_KEYS)
        raise UsageError(f"{file}: the rubric has a key that is not known, or of another type; the keys are {known}")
    if full <= 0:
        raise UsageError(f"{file}: points has to be more than 0")
    return Rubric(full, each, tuple(_named(row, file) for row in rows)), starter


def _number(value: object, key: str, file: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:  # NaN is in no range
        raise UsageError(f"{file}: {key} has to be a number from 0 to 1000000")
    return value


def _named(row: dict[str, Any], file: str) -> NamedMistake:
    wrong = [key for key, value in row.items() if key not in _KEYS or not isinstance(value, _KEYS[key])]
    if wrong or "name" not in row or "points" not in row:
        raise UsageError(
            f"{file}: [[mistake]] has name and points, and may have kind, begins, accepts and hint;"
            f" wrong or missing: {', '.join(wrong) or 'name or points'}"
        )
    if row.get("kind", "") not in {"", *KINDS}:
        raise UsageError(f"{file}: there is no kind {row['kind']!r}; the kinds are {', '.join(KINDS)}")
    try:
        begins = bytes.fromhex(row.get("begins", ""))
    except ValueError:
        raise UsageError(f'{file}: begins has to be bytes in hexadecimal, as in "ED A0"') from None
    points = _number(row["points"], "points", file)
    return NamedMistake(row["name"], points, row.get("kind", ""), begins, row.get("accepts"), row.get("hint", ""))
