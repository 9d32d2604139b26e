"""The learner finds what a decoder accepts, says what it checked, and says so if it cannot learn a decoder."""

from __future__ import annotations

import codecs
import json
import re
from contextlib import closing
from functools import cache
from itertools import count, product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.cli import main
from utf8_abnf.cli.conformance import learn as command
from utf8_abnf.conformance.framing import frame, unframe
from utf8_abnf.conformance.harness.box import SessionBox
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import CRASH, Failure, Limits
from utf8_abnf.conformance.harness.known import find
from utf8_abnf.conformance.learning import Model, NotLearnableError, abnf_of, learn
from utf8_abnf.conformance.suite.blocks import Block, frames
from utf8_abnf.conformance.suite.oracle import Oracle
from utf8_abnf.errors import TargetError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars

UTF8 = compile_grammar(Grammar.load("utf8"))


def decodes(*arguments):
    def accepts(data):
        try:
            codecs.decode(data, *arguments)
        except ValueError:
            return False
        return True

    return accepts


strict = decodes("utf-8")


def learned(accepts, *, expensive=True):
    """Return the model; *expensive* leaves out most questions, which each call a function of Python here."""
    found = learn(lambda words: [bool(accepts(word)) for word in words], UTF8, expensive=expensive)
    return Model("it", "utf8", UTF8, found)


def test_surrogates_are_found_and_the_dialect_is_named():
    model = learned(decodes("utf-8", "surrogatepass"))
    assert [(line.kind, line.words) for line in model.lines] == [("extra", "%xED %xA0-BF UTF8-tail")]
    assert model.counterexample == b"\xed\xa0\x80"


DIALECTS = [name for name in shipped_grammars() if name.startswith("dialects/")]


class Follows:
    """A black box that follows an automaton, asked many words at once."""

    def __init__(self, automaton):
        self.oracle = Oracle(automaton)

    def __call__(self, words):
        return [self.oracle.accepts(word) for word in words]

    def send(self, framed, _expected):
        return frames(self.oracle, Block((tuple(unframe(framed)),)))[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DIALECTS)
def test_a_decoder_of_a_dialect_is_recognised(name):
    expensive = name != "dialects/perl-utf8"  # the largest one is asked everything
    found = learn(Follows(compile_grammar(Grammar.load(name))), UTF8, expensive=expensive)
    assert Model("it", "utf8", UTF8, found).dialect == name


#   a known decoder          what it follows; the first, a quick one, is asked everything
REAL = {
    "libc-mbrtowc": "dialects/rfc2279",
    "python-surrogatepass": "dialects/generalized-utf8",
    "perl-encode-lax": "dialects/perl-utf8",
    "perl-encode-strict": "dialects/perl-strict",
    "java-cesu-8": "dialects/java-cesu8",
    "java-readutf": "dialects/java-readutf",
    "node-textdecoder": "utf8",
    "lua-utf8-len-lax": "dialects/lua-lax",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", REAL)
def test_a_real_decoder_is_recognised(name):
    decoder = find(name)
    if not decoder.available():
        pytest.skip(f"needs {decoder.install or decoder.program}")
    with closing(Session(decoder.target().start, Limits(silence=30))) as session:
        found = learn(SessionBox(session, UTF8), UTF8, expensive=name != "libc-mbrtowc")
    model = Model(name, "utf8", UTF8, found)
    assert model.dialect == REAL[name]
    assert (model.counterexample is None) is (REAL[name] == "utf8")


ODD = {
    "stops at NUL": lambda data: strict(data.split(b"\0")[0]),
    "takes a truncated end": lambda data: any(strict(data[: len(data) - cut]) for cut in range(min(4, len(data) + 1))),
    "wants at least one byte": lambda data: data != b"" and strict(data),
    "refuses a BOM at the start": lambda data: not data.startswith(b"\xef\xbb\xbf") and strict(data),
    "forgets to reset after F4": lambda data: strict(data.replace(b"\xf4\x8f\xbf\xbf", b"\xf0\x90\x80\x80")),
    "takes everything": lambda data: True,
    "takes nothing": lambda data: False,
    "is ASCII": bytes.isascii,
    "counts to 3": lambda data: len(data) != 3 and strict(data),
}


@cache
def odd(name):
    return learned(ODD[name])


@pytest.mark.parametrize("name", ODD)
def test_the_model_agrees_with_the_decoder_on_inputs_like_the_fault(name):
    model = odd(name)
    words = ["", "61", "00", "80", "C3 A9", "EF BB BF", "ED A0 80", "F4 8F BF BF", "E2 82"]
    for pieces in product(map(bytes.fromhex, words), repeat=3):
        word = b"".join(pieces)
        assert model.automaton.accepts(word) is bool(ODD[name](word)), word.hex(" ")


@pytest.mark.parametrize("name", ODD)
def test_the_written_abnf_compiles_to_the_learned_automaton(name):
    model = odd(name)
    assert compile_grammar(Grammar.parse(model.abnf)).equivalent(model.automaton) is None


def test_a_decoder_that_answers_twice_differently_is_not_learned():
    asked = []

    def moody(data):
        asked.append(data)
        return strict(data) if len(asked) % 997 else not strict(data)

    with pytest.raises(NotLearnableError, match="two answers"):
        learned(moody)


def test_a_decoder_that_keeps_its_state_between_inputs_is_not_learned():
    decoder = codecs.getincrementaldecoder("utf-8")()

    def sticky(data):
        try:
            decoder.decode(data)
        except ValueError:
            decoder.reset()
            return False
        return not decoder.getstate()[0]

    with pytest.raises(NotLearnableError):
        learned(sticky)


def test_a_decoder_that_looks_at_lengths_is_told_its_border():
    model = learned(lambda data: len(data) < 1000 and strict(data), expensive=False)
    assert [border.phrase for border in model.learned.borders] == ["only in input of 1,000 bytes or more"]
    assert "The answers to the words of fewer than 1,000 bytes of these families" in " ".join(model.checked.split())
    assert (model.counterexample, model.conforms) == (None, False)
    assert str(model).startswith("it looks at lengths, as far as ")
    seen = [(b"a" * 2000, False)]  # few questions are asked, and none of that length
    few = learn(lambda words: [len(each) < 1000 for each in words], UTF8, seen, expensive=True)
    assert [border.number for border in few.borders] == [1000]


@settings(max_examples=settings().max_examples // 4)
@given(st.data())
def test_every_single_wrong_transition_is_learned(data):
    state = data.draw(st.integers(0, len(UTF8.table) - 1))
    byte = data.draw(st.integers(0, 255))
    target = data.draw(st.integers(0, len(UTF8.table) - 1))
    rows = [list(row) for row in UTF8.rows]
    rows[state][byte] = target
    wrong = Automaton(UTF8.start, tuple(map(tuple, rows)), bytes(range(256)), UTF8.accepting).minimal()
    found = learn(Follows(wrong), UTF8, expensive=True)
    assert found.automaton.equivalent(wrong) is None
    assert compile_grammar(Grammar.parse(abnf_of(found.automaton))).equivalent(wrong) is None


def test_abnf_is_written_in_the_rfcs_manner():
    assert abnf_of(UTF8).splitlines()[:4] == [
        "octets = *( char )",
        "char = %x00-7F",
        "     / %xC2-DF UTF8-tail",
        "     / %xE0 %xA0-BF UTF8-tail",
    ]


@pytest.fixture
def few_questions(monkeypatch):
    """Let the command ask every decoder as few questions as one of ``exec:``."""
    monkeypatch.setattr(command, "learn", lambda *given, **more: learn(*given, **{**more, "expensive": True}))


def test_a_codec_that_waits_for_more_input_accepts_a_truncated_end(capsys, few_questions):
    # codecs.utf_8_decode is not final by default; it also waits after ED A0, which nothing can complete.
    assert main(["learn", "py:codecs:utf_8_decode", "--format", "abnf"]) == 1
    written = compile_grammar(Grammar.parse(capsys.readouterr().out))
    assert all(map(written.accepts, (b"\xe2\x82", b"\xed\xa0")))
    assert not any(map(written.accepts, (b"\xed\xa0\x80", b"\xc0")))


def test_a_program_that_is_started_for_each_question_is_asked_fewer():
    asked = []
    few = learn(lambda words: [asked.append(word) or strict(word) for word in words], UTF8, expensive=True)
    many = learn(Follows(UTF8), UTF8)
    assert few.automaton.equivalent(UTF8) is many.automaton.equivalent(UTF8) is None
    assert len(asked) == few.questions < many.questions / 10
    assert {"named", "W/k0", "lanes"} <= {*many.families}
    assert "A2" not in many.families


def test_the_command_says_first_what_was_found_and_last_what_was_checked(capsys, few_questions):
    assert main(["learn", "py:utf8_abnf:is_valid"]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"utf8_abnf:is_valid accepts exactly what utf8 derives, "
        r"as far as [\d,]+ questions of at most [\d,]+ bytes can tell\.",
        first,
    )
    assert last.startswith("Run `utf8-abnf test` as well")


def test_the_command_calls_an_unsteady_decoder_unsteady(capsys, tmp_path, monkeypatch):
    (tmp_path / "moody.py").write_text(
        "from itertools import count\nasked = count()\ndef accepts(data):\n    return next(asked) % 97 > 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["learn", "py:moody:accepts"]) == 1
    assert capsys.readouterr().out.startswith("moody:accepts is unsteady: asked twice about ")
    assert main(["learn", "py:moody:accepts", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["unsteady"] is True


def test_the_command_writes_json(capsys, few_questions):
    assert main(["learn", "known:python-surrogatepass", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["conforms"] is False
    assert found["counterexample"] == "ED A0 80"


def test_a_decoder_that_dies_is_reported_with_the_input(capsys):
    assert main(["learn", "exec:sh -c 'kill -9 $$'"]) == 3
    assert "asked about the empty input, the decoder was killed by signal 9" in capsys.readouterr().err


class Dies:
    """A session with a decoder that dies on *size* bytes and more."""

    hello, verdict_mode = SimpleNamespace(name="it"), "r"

    def __init__(self, size):
        self.size = size

    def verdicts(self, words):
        return [Failure(CRASH, "died") if len(word) >= self.size else ACCEPT for word in words]


@pytest.mark.parametrize("size", [6_000, 100])
def test_only_on_long_input_may_a_decoder_die(size):
    words, expected = [b"a", b"\xff" * 6_000, b"b"], b"101"
    box = SessionBox(Dies(size), UTF8)
    if size < 4_096:
        with pytest.raises(TargetError, match=r"asked about 63×100, the decoder died"):
            box.send(b"".join(map(frame, [*words, b"c" * 100])), b"1011")
    else:
        assert box.send(b"".join(map(frame, words)), expected) == expected
        assert (box.refused, box.unjudged) == (1, words[1])


def test_what_a_decoder_could_not_judge_is_not_counted_as_told():
    found = odd("is ASCII").learned
    some, none = (Model("it", "utf8", UTF8, found, refused, b"\0") for refused in (5, found.questions))
    first, second, *_ = str(some).splitlines()
    assert f"as far as {found.questions - 5:,} questions of at most" in first
    assert second.startswith("The decoder could not judge 5 inputs, such as 00: ")
    assert str(none) == none.verdict == f"it judged none of {found.questions:,} inputs."
    assert not none.conforms


def test_when_the_time_is_over_it_says_what_was_seen_by_then(capsys, monkeypatch):
    monkeypatch.setattr("utf8_abnf.conformance.harness.box.time", SimpleNamespace(monotonic=count().__next__))
    status = main(["learn", "known:python-surrogatepass", "--max-time", "8", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert (status, found["conforms"]) == (3, False)
    first, second = found["verdict"].splitlines()
    assert first.startswith(f"{found['decoder']} was not learned in 8 s: it answered {found['questions']:,} questions.")
    assert re.fullmatch(r"It deviates: it accepts ED [AB]. .., which utf8 does not derive\.", second)


def test_a_decoder_that_is_never_asked_is_not_called_wrong(capsys):
    assert main(["learn", "known:python-surrogatepass", "--max-time", "0.001"]) == 3
    assert capsys.readouterr().out.endswith("in 0.001 s: it answered 0 questions. --max-time allows more time.\n")
