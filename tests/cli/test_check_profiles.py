"""``utf8-abnf check --profile``: what it prints of well-formed text that a target refuses, and the exit status."""

import json
import zipfile
from functools import partial

import pytest

REFUSED = b"ab\xc3\xa9\0c\nx\xef\xbf\xbey\n"


@pytest.fixture
def check(tmp_path, monkeypatch, call):
    """Run ``check`` in the folder *tmp_path*."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(REFUSED)
    (tmp_path / "good.txt").write_bytes("naïve 日本 😀\n".encode())
    return partial(call, "check")


DIAGNOSTIC = """\
a.txt:1:4: PROFILE-NUL U+0000 at offset 4 is refused by the profile xml-1.0
  00000000  61 62 C3 A9 00 63 0A 78   ab···c·x
                        ^^ refused: U+0000
  rule  xml-character = %x09 / %x0A / %x0D / %x20-D7FF / %xE000-FFFD / %x10000-10FFFF      \
XML 1.0 section 2.2, grammar/profiles/xml-1.0.abnf:4
  why   no XML document can have U+0000, not even as a character reference
  fix   look for the program that wrote it: binary data, UTF-16, or a field of fixed length that NUL fills up
        utf8-abnf explain PROFILE-NUL

a.txt:2:2: PROFILE-NONCHARACTER U+FFFE at offset 8 is refused by the profile xml-1.0
"""


def test_the_diagnostic_has_rule_why_and_fix(check):
    status, out, _ = check("--profile", "xml-1.0", "a.txt", "good.txt")
    assert status == 1
    assert out.startswith(DIAGNOSTIC)
    assert out.endswith("\n2 refused characters in 1 of 2 files\n")


@pytest.mark.parametrize(
    ("profile", "data", "status"),
    [
        ("postgresql", b"a\0", 1),
        ("postgresql", "\ufffe😀\x01".encode(), 0),
        ("replacement", "\ufffd".encode(), 1),
        ("replacement", b"\xff", 1),
    ],
)
def test_verdicts(check, tmp_path, profile, data, status):
    (tmp_path / "data").write_bytes(data)
    assert check("-q", "--profile", profile, "data")[0] == status
    assert check("--profile", profile, "data")[0] == status


def test_ill_formed_and_refused_are_counted_by_themselves(check, tmp_path):
    (tmp_path / "both").write_bytes(b"\0ab\xff" * 8 + b"text")
    status, out, _ = check("--max-errors", "3", "--profile", "postgresql", "both")
    assert status == 1
    assert "both: 7 more ill-formed sequences, 6 more refused characters (--max-errors 0 shows all)" in out
    assert "8 ill-formed sequences in 1 of 1 file; 8 refused characters in 1 of 1 file" in out


def test_every_format_has_the_code(check):
    for form in ("text", "jsonl", "github", "sarif"):
        status, out, _ = check("--profile", "json", "--format", form, "a.txt", "good.txt")
        assert status == 1
        assert "PROFILE-NUL" in out
    out = check("--profile", "json", "--format", "jsonl", "a.txt", "good.txt")[1]
    error, bad, good, summary = map(json.loads, out.splitlines())
    assert (bad["verdict"], good["verdict"], error["profile"]) == ("refused", "well-formed", "json")
    assert (summary["errors"], summary["refused"]) == (0, 1)
    sarif = json.loads(check("--profile", "json", "--format", "sarif", "a.txt")[1])
    rules = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in sarif["runs"][0]["results"]} <= rules


def test_files_with_nul_in_folders_are_judged_where_nul_is_refused(check):
    assert check("--profile", "postgresql", ".")[0] == 1
    assert check("--profile", "noncharacters", ".")[0] == 0  # it is left out as binary
    assert check("--profile", "noncharacters", "-a", ".")[0] == 1


def test_what_is_in_archives_is_judged(check, tmp_path):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("inner.txt", REFUSED)
    status, out, _ = check("-z", "--profile", "postgresql", "packed.zip")
    assert status == 1
    assert out.startswith("packed.zip!inner.txt:1:4: PROFILE-NUL")


def test_columns_are_judged(check, tmp_path):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table({"name": ["ok", "a\0b", "é"]}), tmp_path / "table.parquet")
    status, out, _ = check("-z", "--profile", "postgresql", "table.parquet")
    assert status == 1
    assert out.startswith("table.parquet: column name, row 1, byte 1: PROFILE-NUL")
    assert check("-z", "--profile", "mysql-utf8mb3", "table.parquet")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--profile", "postgres"), "there is no profile postgres, nor such a file; the profiles are i-json, json,"),
        (("--profile", "date-time.abnf"), "has to derive all sequences of some characters"),
        (("--profile", "nowhere.abnf"), "nowhere.abnf"),
        (("--profile", "json.abnf"), "not shown to be regular"),
    ],
)
def test_what_is_not_a_profile_is_named(check, tmp_path, arguments, word):
    (tmp_path / "date-time.abnf").write_text('day = 2DIGIT "-"\n')
    (tmp_path / "json.abnf").write_text('number = "(" number ")" / DIGIT\n')
    status, _, error = check(*arguments, "good.txt")
    assert status == 2
    assert word in error
