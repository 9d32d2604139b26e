"""The derived file: made again and compared; a stale file is named; the table runs in Python and in JavaScript."""

import hashlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.annotate import annotated
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import LarkParser, ReferenceParser

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


@pytest.mark.parametrize("name", NAMES)
def test_its_head_says_from_what_and_by_what(name):
    digest = hashlib.sha256(UTF8.text.encode("ascii")).hexdigest()
    head = f"made from grammar/utf8.abnf (sha256 {digest}) by tools/derive.py; do not edit"
    lines = derived(name).splitlines()
    assert head in lines[1]  # line 0 opens the object


@pytest.mark.thorough
def test_a_changed_grammar_makes_every_file_stale_and_every_validator_wrong(derive, root, tmp_path):
    """F4 80..8E for F4 80..8F in a copy of the grammar: all that rests on the grammar must be named."""
    changed = UTF8.text.replace("%xF4 %x80-8F", "%xF4 %x80-8E").encode("ascii")
    (tmp_path / "utf8.abnf").write_bytes(changed)
    for name in NAMES:
        (tmp_path / name).write_text(derived(name), "ascii", newline="")
    (tmp_path / "utf8.abnf").rename(tmp_path.parent / "changed.abnf")
    command = [sys.executable, "tools/derive.py", "--check", "--folder", tmp_path]
    command += ["--grammar", tmp_path.parent / "changed.abnf"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 1
    assert [line.split(":")[0].rpartition("/")[2] for line in done.stderr.splitlines()] == NAMES

    mutant = Grammar.parse(changed.decode("ascii"))
    accepts = {
        "CPython": lambda data: data.decode("utf-8", "replace").encode() == data,
        "reference": ReferenceParser(UTF8).accepts,
        "lark": LarkParser(UTF8).accepts,
        "automaton": AUTOMATON.accepts,
    }
    word = compile_grammar(mutant).equivalent(AUTOMATON)
    assert word == b"\xf4\x8f\x80\x80"
    named = [name for name, verdict in accepts.items() if verdict(word) is not compile_grammar(mutant).accepts(word)]
    assert named == list(accepts)
    assert not ReferenceParser(mutant).accepts(word)
    assert not LarkParser(mutant).accepts(word)


@pytest.mark.thorough
def test_the_order_of_sets_does_not_show(root, tmp_path):
    command = [sys.executable, "tools/derive.py", "--folder", tmp_path]
    subprocess.run(command, cwd=root, check=True, env=os.environ | {"PYTHONHASHSEED": "1"})
    assert {path.name: path.read_text("ascii") for path in tmp_path.iterdir()} == {
        name: derived(name) for name in NAMES
    }


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


NODE = """
const {table, words} = JSON.parse(require("fs").readFileSync(0, "utf8"));
const verdicts = words.map(word => {
  let state = table.start;
  for (const byte of Buffer.from(word, "hex")) state = table.next[state][table.class_of[byte]];
  return table.states[state].accepting ? "1" : "0";
});
console.log(verdicts.join(""));
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "start"), [("utf8", None), ("urn", "NID"), ("date-time", "date-time")])
def test_the_table_of_a_grammar_runs_in_javascript(name, start):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: install Node.js from https://nodejs.org or your system's packages")
    grammar = Grammar.load(name)
    words = [
        *WORDS[:2000],
        b"isbn",
        b"a-b",
        b"-a",
        b"a" * 32,
        b"a" * 33,
        b"1985-04-12T23:20:50.52Z",
        b"1985-04-12T23:20:50.Z",
    ]
    question = json.dumps({"table": annotated(grammar, start), "words": [word.hex() for word in words]})
    done = subprocess.run([node, "-e", NODE], input=question, capture_output=True, text=True, check=True)
    automaton = compile_grammar(grammar, start)
    assert [answer == "1" for answer in done.stdout.strip()] == [automaton.accepts(word) for word in words]
    assert True in map(automaton.accepts, words)


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
