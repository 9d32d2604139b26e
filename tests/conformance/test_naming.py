"""Naming: lines say just what a model does, on every learned row of the matrix and on automata by generator."""

import json
import random
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from utf8_abnf.automaton import Automaton, compile_grammar, difference, intersection
from utf8_abnf.conformance.matrix.long_inputs import from_text
from utf8_abnf.conformance.naming import EXTRA, MISSING, Context, Fact, Place, name, reading
from utf8_abnf.conformance.naming.naming import in_some_contexts
from utf8_abnf.conformance.naming.places import ANYWHERE
from utf8_abnf.conformance.naming.words import context, words_of
from utf8_abnf.conformance.suite.oracle import accepts
from utf8_abnf.grammar import Grammar

MATRIX = Path(__file__).parents[2] / "docs" / "data" / "matrix.json"
ROWS = {
    row["name"]: row
    for row in json.loads(MATRIX.read_text(encoding="utf-8"))["rows"]
    if row.get("learned", {"dialect": "utf8"}).get("dialect") != "utf8"
}
# No finite set of pieces says it: a lead takes any number of bytes, cuts what goes on, or all the text decides.
NOT_COMPLETE = {"sqlite", "fpc-utf8-decode"}
UTF8 = compile_grammar(Grammar.load("utf8")).minimal()


@cache
def model_of(abnf):
    return compile_grammar(Grammar.parse(abnf)).minimal()


def abnf_of(row):
    """Return the ABNF of what the decoder of *row* accepts; that of a dialect has the dialect's."""
    learned = ROWS[row]["learned"]
    return learned.get("abnf") or Grammar.load(learned["dialect"]).text


@cache
def naming_of(row):
    return name(model_of(abnf_of(row)), UTF8)


def test_the_matrix_has_learned_rows_that_deviate():
    assert len(ROWS) > 90


@pytest.mark.parametrize("row", ROWS)
def test_the_lines_of_a_row_say_what_its_learned_grammar_accepts(row):
    found = naming_of(row)
    model = model_of(abnf_of(row))
    assert found.complete is (row not in NOT_COMPLETE)
    assert (found.reading.equivalent(model) is None) is found.complete
    for line in found.lines:
        assert model.accepts(line.example) is (line.kind == EXTRA) or line.place != ANYWHERE
        assert not line.place.contexts or line.language.accepts(line.example)


@pytest.mark.parametrize("row", ROWS)
def test_the_published_lines_of_a_row_are_those_of_its_learned_grammar(row):
    """Of inputs that a decoder cannot be given, as with NUL, its grammar says what UTF-8 does and its lines nothing."""
    classes = [each for each in ROWS[row]["deviations"] if each["kind"] in {EXTRA, MISSING}]
    model = model_of(abnf_of(row))
    for each in classes:
        assert model.accepts(from_text(each["example"])) is (each["kind"] == EXTRA), each["line"]
    if row not in NOT_COMPLETE and not ROWS[row].keys() & {"refuses", "unjudged", "unjudged_example"}:
        lines = {(each["kind"], each["line"], each.get("place", "")) for each in classes}
        assert lines == {(each.kind, each.words, each.place.phrase) for each in naming_of(row).lines}


def test_a_line_in_some_contexts_shows_a_long_input_in_short():
    line = in_some_contexts("a€".encode() * 2500, None, UTF8)
    assert line.place.phrase == "in some contexts; shortest rejected (61 E2 82 AC)×2,500"
    assert len(line.language.table) < 20  # no state for each byte
    phrase = in_some_contexts(bytes(range(99)) + b"\xff", None, UTF8).place.phrase
    assert phrase == "in some contexts; shortest accepted 00 01 02 03 04 05 06 07 ... (100 bytes)"
    assert in_some_contexts(b"a" * 4095 + b"\xff", None, UTF8).place.phrase.endswith(" 61×4,095 FF")


def test_a_line_in_some_contexts_has_the_name_of_the_first_fault():
    long, pair = b"\xe2\x82" + b"a" * 99 + b"\xff", b"a\xed\xa0\x80\xed\xb0\x80a"
    for word, words in ((b"a", "UTF8-octets"), (pair, "UTF8-SURROGATE"), (long, "UTF8-MISSING-TAIL")):
        assert in_some_contexts(word, None, UTF8).words == words


def fact(accepted, line, before=None, after=None):
    return Fact(accepted, context(line), before and context(before), after and context(after))


LINES = {
    "surrogates": (True, "%xED %xA0-BF UTF8-tail"),
    "two surrogates": (True, "%xED %xA0-AF UTF8-tail %xED %xB0-BF UTF8-tail"),
    "lone tails": (True, "UTF8-tail"),
    "FF": (True, "%xFF"),
    "swallowing": (True, "%xC0-DF %x00-FF"),
    "NUL": (False, "%x00"),
    "a row": (False, "%xC3 UTF8-tail"),
    "four bytes": (False, "UTF8-4"),
}
PLACES = {
    "": {},
    "only at the end of the input": {"after": '""'},
    "only at the start of the input": {"before": '""'},
    "only as the whole input": {"before": '""', "after": '""'},
    "only where input comes before": {"before": "1*octet"},
    "only after %x0A": {"before": "*octet %x0A *octet"},
    "not after %x0A": {"before": "*( %x00-09 / %x0B-FF )"},
    "only directly after %x2F": {"before": "*octet %x2F"},
    "not directly after %x2F": {"before": "[ *octet ( %x00-2E / %x30-FF ) ]"},
    "only after 3 or more %x0A": {"before": "*octet 3( %x0A *octet )"},
    "only in input that begins with UTF8-2": {"before": "UTF8-2 *octet"},
    "only between %x3C and %x3E": {"before": "*octet %x3C *( %x00-3D / %x3F-FF )"},
    "only before %x0A": {"after": "*octet %x0A *octet"},
}


FEW = ["", "only where input comes before", "only directly after %x2F", "not after %x0A"]  # places of what is missing
NAMED = [*product(["surrogates", "FF", "lone tails"], PLACES), *product(["NUL", "a row", "four bytes"], FEW)]


@pytest.mark.parametrize(("words", "where"), NAMED)
def test_a_place_is_named_as_it_was_made(words, where):
    accepted, line = LINES[words]
    found = name(reading(UTF8, [fact(accepted, line, **PLACES[where])]), UTF8)
    kind = EXTRA if accepted else MISSING
    assert [(each.kind, each.words, each.place.phrase) for each in found.lines] == [(kind, line, where)]
    assert found.complete


def decides(facts, data):
    """The plain twin of ``reading``: try all ways to divide *data*."""

    def is_at(each, start, end):
        before = each.before is None or each.before.accepts(data[:start])
        return before and (each.after is None or each.after.accepts(data[end:]))

    ends = {0}
    for start in range(len(data)):
        if start in ends:
            for end in range(start + 1, len(data) + 1):
                piece = data[start:end]
                here = [each for each in facts if each.words.accepts(piece) and is_at(each, start, end)]
                is_character = CHARACTER.accepts(piece) and all(each.accepted for each in here)
                if is_character or any(each.accepted for each in here):
                    ends.add(end)
    here = [each for each in facts if not each.accepted and each.words.accepts(b"")]
    return len(data) in ends and not any(is_at(each, len(data), len(data)) for each in here)


CHARACTER = compile_grammar(Grammar.load("utf8"), "UTF8-char")
PIECES = [b"a", b"\n", b"/", b"<", b">", b"\0", "é".encode(), "€".encode(), "😀".encode(), b"\xed\xa0\x80"]
PIECES += [b"\xed\xa0\x80\xed\xb0\x80", b"\x80", b"\xff", b"\xc3", b"\xc0\x00", b"\xe2\x82"]


@pytest.mark.parametrize("seed", range(12))
def test_a_reading_decides_as_its_plain_twin(seed):
    chance = random.Random(seed)
    chosen = chance.sample(list(LINES.values()), 3)
    facts = [fact(*line, **PLACES[chance.choice(list(PLACES))]) for line in chosen]
    read = reading(UTF8, facts)
    for _ in range(150):
        data = b"".join(chance.choices(PIECES, k=chance.randrange(6)))
        assert read.accepts(data) is decides(facts, data), data


def mutant(chance):
    """Return the automaton of UTF-8 with one to three edges that lead elsewhere, or a state that accepts or rejects."""
    rows = [list(row) for row in UTF8.rows]
    accepting = set(UTF8.accepting)
    for _ in range(chance.randint(1, 3)):
        state = chance.randrange(len(rows))
        if chance.random() < 0.2:
            accepting ^= {state}
            continue
        low = chance.randrange(256)
        high = min(255, low + chance.choice((0, 1, 15, 63, 127)))
        target = chance.randrange(len(rows))
        rows[state][low : high + 1] = [target] * (high + 1 - low)
    return Automaton.from_rows(UTF8.start, rows, accepting).minimal()


MUTANTS = 48


@cache
def naming_of_mutant(seed):
    return name(mutant(random.Random(seed)), UTF8)


@pytest.mark.parametrize("seed", range(MUTANTS))
def test_what_a_mutant_does_is_said_or_said_to_be_somewhere(seed):
    model, found = mutant(random.Random(seed)), naming_of_mutant(seed)
    assert (found.reading.equivalent(model) is None) is found.complete
    assert difference(found.reading, UTF8).first_not_in(model) is None
    assert intersection(difference(UTF8, found.reading), model).accepting == set()
    somewhere = [line for line in found.lines if not line.place.contexts]
    assert bool(somewhere) is not found.complete
    for line in somewhere:
        assert model.accepts(line.example) is (line.kind == EXTRA) is not found.reading.accepts(line.example)


def test_half_of_the_mutants_are_named_completely():
    assert sum(naming_of_mutant(seed).complete for seed in range(MUTANTS)) >= MUTANTS / 2


def test_a_model_that_is_the_standard_has_no_line():
    assert name(UTF8, UTF8).lines == ()


def test_nothing_and_everything_have_lines():
    nothing = words_of([()])
    everything = Automaton.from_rows(0, [[0] * 256], [0])
    assert name(nothing, UTF8).complete
    assert [str(line) for line in name(nothing, UTF8).lines] == ["missing  UTF8-octets"]
    assert [str(line) for line in name(everything, UTF8).lines] == ["extra    %x80-FF ; shortest 80"]


def test_surrogates_that_are_accepted_but_as_a_pair_have_lines_of_their_own():
    found, high = name(compile_grammar(Grammar.load("dialects/wtf8")), UTF8), "%xED %xA0-AF UTF8-tail"
    lines = [(line.words, line.place.phrase) for line in found.lines if found.complete]
    assert lines == [("%xED %xA0-BF UTF8-tail", f"not directly after {high}"), (high, "")]


def test_a_standard_that_does_not_consist_of_characters_is_refused():
    with pytest.raises(ValueError, match="characters"):
        name(UTF8, compile_grammar(Grammar.parse('date = "x" "y"')))


def test_a_line_in_some_contexts_has_its_nearest_neighbours():
    alone = fact(True, "%xFF", "*octet %x41 *octet %x42 *octet")
    other = fact(True, "%xFF", "*octet %x43 *octet %x44")
    (line,) = name(reading(UTF8, [alone, other]), UTF8).lines
    assert line.place == Place("in some contexts; shortest accepted 41 42 FF; nearest rejected FF", ())
    assert replace(line, place=Place("", (Context(),))).facts


@pytest.mark.sampled(0)
def test_a_line_of_one_long_word_has_more_states_than_c_counts():
    language = words_of([b"a"] * 66_000)
    assert [accepts(language, b"a" * size) for size in (66_000, 66_001)] == [True, False]
