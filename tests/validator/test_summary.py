"""Summaries of pieces add up to that of the whole: at every cut, in every order, as docs/summary.md proves."""

import ctypes
import io
import itertools
import os
import pickle
import random
import sys
from collections import Counter

import pytest

from utf8_abnf import Summary, first_error, kernel
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance.suite import huge
from utf8_abnf.explain.locating import Scanner
from utf8_abnf.grammar import Grammar
from utf8_abnf.validator import _python
from utf8_abnf.validator import summary as module
from utf8_abnf.validator.functions import count_well_formed, errors_from
from utf8_abnf.validator.summary import FirstError, Whole

EXHAUSTIVE = bool(os.environ.get("UTF8_ABNF_EXHAUSTIVE"))
TEXTS = 1_000_000 if EXHAUSTIVE else 1_500
LETTERS = 4 if EXHAUSTIVE else 3  # in the words over one byte of each class

AUTOMATON = compile_grammar(Grammar.load("utf8"))
CLASSES = bytes(AUTOMATON.classes.index(number) for number in range(max(AUTOMATON.classes) + 1))  # a byte of each
LIVE = sorted(set(range(len(AUTOMATON.table))) - AUTOMATON.dead)
TAIL = range(0x80, 0xC0)
WELL_FORMED = ["A", "\n", "é", "日", "😀"]
ENDS = ("C3", "E2", "E2 82", "E0", "ED", "F0", "F0 9F", "F0 9F 98", "F4", "F4 8F", "80")
OTHERS = ("BF", "C0", "F5", "FF", "E0 80", "E0 A0", "ED A0", "ED 9F", "F0 80", "F4 90")
FRAGMENTS = [*(character.encode() for character in WELL_FORMED), *map(bytes.fromhex, (*ENDS, *OTHERS))]
TAILS = [*map(bytes.fromhex, ("", *ENDS, "80 80", "41"))]


def restarted(state, byte):
    """Return the state after *byte* of a decoder that begins again where no character goes on."""
    after = AUTOMATON.rows[state][byte]
    if after in AUTOMATON.dead:
        after = AUTOMATON.rows[AUTOMATON.start][byte]
    return AUTOMATON.start if after in AUTOMATON.dead else after


def transition_monoid():
    """Return every map of states to states that some text makes, with a shortest text."""
    found = {tuple(LIVE): b""}
    todo = [tuple(LIVE)]
    for each in todo:
        for byte in CLASSES:
            after = tuple(restarted(state, byte) for state in each)
            if after not in found:
                found[after] = found[each] + bytes([byte])
                todo.append(after)
    return found


def test_the_transition_monoid_is_the_one_of_the_page(root):
    monoid = transition_monoid()
    constant = [text for map_, text in monoid.items() if len(set(map_)) == 1]
    others = [text for map_, text in monoid.items() if len(set(map_)) > 1]
    page = (root / "docs" / "summary.md").read_text(encoding="utf-8")
    assert f"It has {len(monoid)} elements: {len(constant)} constant maps" in page
    assert f"and {len(others)} others" in page


def test_what_a_text_leads_to_depends_on_its_start_only_after_fewer_than_three_tail_bytes():
    """Lemma 1: the maps of all other texts are constant."""
    for map_, text in transition_monoid().items():
        assert (len(set(map_)) == 1) == (len(text) >= 3 or not all(byte in TAIL for byte in text)), text.hex(" ")


def words():
    for length in range(LETTERS + 1):
        yield from map(bytes, itertools.product(CLASSES, repeat=length))


@pytest.mark.thorough
def test_the_sum_of_two_words_is_the_summary_of_both():
    """Every word over one byte of each class, cut at every place."""
    for word in words():
        whole = Summary.of(word)
        for cut in range(len(word) + 1):
            assert Summary.of(word[:cut]) + Summary.of(word[cut:]) == whole, (word.hex(" "), cut)


@pytest.mark.thorough
def test_the_head_of_one_piece_and_the_tail_of_the_other_are_judged_together():
    starts = [bytes(word) for length in range(4) for word in itertools.product((0x80, 0x90, 0xA0), repeat=length)]
    starts += [b"\x80" * 4, b"\x90" * 5]
    for end, start, rest in itertools.product(TAILS, starts, (b"", b"A", b"\xe2", b"\xff")):
        text = end + start + rest
        assert Summary.of(end) + Summary.of(start) + Summary.of(rest) == Summary.of(text), text.hex(" ")
        assert Summary.of(end) + (Summary.of(start) + Summary.of(rest)) == Summary.of(text), text.hex(" ")


def by_the_scanner(text, buffer):
    errors = list(Scanner(io.BytesIO(text).readinto, buffer=buffer).errors())
    first = (errors[0].error.start, errors[0].line, errors[0].column, errors[0].error.code) if errors else None
    characters = len(text.decode("utf-8", "ignore"))
    return first, Counter(each.error.code for each in errors), characters, text.count(b"\n")


def reader(text):
    """Return a function that reads *text* as the ``readinto`` of a file does."""
    at = 0

    def readinto(room):
        nonlocal at
        part = text[at : at + len(room)]
        room[: len(part)] = part
        at += len(part)
        return len(part)

    return readinto


def many(summary, count):
    """Return the sum of so many of the same, by doubling."""
    total = Summary()
    for bit in f"{count:b}":
        total += total
        if bit == "1":
            total += summary
    return total


def some_sum(summaries, random_):
    """Return the sum, with brackets anywhere."""
    summaries = list(summaries)
    while len(summaries) > 1:
        at = random_.randrange(len(summaries) - 1)
        summaries[at : at + 2] = [summaries[at] + summaries[at + 1]]
    return summaries[0]


@pytest.mark.thorough
def test_any_tree_of_sums_says_what_reading_the_whole_says():
    random_ = random.Random(3629)
    buffer = bytearray(64)
    for _ in range(TEXTS):
        text = b"".join(random_.choices(FRAGMENTS, k=random_.randrange(14)))
        cuts = [0, *sorted(random_.randrange(len(text) + 1) for _ in range(random_.randrange(6))), len(text)]
        found = some_sum((Summary.of(text[start:end]) for start, end in itertools.pairwise(cuts)), random_)
        assert found == Summary.of(text), (text.hex(" "), cuts)
        whole = found.finish()
        answer = (whole.first_error, whole.codes, whole.characters, whole.lines)
        assert answer == by_the_scanner(text, buffer), (text.hex(" "), cuts)
        assert whole.size == found.size == len(text)


@pytest.mark.parametrize("name", kernel.available)
def test_the_c_loops_count_as_their_twin_does(name):
    """Texts around the sizes of registers and blocks, with and without faults, at every place within a register."""
    before = kernel.name
    kernel.use(name)
    random_ = random.Random(name)
    try:
        texts = [b"a" * 20_000, b"\n" * 20_000]  # a lane of a register counts as far as it can
        for size, faults in itertools.product((60, 64, 127, 500, 4_064, 20_000, 70_000), (0, 1, 40)):
            parts = [*random_.choices(FRAGMENTS[:5], k=size // 2), *random_.choices(FRAGMENTS, k=faults)]
            random_.shuffle(parts)
            texts.append(b"".join(parts))
        for text in texts:
            skipped = random_.randrange(40)
            with memoryview(text) as view, view[skipped:] as rest:
                units, newlines, column, codes, first = _python.summarize(rest)
                assert module._judge(rest) == module._Judged(len(rest), units, newlines, column, codes, first)
            known = text.decode("utf-8", "ignore")
            counted = (len(known), known.count("\n"), len(known) - known.rfind("\n") - 1)
            assert count_well_formed(known.encode()) == counted
    finally:
        kernel.use(before)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.skipif(sys.maxsize <= 1 << 32, reason="needs 64 bits of addresses: run a Python of 64 bits")
@pytest.mark.parametrize("unit", ["\n", "a", "€"], ids=ascii)
def test_places_are_right_beyond_two_and_four_gibibytes(unit, monkeypatch):
    """By the C loops, by sums, and by the scanner of ``check``: 3 MiB mapped again and again take no memory."""
    tile, width = unit.encode() * ((3 << 20) // len(unit.encode())), len(unit.encode())
    monkeypatch.setattr(huge, "TILE", tile)
    size = (huge.GIB4 + len(tile)) // 6 * 6  # a multiple of each width
    mapping = huge.Mapping(size)
    try:
        whole = memoryview((ctypes.c_char * size).from_address(mapping.address)).cast("B")
        for base in (1 << 31, 1 << 32):
            at = (base + len(tile) // 2) // 6 * 6  # a character begins there
            mapping.write(at, b"\xff" + b"a" * (width - 1))
            text = whole[: at + 1000 // width * width]
            units, before = len(text) // width, at // width
            line, column = (before + 1, 1) if unit == "\n" else (1, before + 1)
            first = (at, line, column, "UTF8-TOO-LARGE")
            characters, newlines = units - 1 + width - 1, units - 1 if unit == "\n" else 0

            found = Summary.of(text)
            assert found == many(Summary.of(tile), at // len(tile)) + Summary.of(text[at // len(tile) * len(tile) :])
            assert found.finish() == Whole(len(text), characters, newlines, (0, 0, 1, 0, 0, 0), FirstError(*first))
            assert [first_error(text).start, *(error.start for error in errors_from(text, at - width, 9))] == [at, at]
            located = next(Scanner(reader(text)).errors())
            assert (located.error.start, located.line, located.column) == first[:3]
            mapping.restore()
        assert count_well_formed(whole)[:2] == (size // width, size * (unit == "\n"))
    finally:
        mapping.close()


def test_a_summary_is_a_frozen_value_that_can_be_sent_to_another_process():
    summary = Summary.of(b"\x80a\nb\xff\xe2\x82")
    assert pickle.loads(pickle.dumps(summary)) == summary
    assert hash(summary) == hash(Summary.of(b"\x80a\nb\xff\xe2\x82"))
    whole = summary.finish()
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole.codes == {"UTF8-LONE-TAIL": 1, "UTF8-TOO-LARGE": 1, "UTF8-TRUNCATED": 1}
    for value, name in ((summary, "head"), (whole, "lines")):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_only_summaries_add_up():
    for add in (lambda: Summary() + b"", lambda: 0 + Summary(), lambda: sum([Summary.of(b"a")])):
        with pytest.raises(TypeError, match="unsupported operand"):
            add()


def test_a_piece_is_anything_bytes_like():
    data = "größe".encode()
    assert {Summary.of(kind(data)) for kind in (bytes, bytearray, memoryview)} == {Summary.of(data)}
    assert Summary.of(b"") == Summary() == Summary.of(memoryview(b""))
