"""Suites for other grammars: budgets and sample words."""

from __future__ import annotations

from datetime import date

import pytest

from utf8_abnf import cli
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance import run
from utf8_abnf.conformance.naming.patterns import Pattern
from utf8_abnf.conformance.suite import batches, cases, families, sample, words_in
from utf8_abnf.conformance.suite.levels import BUDGETS
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.conformance.suite.samples import access, separating
from utf8_abnf.errors import UsageError
from utf8_abnf.grammar import Grammar

DATES = (b"2024-02-29", b"1999-12-31")
RULES = [
    ("uri", "IPv6address"),
    ("uri", "IPv4address"),
    ("uri", None),
    ("date-time", "date-time"),
    ("urn", "namestring"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "start"), RULES)
def test_levels_are_budgets(name, start):
    grammar = Grammar.load(name)
    for level, most in BUDGETS.items():
        assert all(family.count <= most for family in families(level, grammar=grammar, start=start))
    assert families("L1", grammar=grammar, start=start)


def test_the_list_of_a_level_without_a_case_is_no_error(call):
    status, out, _ = call("suite", "list", "--level", "L0", "--grammar", "uri", "--start", "IPv6address")
    assert (status, "L0  all              0" in out) == (0, True)
    assert "L0 has no case for IPv6address; L1 is the first level that has" in out


@pytest.mark.parametrize(("name", "start"), RULES)
def test_a_corpus_changes_the_words_and_not_what_they_do(name, start):
    automaton = compile_grammar(Grammar.load(name), start)
    corpus = [
        word for word in (b"10.0.0.1", b"::1", b"http://a.b/c?d", b"2024-02-29T12:00:00Z") if automaton.accepts(word)
    ]
    reached = {automaton.run(word) for word in access(automaton, corpus)}
    assert reached == set(range(len(automaton.table)))
    ends = list(separating(automaton, corpus))
    answers = {tuple(automaton.run(word, state) in automaton.accepting for word in ends) for state in reached}
    assert len(answers) == len(reached)
    assert b"" in ends


def test_cases_begin_and_end_as_the_sample_words_do():
    grammar = Grammar.load("date-time")
    sample(grammar, "full-date", DATES)
    made = [batch.data(i) for batch in batches("L1", grammar=grammar, start="full-date") for i in range(len(batch))]
    assert set(DATES) <= set(made)
    assert sum(data.startswith(b"202") for data in made) > len(made) // 4
    assert plan(Grammar.load("date-time"), "full-date").corpus == ()  # other plans are as before


@pytest.mark.thorough
def test_a_corpus_finds_what_the_year_0000_hides():
    def only_years_from_1(data):
        date.fromisoformat(data.decode("ascii"))

    grammar = Grammar.load("date-time")
    report = run(only_years_from_1, level="L1", grammar=grammar, start="full-date", corpus=DATES)
    extra = [each.example for each in report.deviations if each.kind == "extra"]
    assert any(b"W" in example for example in extra)  # ISO weeks, which RFC 3339 does not have


def test_words_that_are_not_in_the_language_are_named_and_asked(tmp_path, capsys):
    """Minefields are full of words that a parser has to reject, such as NaN in JSON."""
    grammar = Grammar.load("date-time")
    assert sample(grammar, "full-date", (DATES[0], b"2024")) == (b"2024",)
    asked = {case.data: case.accept for case in cases("L0", grammar=grammar, start="full-date")}
    assert (asked[DATES[0]], asked[b"2024"]) == (True, False)

    (tmp_path / "words").write_bytes(b"NaN\n[[[1]]]\n[1,]\n")
    rule = ["--grammar", "json", "--depth", "0", "--corpus", str(tmp_path / "words")]
    assert cli.main(["suite", "list", *rule]) == 0
    assert "2 of 3 words are not in JSON-text; they are cases that a decoder has to reject: NaN, [1,]" in (
        capsys.readouterr().err
    )


def test_the_words_of_a_file_are_its_lines():
    assert words_in(b"a\r\n\nb\na\n c") == (b"a", b"b", b" c")


def test_a_corpus_needs_a_grammar():
    with pytest.raises(UsageError, match="needs a grammar"):
        run(str, corpus=(b"12",))


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([b"Tt"], '"t"'),
        ([b"T"], '%s"T"'),
        ([b"2", b"0", b"-"], '"20-"'),
        ([b"0123456789", b"\x00"], "DIGIT %x00"),
        ([b"+-"], '( "+" / "-" )'),
        ([b'"'], "%x22"),
        ([bytes(range(0x80, 0xC0))], "%x80-BF"),
        ([b"0123456789ABCDEF"], '( DIGIT / %s"A" / %s"B" / %s"C" / %s"D" / %s"E" / %s"F" )'),
        ([b"0123456789"] * 2 + [b"+-"] * 3, '2DIGIT 3( "+" / "-" )'),
        ([], '""'),
    ],
)
def test_classes_of_text_are_text_and_abnf(places, text):
    pattern = Pattern(tuple(map(frozenset, places)))
    assert pattern.text == text
    automaton = compile_grammar(Grammar.parse(f"class = {text}\n", values="bytes"))
    word = bytes(map(min, pattern.places))
    assert automaton.accepts(word)
    assert all(automaton.accepts(bytes([byte])) == (byte in places[0]) for byte in range(256) if len(places) == 1)


def test_the_options_need_a_grammar_and_a_file_with_words(tmp_path, call):
    (tmp_path / "empty").write_bytes(b"\n")
    (tmp_path / "words").write_bytes(b"12\n")
    rule = ["--grammar", "date-time", "--start", "time-hour"]
    for options, name, status, said in (([], "words", 2, "needs --grammar"), (rule, "empty", 2, "has no word"),
                                        (rule, "words", 0, "corpus")):  # fmt: skip
        done = call("suite", "list", *options, "--corpus", tmp_path / name)
        assert (done.status, said in done.out + done.err) == (status, True)
