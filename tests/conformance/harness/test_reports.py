"""Reports: every format holds what the report holds, is what it says it is, and survives hostile text."""

import codecs
import json
import re
import shlex
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.expected import read, write
from utf8_abnf.conformance.harness.formats import FORMATS, render
from utf8_abnf.conformance.harness.formats.sarif import source_of
from utf8_abnf.conformance.harness.report import KINDS, Deviation, FamilyResult, Report, Trouble
from utf8_abnf.errors import UsageError

EVIL = "</script><script>alert(1)</script>]]>\x1b[2J\x00|`\n::error::# \ud800\"'&"

MARK = b"\xed\xa0\x80"


def report(**changes):
    facts = {
        "target": f"stream:./dec {EVIL}",
        "name": f"dec{EVIL}",
        "version": EVIL,
        "level": "L1",
        "modes": ("v",),
        "families": (FamilyResult("named", "v", 10, 10, 8, 1, 1), FamilyResult("W/k0", "v", 10, 0, 0, 0)),
        "deviations": (
            Deviation("extra", "%xED %xA0-BF UTF8-tail", MARK, 1, "UTF8-3", "RFC 3629 section 3", *[EVIL] * 5),
        ),
        "troubles": (Trouble("crash", EVIL, EVIL, b"\xff", EVIL),),
        "notes": (EVIL,),
        "seconds": 1.5,
    }
    return Report(**(facts | changes))


PASSED = {
    "deviations": (),
    "troubles": (),
    "families": (FamilyResult("named", "v", 10, 10, 10, 0),),
    "theorem": "It is proved.",
}


@pytest.mark.parametrize("name", FORMATS)
def test_no_control_character_of_the_decoder_reaches_the_reader(name):
    text = render(report(), name)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
    text.encode("utf-8")


def test_no_line_of_text_is_longer_than_a_screen_needs_and_not_each_of_many_crashes_is_shown():
    words = "it says so much about what it saw that no screen is wide enough for it " * 5
    crashes = tuple(Trouble("crash", f"{number} {words}", f"named/{number}", b"\xff") for number in range(100))
    (deviation,) = report().deviations
    found = report(troubles=crashes, deviations=(replace(deviation, why=words, reproduce="try"),), stopped=words)
    lines = render(replace(found, target="t", name="n", version="", notes=()), "text").splitlines()
    assert max(map(len, lines)) <= 160
    assert sum(line.startswith("  crash:") for line in lines) == 10
    assert "  ... and 90 more" in lines


def test_of_dozens_of_ranges_the_first_are_shown_and_it_is_said_where_all_are():
    """A class had 40 lines of "%x80 / %x82 / %x84 / ..."."""
    many = " / ".join(f"%x{byte:02X}" for byte in range(0x80, 0xC0, 2))
    few = "%xC2 ( %x80 / %x82 )"
    (deviation,) = report().deviations
    found = report(deviations=(replace(deviation, line=f"%xC1 ( {many} ) / {few}", detail=f"only after {many}"),))
    text = " ".join(render(found, "text").split())
    assert text.count("%x80 / %x82 / %x84 and 29 more") == 2
    assert few in text
    assert "note: of long lists of bytes the first 3 are shown; --format json shows all" in text
    assert many in render(found, "json")


@pytest.mark.parametrize("changes", [{}, PASSED, {"stopped": "it hangs"}], ids=["fail", "pass", "stopped"])
def test_the_json_report_obeys_its_published_schema(changes):
    schema = json.loads((files("utf8_abnf.conformance.harness.formats") / "report.schema.json").read_text())
    jsonschema.validate(json.loads(render(report(**changes), "json")), schema)


def test_a_run_that_was_stopped_after_a_deviation_fails():
    seen = report(stopped="too slow", name="n", version="", target="t")
    assert (seen.verdict, seen.exit_status, seen.conforms) == ("fail", 1, False)
    assert render(seen, "text").splitlines()[1:3] == [
        "FAIL, stopped early; 10 cases, 1 wrong, 1 without an answer, 1.5 s",
        "stopped: too slow",
    ]
    suite = ET.fromstring(render(seen, "junit")).find("testsuite")
    assert (suite.get("failures"), suite.get("errors")) == ("2", "2")
    excused = replace(seen, troubles=(), deviations=tuple(replace(each, excused="known") for each in seen.deviations))
    assert (excused.verdict, excused.exit_status) == ("stopped", 3)


def test_junit_counts_what_fails():
    suite = ET.fromstring(render(report(), "junit")).find("testsuite")
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) == 2
    assert int(suite.get("errors")) == len(suite.findall("testcase/error")) == 1
    assert int(suite.get("skipped")) == 1
    assert int(suite.get("tests")) == len(suite.findall("testcase"))
    passed = ET.fromstring(render(report(**PASSED), "junit")).find("testsuite")
    assert (passed.get("failures"), passed.get("errors")) == ("0", "0")


def test_sarif_has_a_rule_for_each_result_and_a_relative_path(tmp_path, monkeypatch):
    """Where no answer came was said of what is rejected, and the location was no path: hosts refuse that."""
    excused = Deviation("missing", "%xC0", b"\xc0", 1, "", "", "c", "r", excused="old")
    found = report(deviations=(excused,), troubles=(Trouble("missing", "is silent", "c", b"\xff"),), source="src/d.c")
    (made,) = json.loads(render(found, "sarif"))["runs"]
    texts = {rule["id"]: rule["shortDescription"]["text"] for rule in made["tool"]["driver"]["rules"]}
    said = [texts[result["ruleId"]] for result in made["results"]]
    assert said == [KINDS["missing"], "the decoder left an answer out, and answered what it was asked next"]
    assert made["results"][0]["suppressions"][0]["justification"] == "old"
    places = [result["locations"][0]["physicalLocation"] for result in made["results"]]
    assert places == [{"artifactLocation": {"uri": "src/d.c"}, "region": {"startLine": 1}}] * 2
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.c").touch()
    assert source_of(str(tmp_path / "d.c")) == "d.c"
    for name in ("e.c", __file__):
        with pytest.raises(UsageError, match="--source"):
            source_of(name)


def test_a_markdown_table_has_as_many_cells_in_each_row():
    rows = [line for line in render(report(), "markdown").splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    assert set(widths[:3]) == {8}
    assert set(widths[3:]) == {6}


@pytest.mark.parametrize("name", ["text", "markdown", "json"])
def test_a_passing_report_says_what_it_proves(name):
    assert "It is proved." in render(report(**PASSED), name)


def test_an_unknown_format_is_a_usage_error():
    with pytest.raises(UsageError, match="text"):
        render(report(), "docx")


# -- expected failures ------------------------------------------------------------------------------------------------


def test_a_written_file_of_expected_failures_is_read_back(tmp_path):
    path = tmp_path / "expected.toml"
    path.write_text(write(report()), encoding="utf-8")
    assert read(path) == ({"extra %xED %xA0-BF UTF8-tail": "TODO: why?"}, "L1")


def cut_at_end(data):
    """Accept a character that the end of the input cuts."""
    codecs.utf_8_decode(data)


def cut_anywhere(data):
    """Accept a character that is cut, at every place."""
    data.decode("utf-8", "cut")


def _cut(error):
    if error.end == len(error.object) or error.reason == "invalid continuation byte":
        return "", error.end
    raise error


codecs.register_error("cut", _cut)


def test_a_deviation_that_grows_beyond_its_place_is_not_expected(tmp_path):
    path = tmp_path / "expected.toml"
    path.write_text(write(run(cut_at_end, level="L0")), encoding="utf-8")
    assert 'where = "only at the end of the input"' in path.read_text(encoding="utf-8")
    expected = read(path).reasons
    assert run(cut_at_end, level="L0", expected=expected).verdict == "expected"
    grown = run(cut_anywhere, level="L0", expected=expected)
    assert grown.verdict == "fail"
    everywhere = {key.partition(" (only")[0]: reason for key, reason in expected.items()}
    assert run(cut_at_end, level="L0", expected=everywhere).verdict == "fail"


def test_a_deviation_in_some_contexts_is_expected_whatever_its_shortest_example_is():
    found = Deviation("extra", "%x80", b"\x80", 1, "", "", "c", "r", place="in some contexts; shortest accepted 80")
    other = replace(found, place="in some contexts; shortest accepted 2E 80; nearest rejected 80")
    assert found.full_key == other.full_key == "extra %x80 (in some contexts)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deviation = 3", "holds"),
        ("level = 'L9'", "level, one of L0, L1"),
        ("[[deviation]]\nkind = 'extra'", "entry 1 needs"),
        ("[[deviation]]\nkind = 'odd'\nline = 'x'\nreason = 'y'", "'odd'"),
        ("[[deviation]]\nkind = 'extra'\nline = 'x'\nreason = ''", "entry 1 needs"),
        ("[[deviation]]\nkind = 'extra'\nline = 'x'\nreason = 'y'\nwhere = 3", "entry 1 may have where"),
        ("[[deviation]]\nkind = 'extra'\nline = 'x'\nreason = 'y'\nwhen = 'z'", "entry 1 may have where"),
        ("surprise = 1", "nothing else"),
        ("= =", "line 1"),
    ],
)
def test_a_bad_file_of_expected_failures_is_a_usage_error(text, words, tmp_path):
    path = tmp_path / "expected.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        read(path)


# -- the command line -------------------------------------------------------------------------------------------------

DECODER = """
def lax(data):
    data.decode('utf-8', 'surrogatepass')
    return True
def right(data):
    data.decode()
    return True
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "lax_decoder.py").write_text(DECODER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return "py:lax_decoder:"


def test_only_what_was_asked_can_pass_unexpectedly(module, tmp_path, capsys):
    file = tmp_path / "expected.toml"
    assert cli.main(["test", "--level", "L1", "--keep-going", module + "lax", "--write-expected", str(file)]) == 1
    known = ["test", module + "right", "--expected", str(file)]
    assert cli.main([*known, "--level", "L0"]) == 0
    assert cli.main([*known, "--level", "L1", "--case", "named/ascii/*"]) == 0
    assert cli.main([*known, "--level", "L1", "--family", "W/k0"]) == 0
    capsys.readouterr()
    assert cli.main([*known, "--level", "L1"]) == 1
    assert "unexpected pass" in capsys.readouterr().out
    assert cli.main(["test", module + "lax", "--level", "L1", "--expected", str(file)]) == 0  # it goes on


def test_a_report_goes_to_files_in_the_formats_of_their_names_and_text_to_the_terminal(module, tmp_path, capsys):
    json_file, xml = tmp_path / "out.json", tmp_path / "out.xml"
    assert cli.main(["test", "--level", "L0", module + "lax", "-o", str(json_file), "-o", str(xml)]) == 1
    assert json.loads(json_file.read_text())["conforms"] is False
    assert ET.fromstring(xml.read_text()).tag == "testsuites"
    assert "FAIL" in capsys.readouterr().out
    assert cli.main(["test", "--level", "L0", module + "lax", "-o", "report.doc"]) == 2
    assert "ends with one of .txt, .json" in capsys.readouterr().err


def test_what_is_found_is_told_when_it_is_found_and_the_first_level_that_fails_is_the_last(module, capsys):
    assert cli.main(["test", "--level", "L1", module + "lax"]) == 1
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "ED A0 80 accepted: a surrogate (named/surrogate/first)"
    assert "L1 not run, because a lower level failed; --keep-going runs it" in lines
    assert cli.main(["test", "--level", "L1", module + "right"]) == 0
    assert capsys.readouterr().out.startswith("L0: 500 cases, all right\n\n")
    command = ["test", "--level", "L1", "--keep-going", "--format", "jsonl", module + "lax"]
    assert cli.main(command) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["event"] for each in events] == ["wrong", "level", "level", "report"]
    assert (events[0]["data"], events[1]["following"], events[3]["not_run"]) == ("ED A0 80", "L1", [])


def test_the_report_for_people_tells_each_risk_once_and_the_families_that_went_wrong(module, capsys):
    (deviation,) = report().deviations
    two = tuple(
        replace(deviation, line=line, why="A: b", security="danger", mistake="c < 0") for line in ("%x1", "%x2")
    )
    families = (FamilyResult("named", "v", 10, 10, 8, 2), FamilyResult("W/k0", "v", 10, 10, 10, 0))
    found = report(deviations=two, troubles=(), families=families)
    text = render(found, "text")
    assert (text.count("danger"), text.count("code  c < 0"), "W/k0" in text) == (1, 2, False)
    assert "W/k0" in render(found, "text", verbose=True)


def test_smoke_tells_what_is_wrong_in_plain_words(module, tmp_path, capsys):
    assert cli.main(["smoke", module + "right"]) == 0
    assert "every answer is right" in capsys.readouterr().out
    assert cli.main(["smoke", module + "lax"]) == 1
    assert "; 1 of 14 answers are not RFC 3629's." in capsys.readouterr().out
    assert cli.main(["smoke", module + "lax", "ED A0 80", "C3 A9"]) == 1
    assert cli.main(["smoke", module + "lax", "zz"]) == 2


@pytest.mark.parametrize(
    ("makes", "word", "why"),
    [
        (
            "data.decode(errors='replace').replace(MARK + '>', '?')",
            "E0 3E",
            "does not come out unchanged: expected",
        ),
        ("data.decode(errors='replace') if data != bytes([192, 128]) else chr(0)", "C0 80", "usual mark"),
    ],
)
def test_smoke_shows_which_rule_of_texts_is_broken(makes, word, why, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(tmp_path)
    name = f"breaks_{word.replace(' ', '')}"
    told = f"MARK = chr(0xFFFD)\nclass Breaks:\n    def replace(self, data):\n        return {makes}\n"
    (tmp_path / f"{name}.py").write_text(told, encoding="utf-8")
    assert cli.main(["smoke", f"py:{name}:Breaks", word, "E0 3C"]) == 1
    said = capsys.readouterr().out
    assert why in said
    assert "; 1 of 4 have the right verdict and break a rule of mode r." in said


@pytest.mark.parametrize(("policy", "status"), [("surrogateescape", 0), ("backslashreplace", 0), ("ignore", 1)])
def test_smoke_knows_the_policies_that_the_test_knows(policy, status, tmp_path, monkeypatch, capsys):
    """It said of surrogateescape that the output is not well-formed, and showed three surrogates for one."""
    name = f"replaces_with_{policy}"
    text = f"class Decoder:\n    def replace(self, data):\n        return data.decode('utf-8', {policy!r})\n"
    (tmp_path / f"{name}.py").write_text(text, encoding="ascii")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["smoke", f"py:{name}:Decoder"]) == status
    assert "not well-formed" not in capsys.readouterr().out


HOSTILE = Path(__file__).resolve().parent / "hostile" / "decoder.py"
PROGRAM = f"{shlex.quote(sys.executable)} -I {shlex.quote(str(HOSTILE))}"


def test_smoke_calls_no_answer_right_that_judges_nothing(capsys):
    assert cli.main(["smoke", f"stream:{PROGRAM} judges-nothing"]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()[1:]
    assert first == "mode v: 0 of 14 answers are right"
    assert last.endswith("14 of 14 answers say that it cannot judge the case.")


#   what it does                   modes  what is said, and what not
BROKEN = [
    ("hangs-on-one", "stream", "mode v: 13 of 13 answers are right, and 1 of 14 cases has none", "has read"),
    ("hangs-on-every-case", "stream", "mode v: 0 of 0 answers are right, and 14 of 14 cases have none", "has read"),
    ("answers-short-in-p", "stream", "gave no answer for 1 s, after 00 00 00 00 of one", "gave no answer for 1 s\n"),
    ("one-question-late", "stream", "or gives it one question late", "It leaves the answer to this case out"),
    ("exits-with-3-on-one", "exec", "--accept and --reject", "adapter"),
    ("hangs-on-one", "exec", "It does not end.", "lush"),
]


@pytest.mark.thorough
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("behaviour", "kind", "words", "not_said"), BROKEN, ids=[f"{row[1]}-{row[0]}" for row in BROKEN]
)
def test_smoke_says_no_more_than_it_saw(behaviour, kind, words, not_said, capsys):
    status = 1 if behaviour == "exits-with-3-on-one" else 3  # it answers the others, so the crash is a deviation
    target = f"{kind}:{PROGRAM} {behaviour}{'/exec' * (kind == 'exec')}"
    assert cli.main(["smoke", "--timeout", "1", target]) == status
    said = capsys.readouterr().out
    assert words in said
    assert not_said not in said


MISTAKES = {
    "flushes-never": "Flush",
    "answers-garbage": "31 or 30",
    "answers-twice": "no line end",
    "says-something-else": "hello line",
}


def test_smoke_knows_the_common_mistakes(capsys):
    for behaviour, words in MISTAKES.items():
        assert cli.main(["smoke", f"stream:{PROGRAM} {behaviour}", "--timeout", "0.5"]) == 3
        assert words in capsys.readouterr().out
