"""The derived file: made again and compared; a stale file is named; the table runs in Python and in JavaScript."""

import importlib.util
import itertools
import json
import re
import sys
from importlib.resources import files

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar

UTF8 = Grammar.load("utf8")
AUTOMATON = compile_grammar(UTF8)
EDGES = bytes.fromhex("00 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF")
WORDS = [bytes(word) for length in range(4) for word in itertools.product(EDGES, repeat=length)]
FOUR = [bytes(word) + b"\x80" for word in itertools.product(EDGES, repeat=3)]
NAMES = sorted(path.name for path in (files("utf8_abnf") / "teaching" / "play" / "derived").iterdir())


@pytest.fixture(scope="module")
def derive(root):
    specification = importlib.util.spec_from_file_location("derive", root / "tools" / "derive.py")
    module = importlib.util.module_from_spec(specification)
    before = sys.path[:]
    specification.loader.exec_module(module)
    sys.path[:] = before
    return module


@pytest.fixture(scope="module")
def made(derive):
    return derive.derived_files(UTF8.text.encode("ascii"))


def derived(name):
    return (files("utf8_abnf") / "teaching" / "play" / "derived" / name).read_text("ascii")


def test_every_derived_file_is_committed_and_no_other(made):
    assert sorted(made) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_made_again_it_is_the_same_to_the_byte(name, made):
    assert derived(name) == made[name], (
        f"src/utf8_abnf/teaching/play/derived/{name} is stale; run: python3 tools/derive.py"
    )


def test_check_names_missing_and_foreign_files(derive, made, tmp_path):
    for name, text in made.items():
        (tmp_path / name).write_bytes(text.encode("ascii"))
    assert derive.stale(made, tmp_path) == {}
    (tmp_path / "utf8-automaton.json").unlink()
    (tmp_path / "notes.txt").write_text("mine")
    assert derive.stale(made, tmp_path) == {
        "notes.txt": "is not made by tools/derive.py",
        "utf8-automaton.json": "is missing",
    }


def test_the_table_runs_as_it_says():
    table = json.loads(derived("utf8-automaton.json"))
    following, class_of = table["next"], table["class_of"]
    accepting = {number for number, state in enumerate(table["states"]) if state["accepting"]}

    def accepts(word):
        state = table["start"]
        for byte in word:
            state = following[state][class_of[byte]]
        return state in accepting

    assert [word for word in WORDS + FOUR if accepts(word) is not AUTOMATON.accepts(word)] == []
    assert [state["name"] for state in table["states"]] == list(AUTOMATON.names)
    assert table["sink"] == AUTOMATON.sink


def test_every_move_of_the_table_names_the_places_that_read_it():
    """By the places alone a byte is read as by the moves: the ranges that stand there hold the class."""
    table = json.loads(derived("utf8-automaton.json"))
    lines = UTF8.text.splitlines()
    moves = {(state, byte_class) for state, byte_class, _ in table["reads"]}
    live = {
        (state, number)
        for state, row in enumerate(AUTOMATON.table)
        for number, target in enumerate(row)
        if target != AUTOMATON.sink
    }
    assert moves == live
    for _, byte_class, places in table["reads"]:
        assert places
        members = {byte for byte in range(256) if AUTOMATON.classes[byte] == byte_class}
        read = set()
        for place in (table["places"][number] for number in places):
            text = lines[place["line"] - 1][place["column"] - 1 :]
            first, last = re.match(r"%x([0-9A-F]{2})(?:-([0-9A-F]{2}))?", text).groups()
            here = members.intersection(range(int(first, 16), int(last or first, 16) + 1))
            assert here
            read |= here
            assert place["path"][0] == ["UTF8-octets", 0]
        assert read == members  # E1..EC and EE..EF are one class, read at two places
    assert table["places"][0]["path"] == [["UTF8-octets", 0], ["UTF8-char", 1], ["UTF8-1", 0]]
