"""All implementations at once: the reference parser, Lark, the automaton, CPython and every kernel.

One list of implementations, one body for each law. What an implementation cannot do (an error position, a stream) it
does not declare, and a kernel that this machine lacks is named by ``test_every_kernel_that_we_wrote_is_here``.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf import first_error, is_valid, kernel
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import LarkParser, ReferenceParser

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.thorough
UTF8 = Grammar.load("utf8")
AUTOMATON = compile_grammar(UTF8)


@dataclass(frozen=True)
class Implementation:
    """Something that decides whether bytes are well-formed, and perhaps where they stop being so."""

    name: str
    accepts: Callable[[bytes], bool]
    first_error: Callable[[bytes], tuple[int, int] | None] | None = None
    every: int = 1  # one word of so many is asked


def cpython_first_error(data: bytes) -> tuple[int, int] | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start, error.end - error.start
    return None


def automaton_first_error(data: bytes) -> tuple[int, int] | None:
    """Unicode 3.9, from the automaton alone: the longest live prefix of a character, at least one byte."""
    state, start = AUTOMATON.start, 0
    for offset, byte in enumerate(data):
        if state == AUTOMATON.start:
            start = offset
        state = AUTOMATON.step(state, byte)
        if state == AUTOMATON.sink:
            return start, max(offset - start, 1)
    return None if state in AUTOMATON.accepting else (start, len(data) - start)


def with_kernel(name: str) -> Implementation:
    def accepts(data: bytes) -> bool:
        if kernel.name != name:  # to ask the processor what it can do, as use() does, is slow on a virtual machine
            kernel.use(name)
        return is_valid(data)

    def position(data: bytes) -> tuple[int, int] | None:
        if kernel.name != name:
            kernel.use(name)
        error = first_error(data)
        return error and (error.start, error.length)

    return Implementation(f"kernel {name}", accepts, position)


# Two parsers in pure Python need minutes for all the words; before a release they get them (RELEASING.md).
SAMPLE = 1 if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else 71  # a prime, so that every tail comes up


IMPLEMENTATIONS = [
    Implementation("reference", ReferenceParser(UTF8).accepts, every=SAMPLE),
    Implementation("lark", LarkParser(UTF8).accepts, every=SAMPLE),
    Implementation("automaton", AUTOMATON.accepts, automaton_first_error),
    Implementation("bytes.decode", lambda data: cpython_first_error(data) is None, cpython_first_error),
    *map(with_kernel, kernel.available),
]
POSITIONS = [each for each in IMPLEMENTATIONS if each.first_error]

# The first and last byte of every byte class of the automaton: where implementations begin to differ.
EDGES = bytes(
    byte
    for byte in range(256)
    if byte in {0, 255}
    or AUTOMATON.classes[byte] != AUTOMATON.classes[byte - 1]
    or AUTOMATON.classes[byte] != AUTOMATON.classes[byte + 1]
)


@pytest.fixture(autouse=True)
def chosen_kernel():
    before = kernel.name
    yield
    kernel.use(before)


@pytest.fixture(params=IMPLEMENTATIONS, ids=lambda each: each.name)
def implementation(request):
    return request.param


@cache
def verdicts():
    """Return (word, first error), as the automaton and CPython say, of all words of two bytes and of three EDGES."""
    words = [bytes(word) for length in range(3) for word in itertools.product(range(256), repeat=length)]
    words += map(bytes, itertools.product(EDGES, repeat=3))
    found = [(word, cpython_first_error(word)) for word in words]
    assert [word.hex(" ") for word, error in found if automaton_first_error(word) != error] == []
    return found


def test_all_strings_of_up_to_two_bytes_and_of_three_edges(implementation):
    """A parser in Python is asked about single bytes, pairs of EDGES and one word in *every*.

    It compares a byte with the ends of the grammar's ranges only, so that bytes between two edges are one case.
    """
    assert len(EDGES) == 24
    accepts, position = implementation.accepts, implementation.first_error
    wrong = [
        word.hex(" ")
        for number, (word, error) in enumerate(verdicts())
        if (number % implementation.every == 0 or len(word) < 2 or (len(word) == 2 and set(word) <= set(EDGES)))
        and (accepts(word) is not (error is None) or (position and position(word) != error))
    ]
    assert wrong[:10] == []


def near_the_grammar():
    """Well-formed characters, live prefixes, single bytes and their mixture: most strings fail late, or not at all."""
    character = st.characters(codec="utf-8").map(str.encode)
    prefix = character.map(lambda coded: coded[:-1])
    edge = st.sampled_from(EDGES).map(lambda byte: bytes([byte]))
    return st.lists(st.one_of(character, character, prefix, edge), max_size=40).map(b"".join)


@settings(max_examples=settings().max_examples * 2)
@given(near_the_grammar())
def test_strings_near_the_grammar(data):
    expected = cpython_first_error(data)
    assert {
        each.name: each.accepts(data) for each in IMPLEMENTATIONS if each.accepts(data) is not (expected is None)
    } == {}
    assert {each.name: each.first_error(data) for each in POSITIONS if each.first_error(data) != expected} == {}
