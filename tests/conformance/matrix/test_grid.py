"""The grid: what a decoder does with fixed inputs, in words that follow from the answers alone."""

import shutil
import subprocess
from dataclasses import replace

import pytest

from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import Window
from utf8_abnf.conformance.harness.known import decoders, find
from utf8_abnf.conformance.harness.known.packages import npm_folder
from utf8_abnf.conformance.matrix import ExaminationOptions, Row
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.conformance.matrix.grid import CHARACTERS, CONTEXTS, CUT, FACTS, INPUTS, SWALLOWED, TAILS, ask, judged
from utf8_abnf.conformance.matrix.grid import questions as every
from utf8_abnf.conformance.matrix.telling import in_short, sentences
from utf8_abnf.validator.functions import is_valid

INPUT = {each.data for each in every()}
OVERLONG, SURROGATES, ABOVE = FACTS[:3]


@pytest.fixture(scope="module")
def published(root):
    """The published rows that have a grid, by name."""
    return {row.name: row for row in read(root / "docs/data/matrix.json").rows if row.grid}


def grid(verdict, text=None, stream=None):
    """Return the grid of a decoder that is written as functions."""
    ask_all = {data: b"1" if verdict(data) else b"0" for data in INPUT}
    texts = {data: text(data) for data in INPUT} if text else {}
    return judged(ask_all, texts, {data: b"1" if stream(data) else b"0" for data in INPUT} if stream else {})


def lax(data):
    """Decode as many small packages do: no look at tails or at what they make."""
    out, at = [], 0
    while at < len(data):
        size = 1 if data[at] < 0xC0 else 2 if data[at] < 0xE0 else 3
        tails = [byte & 0x3F for byte in data[at + 1 : at + size]] + [0] * size
        if size == 1 and data[at] < 0x80:
            out.append(chr(data[at]))
        elif size > 1:
            value = data[at] & (0x3F >> size - 1)
            for tail in tails[: size - 1]:
                value = value << 6 | tail
            out.append(chr(value))
        at += size
    return "".join(out).encode("utf-8", "surrogatepass")


def test_every_input_of_a_fact_is_ill_formed_in_every_context_and_every_character_is_not():
    assert all(is_valid(each.data) is (each.fact == CHARACTERS) for each in every())
    assert len({each.data for each in every()}) == len(INPUT) < 120


def test_a_decoder_that_conforms_rejects_or_replaces():
    found = grid(is_valid, lambda data: data.decode("utf-8", "replace").encode())
    assert found.wrong == ()
    assert found.cell(TAILS).answer == "replaces"
    assert grid(is_valid).cell(TAILS).answer == "rejects"
    assert (*sentences(found),) == ()


def test_a_tail_that_vanishes_and_a_quotation_mark_that_is_swallowed_are_told():
    found = grid(lambda data: True, lax)
    assert found.cell(TAILS)[:3] == ("drops without a mark", b"\x80", "alone")
    assert set(found.whole[SWALLOWED]) == {"p", " "}  # no mark is seen where one input shows it
    assert "C2 22 is accepted and comes out as C2 A2." in [*sentences(found)]
    assert "C0 AF is accepted and comes out as 2F ('/')." in [*sentences(found)]


@pytest.mark.parametrize(
    ("text", "fact", "answer"),
    [
        (lambda data: data.decode("utf-8", "ignore").encode(), TAILS, "drops without a mark"),
        (lambda data: data.decode("utf-8", "replace").replace("\ufffd", "?").encode(), TAILS, "replaces"),
        (lambda data: data.decode("utf-8", "replace").replace('\ufffd"', "\ufffd").encode(), SWALLOWED, "swallows"),
        (lambda data: data, OVERLONG, "passes on"),
        (lambda data: None if not is_valid(data) else data, ABOVE, "rejects"),
    ],
    ids=["ignores", "writes ?", "loses the quotation mark", "passes all on", "refuses"],
)
def test_what_comes_out_decides(text, fact, answer):
    assert grid(is_valid, text).cell(fact).answer.startswith(answer)


def test_a_context_whose_plain_twin_is_refused_is_not_asked():
    found = grid(lambda data: len(data) < 50 and is_valid(data))
    assert found.whole[SURROGATES].split()[[*CONTEXTS].index("behind 100 letters")] == "---"
    assert found.cell(SURROGATES).answer == "rejects"
    assert grid(lambda data: False).cell(SURROGATES).answer == "not asked"
    assert grid(lambda data: False).cell(CHARACTERS).answer == "rejects"


def test_a_stream_that_refuses_characters_in_pieces_is_told_and_one_that_takes_cut_ends_is():
    found = grid(is_valid, stream=lambda data: data.isascii())
    assert "C3 A9, a character, is not accepted, where it arrives byte by byte." in [*sentences(found)]
    late = grid(is_valid, stream=lambda data: is_valid(data) or data.endswith(b"\xc2"))
    assert late.wrong == (CUT,)


def test_a_badge_says_what_is_accepted_and_knows_no_severity():
    row = Row("one", verdict="deviates", grid=grid(lambda data: is_valid(data) or b"\xed" in data))
    assert in_short(row) == "accepts: surrogates"
    assert in_short(Row("two", verdict="deviates", grid=grid(lambda data: True, lax))).startswith("accepts: overlong")
    assert in_short(Row("three")) == "not tested"
    assert in_short(Row("four", verdict="conforms", grid=grid(is_valid))) == "conforms"


def test_python_is_asked_in_one_piece_and_byte_by_byte():
    limits = ExaminationOptions().limits
    assert ask(find("python-surrogatepass").target(), limits, "").wrong == (SURROGATES,)
    assert ask(find("python-incremental").target(), limits, "").stream[TAILS] == "rrr rrr rrr rrr"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "word", "out"),
    [
        *((f"npm-{name}", "80", b"") for name in ("encoding-japanese", "fast-text-encoding", "decode-utf8")),
        ("npm-protobufjs-utf8", "80", b""),
        *((f"npm-{name}", "C2 22", "¢".encode()) for name in ("encoding-japanese", "b4a", "fflate")),
    ],
)
def test_the_drop_and_the_swallow_of_packages_that_have_them(name, word, out):
    decoder = find(name)
    package_folder(decoder)
    found = ask(decoder.target(), ExaminationOptions().limits, "")
    assert bytes.fromhex(found.out[word]) == out


def package_folder(decoder):
    """Return the folder of the npm package of *decoder*, and its name."""
    name = decoder.install.partition("npm:")[2].rpartition("@")[0]
    if not (npm_folder() / "node_modules" / name).exists():
        pytest.skip(f"needs {decoder.install}")
    return npm_folder() / "node_modules" / name, name


@pytest.mark.slow
@pytest.mark.parametrize("decoder", [each for each in decoders() if each.change], ids=lambda each: each.name)
def test_a_suggested_change_mends_a_copy_of_the_package(decoder, published, tmp_path):
    """Ask it about the inputs of the grid and of the published row: each answer is right, as a verdict or by U+FFFD."""
    folder, name = package_folder(decoder)
    shutil.copytree(folder, tmp_path / name)
    subprocess.run(["patch", "-p1"], cwd=tmp_path / name, input=decoder.change.encode(), check=True)
    command = tuple(word.replace(f"{npm_folder()}/node_modules", str(tmp_path)) for word in decoder.command)
    inputs = sorted(INPUT | {each.example for each in published[decoder.name].facts})
    session = Session(replace(decoder, command=command).target().start, ExaminationOptions().limits)
    try:
        verdicts = session.verdicts(inputs)
        session.leave_mode()
        window = Window(b"".join(map(frame, inputs)), len(inputs))
        texts = session.send(window, "r").values if "r" in session.hello.modes else [""] * len(inputs)
    finally:
        session.close()
    accepted = [each == b"1" and "\ufffd" not in text for each, text in zip(verdicts, texts, strict=True)]
    assert [is_valid(each) for each in inputs] == accepted


def test_the_published_cells_have_a_letter_for_each_input(published):
    assert len(published) > 200
    for row in published.values():
        for answers in (row.grid.whole, row.grid.stream):
            for fact, groups in answers.items():
                assert [len(group) for group in groups.split()] == [len(INPUTS[fact])] * len(CONTEXTS), row.name
    assert published.keys() <= {each.name for each in decoders()}
