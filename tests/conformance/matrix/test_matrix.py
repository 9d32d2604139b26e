"""The matrix: a deviation is a fact only if a second way shows it as well, and no decoder can end a run."""

import html
import json
import pickle
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.resources import files
from types import SimpleNamespace
from unittest import mock

import jsonschema
import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.driving.target import octal
from utf8_abnf.conformance.harness.known import Decoder, decoders, find
from utf8_abnf.conformance.harness.report import Deviation, Trouble
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.learning import learn
from utf8_abnf.conformance.matrix import ExaminationOptions, Results, Row, examining, matrix_of, recheck, rows
from utf8_abnf.conformance.matrix.deviations import deviations
from utf8_abnf.conformance.matrix.formats import html as html_page
from utf8_abnf.conformance.matrix.formats import json as json_page
from utf8_abnf.conformance.matrix.formats.html_details import command_of, commands_of
from utf8_abnf.conformance.matrix.formats.text import Table, ending
from utf8_abnf.conformance.matrix.grid import INPUTS
from utf8_abnf.conformance.matrix.report import report
from utf8_abnf.conformance.matrix.row import VERDICTS
from utf8_abnf.errors import UsageError

QUICK = ExaminationOptions("L0", learns=False, silence=0.5)
STRICT = 'python3 -SI -c "import sys; sys.stdin.buffer.read().decode()" 2> /dev/null'
LAX = "python3 -SI -c \"import sys; sys.stdin.buffer.read().decode('utf-8', 'surrogatepass')\" 2> /dev/null"
SURROGATES = "extra %xED %xA0-BF UTF8-tail"


def render(matrix, name):
    """Return *matrix* as the command writes it."""
    if name == "text":
        table = Table(row.name for row in matrix.rows)
        return table.head() + "".join(map(table.row, matrix.rows)) + ending(matrix)
    return {"html": html_page, "json": json_page}[name].render(matrix)


def made(*chosen, options=QUICK, results=None):
    return matrix_of(rows(chosen, options, results=results), chosen, options)


def lax(direct, name="lax"):
    """Return a decoder that takes surrogates, with another *direct* way."""
    return replace(find("python-surrogatepass"), name=name, direct=direct)


@pytest.fixture(scope="module")
def some(once):
    """A decoder that conforms, one that deviates, and three without a verdict."""
    kept = once("matrix", lambda folder: (folder / "some").write_bytes(pickle.dumps(some_rows())))
    return pickle.loads((kept / "some").read_bytes())


def some_rows():
    absent = Decoder("absent", "nothing", "no-such-program-here", ("{program}",), install="apt:nothing-here")
    broken = Decoder("broken", "a program that is no decoder", "true", ("{program}",))
    few = mock.patch.object(examining, "learn", lambda *asked, expensive: learn(*asked, expensive=True))
    with few:
        learned = made(find("python"), lax(LAX), options=ExaminationOptions("L0"))
    return replace(learned, rows=learned.rows + made(lax(STRICT, "disputed"), absent, broken).rows)


REPORTS = {}


@pytest.fixture(autouse=True)
def tested_once(monkeypatch):
    """Each decoder is tested once at each level for all tests of a process: they are about what becomes of a report."""

    def executed(target, options):
        key = target.name, options.level
        if key not in REPORTS:
            REPORTS[key] = execute(target, options)
        return REPORTS[key]

    monkeypatch.setattr(examining, "execute", executed)


@pytest.fixture
def hostile(root):
    def decoder(behaviour):
        command = ("{program}", str(root / "tests" / "conformance" / "harness" / "hostile" / "decoder.py"), behaviour)
        return Decoder(behaviour, "a decoder that misbehaves", "python", command)

    return decoder


@pytest.mark.thorough
def test_each_decoder_has_a_row_in_the_order_of_the_registry(some):
    wanted = [("python", "conforms"), ("lax", "deviates"), ("disputed", "disagrees"), ("absent", "absent")]
    assert [(row.name, row.verdict) for row in some.rows] == [*wanted, ("broken", "broken")]
    assert all(row.learned or row.not_learned for row in some.rows)


def test_a_row_says_how_the_decoder_reports_errors_and_what_it_replaces(some):
    row = some.rows[0]
    assert row.offsets.startswith("the start of the ill-formed sequence")
    assert row.replacement.startswith("U+FFFD for each maximal subpart")
    assert row.cases > 400
    assert row.learned.dialect == "utf8"


def test_a_deviation_is_confirmed_by_a_command_that_a_reader_can_run(some):
    (deviation,) = some.rows[1].deviations
    assert deviation.key == SURROGATES
    assert deviation.check == "confirmed"
    command = recheck.command_line(deviation.example, some.rows[1].second_way)
    assert command == rf"printf '\355\240\200' | ({LAX}); echo $?"
    said = subprocess.run(["sh", "-c", command], capture_output=True).stdout
    assert said == b"0\n"


def test_the_printed_command_of_each_row_is_one_that_a_shell_can_read(root):
    """``printf … | ! preconv …`` was not: a pipeline that is negated can stand behind a pipe in parentheses alone."""
    lines = [recheck.command_line(b"a", row.direct) for row in decoders() if row.direct]
    assert len(lines) > 200
    rows = json_page.read(root / "docs/data/matrix.json").rows
    lines += [print_of(row) for row in rows for print_of in (command_of, commands_of)]
    done = subprocess.run(["sh", "-n"], input="\n".join(lines), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "said"), [("true", 0), ("! true", 1), ("false || exit 1", 1), ("true; false", 1)])
def test_the_printed_command_tells_the_status_of_what_was_run(command, said):
    done = subprocess.run(["sh", "-c", recheck.command_line(b"a", command)], capture_output=True)
    assert done.stdout == b"%d\n" % said


def test_what_adapter_and_direct_way_disagree_on_is_not_a_fact(some):
    row = some.rows[2]
    assert [each.key for each in row.disputed] == [SURROGATES]
    assert row.facts == ()
    assert "it: the adapter accepts" in row.controls[0] or "the adapter accepts it" in row.controls[0]
    alone = replace(some, rows=(row,))
    for page in (render(alone, "text"), render(alone, "html")):
        assert "disputed" in page.lower()
        assert "%xED %xA0-BF" not in re.sub(r"learned in.*", "", page, flags=re.DOTALL)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("direct", "verdict", "state"),
    [
        ("", "unconfirmed", "no-way"),
        ("exit 3", "unconfirmed", "silent"),
        ("sleep 100", "unconfirmed", "silent"),
        ("no-such-command-here", "unconfirmed", "silent"),
        ("yes; exit 1", "unconfirmed", "silent"),
        ("cat > /dev/null", "disagrees", "silent"),
    ],
    ids=["none", "a status of its own", "hangs", "missing", "floods", "always yes"],
)
def test_a_second_way_that_says_nothing_confirms_nothing(direct, verdict, state, monkeypatch):
    monkeypatch.setattr(recheck, "MAX_SECONDS", 0.3)
    (row,) = made(lax(direct)).rows
    assert row.verdict == verdict
    assert [each.check for each in row.deviations] == [state]


def test_a_command_that_is_started_for_each_case_is_its_own_second_way():
    decoder = Decoder("accepts-all", "true", "true", ("{program}",), how="exec", expensive=True)
    (row,) = made(decoder).rows
    assert row.second_way == "true"
    assert row.verdict == "deviates"
    assert {each.check for each in row.deviations if each.kind == "extra"} == {"confirmed"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("behaviour", "verdict", "kind"),
    [
        ("dies-on-one", "troubled", "crash"),
        ("answers-twice-on-one", "troubled", "excess_output"),
        ("dies-before-hello", "broken", ""),
        ("judges-nothing", "broken", ""),
    ],
)
def test_a_decoder_that_misbehaves_is_a_row_and_the_others_go_on(hostile, behaviour, verdict, kind):
    matrix = made(hostile(behaviour), lax(""))
    first, second = matrix.rows
    assert first.verdict == verdict
    assert not kind or kind in {each.kind for each in first.troubles}
    assert verdict != "broken" or first.reason
    assert second.verdict == "unconfirmed"
    assert behaviour in render(matrix, "text")


def test_a_trouble_with_a_long_input_shows_its_real_size(some):
    trouble = Trouble("crash", "was killed", "far/1", b"a" * 70_000)
    for page in ("text", "html"):
        row = replace(some.rows[0], troubles=(trouble,))
        assert "61 61 (70000 bytes)" in render(replace(some, rows=(row,)), page)
    assert Row.from_json(row.to_json()).troubles == (trouble,)


@pytest.mark.parametrize(
    ("behaviour", "limits"), [("dies-on-one", {}), ("needs-2-seconds", {"seconds": 1.0, "silence": 0.2})]
)
def test_a_decoder_that_cannot_be_learned_has_the_reason_in_its_row(behaviour, limits, hostile):
    (row,) = made(hostile(behaviour), options=ExaminationOptions("L0", **limits)).rows
    assert row.learned is None
    assert row.not_learned


@pytest.mark.parametrize(("decoder", "kept"), [(lambda data: b"\0" not in data, "L1"), (bytes.decode, "L0")])
def test_a_level_that_was_ended_leaves_what_it_showed(monkeypatch, decoder, kept):
    """Else a decoder that slows down, or fails, after the few cases of L0 would be judged by these alone."""
    told = run(decoder, level="L0", ids=["named/*ascii*", "named/*nul*"])
    ended = replace(told, level="L1", stopped="too slow: 1,200 of 48,022 cases in 10 s")
    monkeypatch.setattr(examining, "execute", lambda _, options: ended if options.level == "L1" else told)
    report = examining._tested(SimpleNamespace(expensive=False), ExaminationOptions("L1"), lambda: None)
    assert report.level == kept
    assert kept == "L1" or report.notes[-1] == "level L1 ended early: too slow: 1,200 of 48,022 cases in 10 s"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("position", "the verdict itself is wrong"),  # python2.7 accepts ED A0 80, and so tells no offset
        ("position", "expected offset 2, got 0"),
        ("replacement", "expected 1 U+FFFD, got 2"),
    ],
)
def test_what_is_counted_in_another_way_is_no_deviation(kind, why):
    each = Deviation(kind, "UTF8-SURROGATE", b"\xed\xa0\x80", 1, "", "", "", "", why, "")
    assert deviations(SimpleNamespace(deviations=[each]), None) == ()


def test_what_a_decoder_promises_is_shown_with_the_words_and_the_address_of_its_documentation(some):
    told = {"claim": "surrogates as well", "quote": "surrogates are kept", "link": "https://example.org/manual"}
    matrix = replace(some, rows=(replace(some.rows[1], **told),))
    for page in ("html", "json"):
        shown = html.unescape(render(matrix, page))
        assert all(text in shown for text in told.values())


def test_each_quotation_has_an_address_and_each_newest_version_a_source():
    for row in decoders():
        assert bool(row.quote) is bool(row.link), row.place
        assert len(row.quote.split()) <= 20, row.place
        assert not row.link or re.match(r"https?://[\w.-]+/", row.link), row.place
        assert not row.newest or re.search(r"Debian unstable|\((PyPI|npm|GitHub)\)", row.newest), row.place


# -- results ----------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_from_the_rows_that_are_there(tmp_path):
    path = str(tmp_path / "rows.jsonl")
    first = made(find("python"), results=Results(path))
    before = (tmp_path / "rows.jsonl").read_bytes()
    second = made(find("python"), lax(LAX), results=Results(path))
    after = (tmp_path / "rows.jsonl").read_bytes()
    assert second.rows[0] == first.rows[0]
    assert after.startswith(before)
    assert after.count(b"\n") == 2


def test_all_tests_again_what_did_not_change(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    command = ["matrix", "-q", "--level", "L0", "--no-learn", "python", "--results", str(path)]
    for more, rows_kept in (([], 1), ([], 1), (["--all"], 2)):
        assert cli.main([*command, *more]) == 0
        assert path.read_bytes().count(b"\n") == rows_kept


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("results") / "rows.jsonl")
    (row,) = made(lax(""), results=Results(path)).rows
    return Results(path), row.version


@pytest.mark.parametrize("changed", ["nothing", "level", "learning", "adapter", "version"])
def test_a_row_made_otherwise_is_made_again(kept, changed):
    results, version = kept
    decoder = lax("" if changed != "adapter" else "false")
    options = {"level": replace(QUICK, level="L1"), "learning": replace(QUICK, learns=True)}.get(changed, QUICK)
    found = results.take(decoder, version if changed != "version" else "0", options)
    assert (found is not None) is (changed == "nothing")


def test_a_row_that_is_kept_gets_the_words_of_today(tmp_path):
    path = str(tmp_path / "rows.jsonl")
    first = made(lax(""), results=Results(path))
    (row,) = made(replace(lax(""), quote="it takes surrogates", place="elsewhere:1"), results=Results(path)).rows
    assert row == replace(first.rows[0], quote="it takes surrogates")
    assert (tmp_path / "rows.jsonl").read_bytes().count(b"\n") == 1


def test_a_line_that_was_cut_off_is_dropped_and_one_that_is_not_a_row_is_named(tmp_path):
    path = tmp_path / "rows.jsonl"
    made(find("python"), results=Results(str(path)))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    made(find("python"), results=Results(str(path)))
    assert path.read_bytes() == whole
    for line in (b"no json\n", b"[]\n", b'{"key": [], "row": {"name": 1}}\n', b"\xff\n"):
        path.write_bytes(whole + line)
        with pytest.raises(UsageError, match=r"rows\.jsonl:2: not a row"):
            Results(str(path))


def test_a_row_is_read_as_it_was_written(some):
    for row in some.rows:  # but for what follows from its rows file
        assert Row.from_json(json.loads(json.dumps(row.to_json()))) == replace(row, second_way="", anywhere="")


# -- pages ------------------------------------------------------------------------------------------------------------

EVIL = "a|b `c` <script>alert(1)</script> [x](javascript:y) {command-help}`check` \"'& $x$ **z** \x1b[2J"


@pytest.fixture(scope="module")
def evil(some, tmp_path_factory):
    """The rows once more, read from a file that has hostile words wherever a decoder can put some."""
    changed = {"version": EVIL, "about": EVIL, "claim": EVIL, "refuses": EVIL, "offsets": EVIL}
    changed |= {"notes": (EVIL,), "not_learned": EVIL, "controls": (EVIL,)}

    def worse(row):
        deviations = tuple(replace(each, line=EVIL, place=EVIL, said=EVIL) for each in row.deviations)
        learned = replace(row.learned, dialect=EVIL) if row.learned else None
        reason = EVIL if row.reason else ""
        return replace(row, **changed, reason=reason, name=f"{row.name} {EVIL}", deviations=deviations, learned=learned)

    path = tmp_path_factory.mktemp("evil") / "matrix.json"
    path.write_text(render(replace(some, rows=tuple(map(worse, some.rows))), "json"))
    return json_page.read(path)


def test_what_a_decoder_says_is_text_in_the_page_and_does_not_drive_the_terminal(evil, some):
    page = render(evil, "html")
    assert page.count("<script") == render(some, "html").count("<script") == 1
    assert html.escape("<script>alert(1)</script>") in page
    assert "\x1b" not in page + render(evil, "text")


def test_the_page_stands_alone_and_allows_no_script_but_its_own(some):
    page = render(some, "html")
    assert "default-src 'none'" in page
    assert "script-src 'sha256-" in page
    assert not re.search(r"src=|<link|@import|url\(", page)
    assert "color-scheme: light dark" in page
    assert page.count("<svg") == 1  # what decoders do, by language


def test_the_json_obeys_its_published_schema(some, evil):
    schema = json.loads((files("utf8_abnf.conformance.matrix.formats") / "matrix.schema.json").read_text())
    jsonschema.validate(json.loads(render(some, "json")), schema)
    jsonschema.validate(json.loads(render(evil, "json")), schema)
    assert set(schema["$defs"]["row"]["properties"]["verdict"]["enum"]) == set(VERDICTS)


# -- the command ------------------------------------------------------------------------------------------------------


def test_one_run_writes_every_format(tmp_path, capsys):
    pages = {name: tmp_path / f"matrix.{name}" for name in ("json", "html")}
    arguments = [each for path in pages.values() for each in ("-o", str(path))]
    assert cli.main(["matrix", "--level", "L0", "--no-learn", "python", *arguments]) == 0
    shown = capsys.readouterr()
    assert re.search(r"^python +3\.[\d.]+ +[\d,]+ +conforms$", shown.out, re.MULTILINE)
    assert shown.out.endswith("\n1 decoder tested, 1 of them without a deviation from RFC 3629.\n")
    assert shown.err == ""
    text = pages["json"].read_text()
    assert sum(line.startswith('{"name": ') for line in text.splitlines()) == 1  # a row is a line
    assert pages["html"].read_text().startswith("<!doctype html>")


def test_the_text_for_the_authors_is_made_from_a_published_row(root, capsys):
    merge = ["--merge", str(root / "docs/data/matrix.json")]
    assert cli.main(["matrix", "report", "npm-encoding-japanese", *merge]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# Encoding.convert of encoding-japanese 2.5.0: 80, which is not UTF-8, is accepted\n")
    assert "\n- C0 AF is accepted and comes out as 2F ('/').\n" in text
    assert "Whether this was reported before was not looked up." in text
    assert "npm install" in text
    assert text.count("```") == 4
    assert (
        "## Place\n\nsrc/encoding-convert.js, UTF8ToUNICODE().\n\n## Suggested change\n\n```diff\n--- a/src/enc" in text
    )
    assert cli.main(["matrix", "report", "python", *merge]) == 2
    assert "nothing to report" in capsys.readouterr().err
    assert cli.main(["matrix", "report"]) == 2


def test_the_title_for_the_authors_says_what_the_command_below_it_shows(root):
    """Else they run the command, see something else, and close the report."""
    reports = 0
    for row in json_page.read(root / "docs/data/matrix.json").rows:
        if row.facts or (row.grid and any(map(row.grid.fault, INPUTS))):
            title, _, rest = report(row).partition("\n")
            word = re.search(r": ((?:[0-9A-F]{2} ?)+)", title)[1].strip()
            long = "..." in title.rpartition(": ")[2]
            assert long or octal(bytes.fromhex(word)) in rest or f"smoke known:{row.name} '{word}'" in rest, row.name
            assert title.count("(") == title.count(")"), title
            reports += 1
    assert reports > 100


def test_the_grid_alone_takes_the_place_of_an_older_grid(root, tmp_path, capsys):
    path = tmp_path / "matrix.json"
    merge = ["--merge", str(root / "docs/data/matrix.json"), "-o", str(path)]
    assert cli.main(["matrix", "-q", "--level", "grid", "python-surrogatepass", *merge]) == 0
    assert "accepts: surrogates" in capsys.readouterr().out
    rows = {row["name"]: row for row in json.loads(path.read_text())["rows"]}
    assert len(rows) == len(decoders())
    assert rows["python-surrogatepass"]["verdict"] == "deviates"


def test_a_name_that_nothing_has_is_a_usage_error(capsys):
    assert cli.main(["matrix", "pythn"]) == 2
    assert "python" in capsys.readouterr().err
    assert cli.main(["matrix", "python", "-o", "matrix.pdf"]) == 2
    assert ".html" in capsys.readouterr().err


def test_ctrl_c_leaves_what_has_been_done(tmp_path):
    path = tmp_path / "rows.jsonl"
    if not find("iconv-utf-8").available():
        pytest.skip("needs iconv: apt-get install libc-bin")
    slow, quick = "iconv-utf-8", "python-surrogatepass"
    command = [sys.executable, "-m", "utf8_abnf", "matrix", "--results", path, "--jobs", "2", "--no-learn", slow, quick]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    try:
        deadline = time.monotonic() + 60
        while not (path.exists() and path.read_bytes()) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "interrupted" in err.lower()
    kept = path.read_text().splitlines()
    # One row is done, as a rule; on a busy machine the other may be done as well before the signal arrives.
    assert kept
    for name in (slow, quick):
        done = any(f'"{name}"' in line for line in kept)
        assert done is bool(re.search(rf"^{name} +\d", out, re.MULTILINE))


def test_a_class_that_is_one_rule_is_covered_by_itself():
    from utf8_abnf.conformance.matrix.deviations import words_of

    tails = words_of(("UTF8-tail",))
    assert tails is not None
    assert tails.accepts(b"\x80")
    assert words_of(("UTF8-OVERLONG",)) is None
