"""``utf8-abnf suite``: what it writes is complete, the same each time, and needs nothing of this package to be read."""

from __future__ import annotations

import hashlib
import json
from functools import partial

import pytest

from utf8_abnf.cli import main
from utf8_abnf.conformance.suite import cases, families


@pytest.fixture
def run(call):
    return partial(call, "suite")


def test_list_names_every_family_with_its_count_and_the_theorem(run):
    out = run("list", "--level", "L1").out
    for family in families("L1"):
        assert any(family.name in line and f"{family.count:,}" in line for line in out.splitlines())
    assert "Assumed, not tested" in out


def test_jsonl_has_a_line_for_each_case_with_all_its_answers(run):
    lines = [json.loads(line) for line in run("export", "--level", "L0").out.splitlines()]
    for line, case in zip(lines, cases("L0"), strict=True):
        assert bytes.fromhex(line["hex"]) == case.data
        assert [line[key] for key in ("id", "accept", "rule", "story")] == [case.id, case.accept, case.rule, case.story]
        assert (line["offset"] is None) == case.accept
        assert line["code_points"].count(0xFFFD) >= line["replacements"]
        assert set(line) == {
            "id", "hex", "accept", "offset", "length", "code", "replacements", "code_points", "chunks", "before",
            "rule", "story",
        }  # fmt: skip


def test_frames_and_verdicts_are_those_of_the_published_hash(root, capfdbinary):
    made = hashlib.sha256()
    for form in ("frames", "verdicts"):
        assert main(["suite", "export", "--family", "A2", "--form", form]) == 0
        made.update(capfdbinary.readouterr().out)
    assert f"{made.hexdigest()}  A2\n" in (root / "docs/_static/suites.sha256").read_text(encoding="utf-8")


def test_files_are_named_for_the_case_and_its_verdict(tmp_path, run):
    folder = tmp_path / "cases"
    assert run("export", "--level", "L0", "--form", "files", "--output", folder).status == 0
    assert (folder / "named__overlong__slash-2.bad").read_bytes() == b"\xc0\xaf"
    assert (folder / "named__bom__alone.ok").read_bytes() == b"\xef\xbb\xbf"
    assert len(list(folder.iterdir())) == sum(1 for _ in cases("L0", "named"))


def test_streams_are_exported_with_their_chunks(run):
    first = json.loads(run("export", "--family", "stream/ends").out.splitlines()[0])
    assert sum(first["chunks"]) == len(bytes.fromhex(first["hex"]))


def test_show_explains_one_case(run):
    shown = json.loads(run("show", "W/k0/ED-A0-80").out)
    assert (shown["accept"], shown["code"], shown["rule"]) == (False, "UTF8-SURROGATE", "UTF8-3/3")


def test_another_grammar_is_exported_too(tmp_path, run):
    (tmp_path / "ab.abnf").write_text('ab = *( "a" "b" )\n')
    lines = run("export", "--grammar", tmp_path / "ab.abnf", "--level", "L1").out.splitlines()
    accepted = {bytes.fromhex(line["hex"]) for line in map(json.loads, lines) if line["accept"]}
    assert {b"", b"AB", b"aB"} <= accepted


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show"], "needs the id of a case"),
        (["show", "named/nonsense"], "has no case"),
        (["export", "--family", "nonsense"], "no family 'nonsense'; it has named"),
        (["export", "--level", "L3", "--family", "W/k2"], "only judged in process"),
        (["export", "--form", "files"], "needs a folder"),
        (["export", "--grammar", "no-such-grammar"], "no-such-grammar"),
        (["export", "--level", "L0", "--output", "/no/such/folder/file"], "/no/such/folder/file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_said_in_one_line(args, message, run):
    found = run(*args)
    assert found.status == 2
    assert message in found.err
