"""Variants of the assignments, so that nobody can copy another one's: a task and a name in; its solution out.

The same name has always the same variant. Without a name, the task is that of ``docs/teaching/assignments.md``.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import Range
from utf8_abnf.grammar.values import MAX_CODE_POINT, UTF8, byte_strings
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say

EACH = "each"  # in place of a name: the name of each student
LAST_NUMBER = 255
NUMBERS = range(131, 989)  # whose last digits all count, as those of 255 do
PLANES = range(1, 16)
DIALECTS = ("mutf8", "cesu8", "wtf8", "utf8mb3", "rfc2279")


class Variant(NamedTuple):
    """What is asked for, as a sentence, and the *solution*: a grammar, or for the task ``decoder`` a program in C."""

    task: str
    solution: str


def variant(task: str, name: str) -> Variant:
    """Return the variant of *task*, "number", "text" or "decoder", that *name* has; ``UsageError`` for another task.

    >>> variant("number", "").task
    'the numbers from 0 to 255 in decimal digits, without needless zeros'
    """
    seed = crc32(name.encode())
    if task == "number":
        last = NUMBERS[seed % len(NUMBERS)] if name else LAST_NUMBER
        return Variant(say(messages.TASK_NUMBER, last=last), _numbers(last))
    if task == "text":
        last = (PLANES[seed % len(PLANES)] if name else MAX_CODE_POINT >> 16) << 16 | 0xFFFF
        return Variant(say(messages.TASK_TEXT, last=f"{last:X}"), _characters(last))
    if task == "decoder":
        dialect = DIALECTS[seed % len(DIALECTS)] if name else DIALECTS[0]
        return Variant(say(messages.TASK_DECODER, dialect=dialect), _program(dialect))
    raise UsageError(f"there is no task {task!r}; the tasks are number, text and decoder")


def _program(dialect: str) -> str:
    """Return a program in C that ends with 0 if its input is in *dialect*, with 1 if it is not; it names no dialect."""
    automaton = compile_grammar(Grammar.load(f"dialects/{dialect}"))
    rows = ",\n".join("{" + ",".join(map(str, row)) + "}" for row in automaton.table)
    ends = ",".join(str(int(state in automaton.accepting)) for state in range(len(automaton.table)))
    return (
        "#include <stdio.h>\n"
        f"static const short classes[256] = {{{','.join(map(str, automaton.classes))}}};\n"
        f"static const short next[][{len(automaton.table[0])}] = {{{rows}}};\n"
        f"static const short ends[] = {{{ends}}};\n"
        f"int main(void)\n{{\n    int byte, state = {automaton.start};\n"
        "    while ((byte = getchar()) != EOF) state = next[state][classes[byte]];\n"
        "    return !ends[state];\n}\n"
    )


def _numbers(last: int) -> str:
    """Return rules for the numbers up to *last*, which has three digits."""
    hundreds, tens, ones = map(int, str(last))
    lines = ["DIGIT", "%x31-39 DIGIT"]
    if hundreds > 1:
        lines.append(f"{_digits(1, hundreds - 1)} 2DIGIT")
    if tens:
        lines.append(f'"{hundreds}" {_digits(0, tens - 1)} DIGIT')
    lines.append(f'"{hundreds}{tens}" {_digits(0, ones)}')
    return "number = " + "\n       / ".join(lines) + "\n"


def _digits(low: int, high: int) -> str:
    return f"%x3{low}-3{high}" if high > low else f'"{low}"'


def _characters(last: int) -> str:
    """Return rules for UTF-8 up to the code point *last*."""
    words = byte_strings(Range(0, last), UTF8)
    lines = [
        " ".join(f"%x{low:02X}-{high:02X}" if high > low else f"%x{low:02X}" for ((low, high),) in word)
        for word in words
    ]
    return "text = *character\ncharacter = " + "\n          / ".join(lines) + "\n"
