"""The known decoders: each adapter speaks the protocol, passes valid controls, and shows what it gets wrong."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from random import Random

import pytest

from utf8_abnf import cli
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.conformance.decoders.batch import Tool
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.known import Decoder, decoders, find
from utf8_abnf.conformance.harness.known.building import included
from utf8_abnf.conformance.harness.known.packages import cache_folder
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.matrix import long_inputs, recheck
from utf8_abnf.conformance.matrix.deviations import is_abnf
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.errors import TargetError, UsageError
from utf8_abnf.grammar import Grammar

FOUR_BYTES = "missing UTF8-4"
CONTROLS = [b"", b"a", b"\n", "é€".encode(), "日本語".encode(), b"\x7f", b"a" * 5000]
# Valid controls that a decoder rejects, which is its fault.
MISSED = {"npm-is-utf8": [b"\x7f"], "npm-uri-js": ["😀".encode()]}
OFTEN_REFUSED = (b"\n", b"\x7f")  # by what is no decoder of all UTF-8, and says so
CUT = ("C2", "E2 82", "F0 9F 98")
OVERLONG = ("C0 80", "C0 AF", "C1 BF", "E0 80 AF", "E0 9F BF", "F0 80 80 AF", "F0 8F BF BF")
HALVES_AND_LARGE = ("ED A0 80", "ED BF BF", "F4 90 80 80", "F5 80 80 80", "F8 88 80 80 80", "FC 84 80 80 80 80")
ALONE = ("80", "BF", "E9", "FE", "FF")
FAULTS = [*map(bytes.fromhex, (*ALONE, *CUT, *(f"{each} 41" for each in CUT), *OVERLONG, *HALVES_AND_LARGE))]
HUNDRED = b"a\xc3\xa9" * 50
FAR = [b"a" * size + b"\x80" for size in (4_021, 65_535, 70_000)]  # gcc names no column beyond 4,096
# The first becomes U+FFFD where nobody looks at the tails. That is a mark only for decoders that mark others with it.
MASKED = [b"\xef\x3f\xbda", b"\xef\x3e\xbda"]
# A decoder that swallows bytes may lose a U+FFFD of the input. A mark of its own must not pass for that one.
SWALLOWED = [b"\xc2\xef\xbf\xbd\xf0\x80", b"\xc2\xef\xbf\xbc\xf0\x80"]
MARKS = {"npm-b4a", "npm-jsonjoy-decode-utf8", "npm-protobufjs-utf8", "nim-runes"}
READS = {"file": 65_000}  # bytes, about: its row says 65,536, and a line stands before the input

# Those that nobody can install (an old Python, say) are tested where they are. The named core has every language and
# every kind of adapter; the other rows are what the matrix asks, and this asks them with UTF8_ABNF_EXHAUSTIVE=1.
EVERY_ROW = [each for each in decoders() if each.install or each.available()]
ROWS = [each for each in EVERY_ROW if each.core or os.environ.get("UTF8_ABNF_EXHAUSTIVE")]
# These take 3 to 30 s of CPU each to be explained. The matrix does that, and this with UTF8_ABNF_EXHAUSTIVE=1.
LONG = {"file", "git", "npm-b4a", "gcc", "raptor-check-utf8-string", "java-class-file", "java-readutf", "iconv-utf-8"}
LONG |= {"sqlite", "oniguruma-is-valid", "java-utf-8", "vim", "ecl-bytes", "npm-pbf", "pypi-pyjson5"}
LONG |= {"java-cesu-8", "swipl-utf8-codes", "npm-fflate", "nginx-charset", "zsh-read"}


def once(row):
    """Return *row*'s name as a parameter: a decoder that is no Python is the same for every Python that asks it."""
    return pytest.param(row.name, marks=[] if row.program == "python" else pytest.mark.slow)


# The published rows by name, and those whose first deviation is confirmed by a command that compiles nothing.
PAGE = json.loads((Path(__file__).parents[3] / "docs/data/matrix.json").read_text(encoding="utf-8"))["rows"]
PAGE = {row["name"]: row for row in PAGE if row["verdict"] != "absent"}
PRINTED = [
    once(row)
    for row in ROWS
    if row.direct and "./judge" not in row.direct
    for first in PAGE.get(row.name, {}).get("deviations", ())[:1]
    if first.get("check") == "confirmed"
]


@pytest.fixture(params=map(once, ROWS), scope="module")
def decoder(request):
    return _here(find(request.param))


def _here(row):
    if not row.available():
        pytest.skip(f"needs {row.install or row.program}: python3 tools/decoders.py '{row.name}'")
    return row


def _accepted(row):
    """Return an automaton of what the page says that the decoder of *row* accepts."""
    learned = row.get("learned") or {}
    if learned.get("dialect"):
        return compile_grammar(Grammar.load(learned["dialect"]))
    if learned.get("abnf"):
        return compile_grammar(Grammar.parse(learned["abnf"]))
    lines = [each["line"] for each in row.get("deviations", ()) if each["kind"] == "extra"]
    faults = " / ".join(filter(is_abnf, lines))
    if not faults:
        return compile_grammar(Grammar.load("utf8"))
    text = f"text = *octet fault *octet\nfault = {faults}\noctet = %x00-FF\nUTF8-tail = %x80-BF\n"
    return compile_grammar(Grammar.parse(text))


@pytest.mark.sampled(6)
def test_an_adapter_takes_valid_controls_and_no_fault_that_its_page_does_not_say(decoder):
    """Ask about each fault alone, within text, behind 100 characters, and about one far behind the start of a line."""
    controls = [*CONTROLS, *(["😀".encode()] if FOUR_BYTES not in decoder.deviations else [])]
    controls = [each for each in controls if each not in MISSED.get(decoder.name, ())]
    faults = [word for fault in FAULTS for word in (fault, b"a\xc3\xa9" + fault + b"b", HUNDRED + fault)]
    faults += MASKED + SWALLOWED
    faults += [word for word in FAR if len(word) <= READS.get(decoder.name, len(word))]
    session = Session(decoder.target().start, Limits(silence=90))  # one process for everything: it takes long to start
    try:
        verdicts = dict(zip([*controls, *faults], session.verdicts([*controls, *faults]), strict=True))
    finally:
        session.finish()
    assert not session.unattributed
    refused = OFTEN_REFUSED if decoder.refuses else ()
    for control in controls:
        assert verdicts[control] == b"1" or (verdicts[control] == b"u" and control in refused), control
    assert decoder.name in MARKS or verdicts[MASKED[0]] == verdicts[MASKED[1]]
    assert verdicts[SWALLOWED[0]] == verdicts[SWALLOWED[1]]
    row = PAGE.get(decoder.name, {})
    lines = {each["line"] for each in row.get("deviations", ())}
    assert "%x80-FF" in lines or b"0" in map(verdicts.get, faults)
    wrong = [word for word in faults if verdicts[word] == b"1" and plan().oracle.ill_formed(word).code not in lines]
    page = _accepted(row) if wrong else None
    assert not [word[-120:].hex(" ") for word in wrong if not page.accepts(word)]


def test_a_message_that_names_no_input_ends_the_adapter():
    """gcc's "u.c:2: error" has no column for a long line: the input counted as one without a message."""
    tool = Tool(("sh", "-c", "echo 'u.c:2: error: strange'"), rb"^u\.c:(\d+):\d+: error", in_lines="u.c")
    with pytest.raises(RuntimeError, match="error: strange"):
        tool.judge([b"a"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", PRINTED)
def test_the_printed_command_shows_the_deviation(row):
    """Run what the page prints for a row's first deviation; what compiles a program is left to the matrix."""
    decoder, first = _here(find(row)), PAGE[row]["deviations"][0]
    line = recheck.command_line(long_inputs.from_text(first["example"]), decoder.direct)
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, env=os.environ | {"PATH": path})
    assert done.stdout == (b"0\n" if first["kind"] == "extra" else b"1\n"), (line, done.stderr)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "decoder",
    [once(row) for row in ROWS if row.name not in LONG or os.environ.get("UTF8_ABNF_EXHAUSTIVE")],
    indirect=True,
)
def test_a_decoder_has_the_deviations_that_its_row_declares_and_no_others(decoder):
    families = ["named"] if decoder.how == "exec" else []  # a process for each case
    report = execute(decoder.target(), RunOptions(level="L0", families=tuple(families)))
    assert not report.troubles
    assert not report.stopped
    seen = {each.key for each in report.deviations if each.kind in {"extra", "missing"}}
    if any(note.startswith("explaining ended early") for note in report.notes):
        # Some rows have so many causes that the time may end before all are explained: then only the kinds are sure.
        assert {key.split()[0] for key in seen} == {each.split()[0] for each in decoder.deviations}, decoder.place
        return
    undeclared = {key for key in seen if not any(fnmatchcase(key, each) for each in decoder.deviations)}
    gone = {each for each in decoder.deviations if not any(fnmatchcase(key, each) for key in seen)}
    assert (undeclared, gone) == (set(), set()), decoder.place


def test_a_row_that_claims_something_else_declares_how_it_deviates_and_one_that_claims_utf8_names_each_class():
    for row in decoders():
        if row.claim == "UTF-8":
            assert not any("*" in each for each in row.deviations), row.place
        else:
            assert row.deviations, row.place


def _adapter(row):
    """Return what the rows with the same adapter have in common: its source and the program that runs it."""
    return (row.source, row.program) if row.source else row.command[:-1]


def _adapters():
    """Return one row for each adapter, and for each program that runs it."""
    found = {}
    for each in ROWS:
        if each.how == "stream":
            found.setdefault(_adapter(each), each)
    return [pytest.param(each, id=each.name) for each in found.values()]


TOO_LARGE = {"Haskell", "Racket", "Octave"}  # they take 0.8, 0.4 and 0.25 GB: the core has 1.3 of at most 1.5 GB


def _kind(row):
    """Return what the adapters of one kind have in common: the headers in C and C++, elsewhere the file."""
    if row.how != "stream":
        return row.how
    if not row.source:
        return row.command[:-1]
    name = Path(row.source).name
    headers = included(row.adapter()) if name.endswith((".c", ".cpp")) else [name]
    return (row.language, *sorted(headers))


def test_the_core_has_every_language_and_every_kind_of_adapter():
    core = [each for each in EVERY_ROW if each.core]
    rows = [each for each in EVERY_ROW if each.language not in TOO_LARGE]
    assert {each.language for each in core} == {each.language for each in rows}
    assert {_kind(each) for each in rows} - {_kind(each) for each in core} == set()


def test_the_core_has_every_decoder_that_a_test_or_a_page_asks(root):
    known = {each.name: each for each in EVERY_ROW}
    files = [root / "README.md", *root.glob("docs/**/*.md"), *root.glob("tests/**/*.py")]
    text = "".join(each.read_text(encoding="utf-8") for each in files)
    asked = set(re.findall(r"""known:([\w.+-]*\w)|find\(["']([\w.+-]+)["']\)""", text))
    names = {name for pair in asked for name in pair}
    names &= set(known) - {"pypi-chdb"}  # it takes 0.5 GB
    assert len(names) > 10
    assert not [name for name in names if not known[name].core]


@cache
def _all_kinds_of_data():
    """Return data of 0 to 200,000 bytes, the same each time: every value, every size up to 300, what ends a line."""
    random = Random(3629)
    sizes = [*range(300), *(random.randrange(300, 3_000) for _ in range(40)), 4_096, 8_192, 65_535, 65_536, 200_000]
    single = [bytes([value]) * size for value in range(256) for size in (1, 2)]
    ends = [bytes(random.choices(b"\0\n\r\t \x1a\x80\xff", k=size)) for size in range(1, 200)]
    return [*single, *(random.randbytes(size) for size in sizes), *ends, *(random.randbytes(3) for _ in range(1_000))]


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", _adapters())
def test_an_adapter_carries_every_byte_and_every_answer(row, tmp_path, monkeypatch):
    _here(row)
    (tmp_path / "control.py").write_text("def accepts(data): return sum(data) % 256 < 128")
    monkeypatch.syspath_prepend(tmp_path)
    name = "control:accepts" if "utf8_abnf.conformance.harness.driving.child" in row.command else "control"
    control = replace(row, name="control", command=(*row.command[:-1], name))
    session = Session(control.target().start, Limits(silence=90))
    data = _all_kinds_of_data()
    try:
        assert session.verdicts(data) == [b"1" if sum(each) % 256 < 128 else b"0" for each in data]
        assert not session.unattributed
    finally:
        session.finish()


def test_names_are_unique_and_each_row_says_what_is_called():
    names = [each.name for each in decoders()]
    assert len(set(names)) == len(names) >= 80
    assert all(each.about and each.program for each in decoders())


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(UsageError, match="perl-utf8-decode"):
        find("perl-utf8-decod")


ABSENT = Decoder("absent", "nothing", "no-such-program-here", ("{program}",))


def test_a_decoder_that_is_not_here_is_a_target_error():
    with pytest.raises(TargetError, match="no-such-program-here"):
        ABSENT.target()


def test_a_cache_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "utf8-abnf").mkdir()
    (tmp_path / "utf8-abnf").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_folder.cache_clear()
    try:
        assert cache_folder().parent != tmp_path
    finally:
        cache_folder.cache_clear()


def test_the_list_is_of_those_that_are_named(capsys):
    assert cli.main(["test", "--list", "python-s*"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {name[:8] for name in names} == {"python-s"}
    assert cli.main(["test", "--list", "pythen"]) == 2
