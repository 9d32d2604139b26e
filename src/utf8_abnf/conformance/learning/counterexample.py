"""Counterexamples made shorter: a word on which a model is wrong in, a short one out that shows the same."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.automaton import Automaton
    from utf8_abnf.conformance.learning.teacher import Teacher

MAX_PIECES = 256  # of a counterexample: each is left out in turn


def shortened(teacher: Teacher, word: bytes, model: Automaton) -> bytes:
    """Return *word* without the pieces that are not needed: *model* is still wrong about what is left.

    First whole characters are left out, before an error and after it: pieces between two visits of the model to one
    of the two states in which it is most often. Then any pieces are.
    """
    for rank in (0, 1, None):
        size = len(_places(word, model, rank))
        while size > 1:
            size //= 2
            while len(cuts := _places(word, model, rank)) > size and len(cuts) // size <= MAX_PIECES:
                shorter = _without_piece(teacher, word, [*cuts[::size], cuts[-1]], model)
                if shorter is None:
                    break
                word = shorter
    return word


def _without_piece(teacher: Teacher, word: bytes, cuts: list[int], model: Automaton) -> bytes | None:
    without = [word[:at] + word[end:] for at, end in pairwise(cuts) if at < end]
    answers = zip(without, teacher.answers(without, model), strict=True)
    return next((each for each, answer in answers if answer is not model.accepts(each)), None)


def _places(word: bytes, model: Automaton, rank: int | None) -> list[int]:
    """Return the offsets in *word* at which *model* is in its commonest state (*rank* 0) or the next; None: all."""
    if rank is None:
        return list(range(len(word) + 1))
    reached = [model.start]
    for byte in word:
        reached.append(model.step(reached[-1], byte))
    chosen = [state for state, _ in Counter(reached).most_common(2)][rank:][:1]
    return [at for at, state in enumerate(reached) if state in chosen]
