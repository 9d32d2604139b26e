"""Parts of a run are the whole together, to the byte, and two runs are compared row by row."""

import re
from dataclasses import replace

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance.matrix import CheckedDeviation, Matrix, Row
from utf8_abnf.conformance.matrix.changes import changes
from utf8_abnf.conformance.matrix.formats import render
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.conformance.matrix.parts import merged
from utf8_abnf.conformance.suite.parts import part_of
from utf8_abnf.errors import UsageError

ROWS = tuple(Row(f"row{number}", verdict="conforms", date="2026-11-22") for number in range(37))
WHOLE = Matrix(ROWS, "2026-11-22", "Linux", "x86_64", 2, "utf8-abnf 0", "3.11", "L0", None)


def parts(count, whole=WHOLE):
    names = [f"{number}/{count}" for number in range(1, count + 1)]
    return [replace(whole, rows=tuple(part_of(whole.rows, name)), part=name) for name in names]


@pytest.mark.parametrize("count", [1, 3, 16, 40])
def test_the_union_of_the_parts_is_the_whole_in_any_order(count, tmp_path, capsys):
    files = []
    for each in reversed(parts(count)):
        files.append(tmp_path / f"{each.part.replace('/', '-')}.json")
        files[-1].write_text(render(each, "json"), encoding="utf-8")
    made = tmp_path / "made.json"
    assert cli.main(["matrix", "merge", *map(str, files), "--json", str(made)]) == 0
    assert made.read_text(encoding="utf-8") == render(WHOLE, "json")
    assert "37 decoders tested" in capsys.readouterr().out


def test_a_part_of_a_run_is_every_nth_decoder(capsys):
    names = []
    for part in ("1/2", "2/2"):
        options = ["--level", "L0", "--no-learn", "--part", part]
        assert cli.main(["matrix", "python-etree", "python-textiowrapper", *options]) == 0
        names.append(capsys.readouterr().out.splitlines()[2].split()[0])
    assert names == ["python-textiowrapper", "python-etree"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "only parts"),
        ([WHOLE, WHOLE], "only parts"),
        (parts(3)[:2], "missing: part 3/3"),
        ([*parts(3), parts(3)[0]], "not those of one run"),
        ([*parts(2), parts(3)[2]], "not those of one run"),
        ([parts(2)[0], replace(parts(2)[1], level="L1")], "differ in level: L0, L1"),
        ([parts(2)[0], replace(parts(2)[1], rows=ROWS[:3])], "must be complete"),
    ],
)
def test_parts_that_are_not_one_run_are_refused(given, message):
    with pytest.raises(UsageError, match=message):
        merged(given)


@pytest.mark.parametrize("part", ["0/3", "4/3", "1", "a/b", "1/0", "1/3/5", "\u0661/3"])
def test_what_is_not_a_part_is_a_usage_error(part, capsys):
    assert cli.main(["matrix", "python", "--part", part]) == 2
    assert "I/N" in capsys.readouterr().err


def test_a_file_that_is_not_a_matrix_is_named(tmp_path):
    for text in ("", "[]", '{"rows": [3]}', '{"schema": 1, "rows": []}'):
        (tmp_path / "old.json").write_text(text)
        with pytest.raises(UsageError, match=r"old\.json: not a matrix"):
            read(tmp_path / "old.json")


def test_what_changed_is_said_row_by_row():
    extra = CheckedDeviation("extra", "%xED %xA0-BF UTF8-tail", b"\xed\xa0\x80", 1, "", "", "", "", "", "")
    good, lax = Row("good", verdict="conforms", version="1"), Row("lax", verdict="deviates", deviations=(extra,))
    old = replace(WHOLE, rows=(good, lax, Row("gone")))
    new = (replace(good, version="2"), replace(lax, deviations=(), verdict="conforms"), Row("added"))
    assert [*changes(old, replace(WHOLE, rows=new))] == [
        "good: version: 1 -> 2",
        "lax: verdict: deviates -> conforms",
        "lax: - extra %xED %xA0-BF UTF8-tail; ED A0 80",
        "added: new, absent",
        "gone: no longer there",
    ]
    assert not [*changes(old, old)]
    assert not [*changes(old, replace(old, rows=(good,)), whole=False)]


def test_a_row_is_printed_when_it_is_done_and_not_at_the_end(monkeypatch, capsys):
    seen = []

    def rows(chosen, _options, *, begun, **_more):
        for each in chosen:
            begun(each.name)
            yield Row(each.name, verdict="conforms")
            seen.append(capsys.readouterr().out)

    monkeypatch.setattr("utf8_abnf.conformance.matrix.rows", rows)
    assert cli.main(["matrix", "python", "python-etree"]) == 0
    assert ["python " in seen[0], "python-etree " in seen[0], "python-etree " in seen[1]] == [True, False, True]


def test_the_time_of_a_long_run_is_estimated_at_its_start(monkeypatch, capsys):
    monkeypatch.setattr("utf8_abnf.conformance.matrix.rows", lambda *_, **__: iter([Row("python", verdict="conforms")]))
    cli.main(["matrix", "python*", "--jobs", "1"])
    assert re.search(r"^utf8-abnf: \d+ decoders, 1 at a time: .* about \d+ minutes$", capsys.readouterr().err, re.M)


def test_a_run_is_compared_with_an_older_one(tmp_path, capsys):
    old = tmp_path / "old.json"
    options = ["matrix", "--level", "L0", "--no-learn", "python", "--compare", str(old)]
    old.write_text(render(replace(WHOLE, rows=(*ROWS, Row("python", verdict="absent"))), "json"))
    assert cli.main(options) == 0
    shown = capsys.readouterr().out
    assert f"changed since 2026-11-22 ({old}):\npython: verdict: absent -> conforms\n" in shown
    assert "row1" not in shown
