"""``utf8-abnf repair`` on real files, folders, streams and links: what it writes and keeps, and its exit status."""

import json
import os
import shlex
import stat
import subprocess
import sys
from functools import partial

import pytest

from utf8_abnf.cli.files.change_diff import Diff
from utf8_abnf.files.repairing import Repairer

COMMAND = [sys.executable, "-m", "utf8_abnf", "repair"]
posix = pytest.mark.skipif(os.name != "posix", reason="mode bits, links and signals as POSIX has them")

BROKEN = "naïve\n".encode() + b"caf\xe9, \x93th\xe9\x94\n" + "日本\n".encode()
RIGHT = "naïve\ncafé, “thé”\n日本\n".encode()
FROM = ("--from", "windows-1252")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.txt").write_bytes(BROKEN)
    (tmp_path / "good.txt").write_bytes(RIGHT)
    return tmp_path


@pytest.fixture
def told(call_for_bytes):
    return partial(call_for_bytes, "repair")


# Where the result goes


def test_a_file_goes_to_standard_output_and_stays_as_it_is(told, folder):
    assert told(*FROM, "bad.txt") == (0, RIGHT, "utf8-abnf: 1 of 1 file repaired, 3 changes\n")
    assert (folder / "bad.txt").read_bytes() == BROKEN


@pytest.mark.thorough
def test_standard_input_is_repaired():
    done = subprocess.run([*COMMAND, *FROM], input=BROKEN, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, RIGHT)


def test_several_inputs_need_a_place(told, folder):
    assert told("bad.txt", "good.txt")[0] == 2
    assert told(".")[0] == 2


# In place


@posix
def test_standard_input_is_not_overwritten(folder):
    with open("bad.txt", "rb") as stdin:
        done = subprocess.run([*COMMAND, "-o", "bad.txt"], stdin=stdin, capture_output=True, timeout=60, check=False)
    assert (done.returncode, b"is input and output at the same time" in done.stderr) == (2, True)
    assert (folder / "bad.txt").read_bytes() == BROKEN


HOSTILE = "a\x1b[2J\udce9"


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("--in-place", "link"),
        ("bad.txt", "--log", HOSTILE),
        ("bad.txt", "--undo", HOSTILE),
        ("--in-place", HOSTILE),
        ("broken",),
        ("bad.txt", "--from", "\x1b[2J"),
    ],
    ids=range(6),
)
def test_a_terminal_obeys_no_name_in_a_reason(arguments, told, folder):
    (folder / HOSTILE).write_bytes(BROKEN)
    (folder / f"{HOSTILE}.orig").write_bytes(b"")
    (folder / "link").symlink_to(HOSTILE)
    (folder / "broken").symlink_to(f"{HOSTILE}.no")
    status, _, err = told(*arguments)
    assert (status, "\x1b" in err, err.count("\n")) == (2, False, 1)


@posix
@pytest.mark.parametrize("option", [(), ("--log", "log"), ("-q",)])
def test_in_place_keeps_the_old_file_or_a_log_and_says_what_other_names_there_are(option, told, folder):
    (folder / "second").hardlink_to(folder / "bad.txt")
    status, _, err = told(*FROM, *option, "--in-place", "bad.txt", "good.txt")
    assert (status, (folder / "bad.txt").read_bytes(), (folder / "second").read_bytes()) == (0, RIGHT, BROKEN)
    assert "bad.txt: had 1 other name (hard links), with the old content\n" in err
    kept = "log" if "--log" in option else "bad.txt.orig"
    assert {path.name for path in folder.iterdir()} == {"bad.txt", "good.txt", "second", kept}
    assert kept == "log" or (folder / kept).read_bytes() == BROKEN


def test_in_place_does_not_overwrite_a_backup(told, folder):
    (folder / "bad.txt.orig").write_bytes(b"older")
    status, _, err = told("--in-place", "bad.txt")
    assert (status, "exists already" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == BROKEN
    assert sorted(path.name for path in folder.iterdir()) == ["bad.txt", "bad.txt.orig", "good.txt"]
    assert told("--in-place", ".")[0] == 2  # backups in a folder are not repaired themselves
    assert not (folder / "bad.txt.orig.orig").exists()


@posix
def test_in_place_keeps_mode_bits_and_does_not_write_what_is_well_formed(told, folder):
    (folder / "bad.txt").chmod(0o751)
    before = (folder / "good.txt").stat()
    told("--in-place", "bad.txt", "good.txt")
    assert stat.S_IMODE((folder / "bad.txt").stat().st_mode) == 0o751
    after = (folder / "good.txt").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("attribute", [
    ("user.note", b"kept"),
    # User 1000 and no group may write; group's mode bits are those of the mask: acl(5), linux/posix_acl_xattr.h
    ("system.posix_acl_access", bytes.fromhex("02000000 01000600FFFFFFFF 02000600E8030000 04000000FFFFFFFF "
                                              "10000600FFFFFFFF 20000000FFFFFFFF")),
], ids=["attribute", "access control list"])  # fmt: skip
def test_in_place_keeps_extended_attributes(attribute, told, folder):
    name, value = attribute
    try:
        os.setxattr(folder / "bad.txt", name, value)
    except (AttributeError, OSError):
        pytest.skip("needs a file system of Linux with extended attributes")
    assert told("--in-place", "bad.txt")[0] == 0
    assert os.getxattr(folder / "bad.txt", name) == value


@posix
def test_an_owner_that_cannot_be_kept_is_told_and_gets_no_rights_of_the_new_one(told, folder, monkeypatch):
    def refused(path, owner, group):
        if owner != -1:
            raise PermissionError(1, "Operation not permitted")

    (folder / "bad.txt").chmod(0o6755)
    monkeypatch.setattr(os, "chown", refused)
    status, _, err = told(*FROM, "--in-place", "bad.txt")
    assert (status, stat.S_IMODE((folder / "bad.txt").stat().st_mode)) == (0, 0o755)
    assert "bad.txt: had another owner or group, which the new file could not be given" in err


@posix
def test_a_symbolic_link_is_not_replaced_nor_followed(told, folder):
    (folder / "link.txt").symlink_to("bad.txt")
    status, _, err = told("--in-place", "link.txt")
    assert (status, "symbolic link to bad.txt" in err) == (2, True)
    assert (folder / "link.txt").is_symlink()
    assert (folder / "bad.txt").read_bytes() == BROKEN
    (folder / "out.txt").symlink_to("good.txt")
    assert told("-o", "out.txt", "bad.txt")[0] == 2
    assert (folder / "good.txt").read_bytes() == RIGHT


def test_a_file_that_changes_meanwhile_is_not_replaced(told, folder, monkeypatch):
    feed = Repairer.feed

    def edited(self, chunk):
        (folder / "bad.txt").write_bytes(b"somebody else's text")
        return feed(self, chunk)

    monkeypatch.setattr(Repairer, "feed", edited)
    status, _, err = told("--in-place", "bad.txt")
    assert (status, "has changed meanwhile" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == b"somebody else's text"


@posix
@pytest.mark.parametrize("size", [1000, 3_000_000])  # less than a buffer holds, and more
def test_a_file_that_there_is_no_room_for_leaves_no_temporary_file(folder, size):
    (folder / "bad.txt").write_bytes(b"\xe9" * size)
    run = f"ulimit -f 1; exec {shlex.join(COMMAND)} --to escape -o new.txt bad.txt"
    done = subprocess.run(["sh", "-c", run], capture_output=True, check=False, timeout=60)
    assert (done.returncode, b"bad.txt: " in done.stderr) == (2, True)
    assert sorted(os.listdir()) == ["bad.txt", "good.txt"]


# The log


def test_a_log_undoes_the_repair(told, folder):
    assert told(*FROM, "--in-place", "--log", "log.jsonl", "bad.txt")[0] == 0
    records = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert records[0] == {
        "file": "bad.txt", "offset": 10, "old": "E9", "new": "C3 A9", "why": "UTF8-MISSING-TAIL, windows-1252",
    }  # fmt: skip
    assert not (folder / "bad.txt.orig").exists()  # the log is the way back
    assert told("--undo", "log.jsonl", "bad.txt")[:2] == (0, BROKEN)
    assert told("--undo", "log.jsonl", "--in-place")[0] == 0
    assert (folder / "bad.txt").read_bytes() == BROKEN


def test_a_log_is_never_overwritten_unless_it_is_empty(told, folder):
    (folder / "log").write_text("the only way back")
    assert told("--log", "log", "bad.txt")[0] == 2
    assert (folder / "log").read_text() == "the only way back"
    (folder / "log").write_text("")  # a full disk left it
    assert told("--log", "log", "--in-place", "bad.txt")[0] == 0
    assert told("--undo", "log", "bad.txt")[:2] == (0, BROKEN)


@pytest.mark.parametrize("kept", [1, 2])
def test_a_log_without_its_last_lines_is_refused(told, folder, kept):
    told("--to", "drop", "--in-place", "--log", "log", "bad.txt")
    written = (folder / "bad.txt").read_bytes()
    lines = (folder / "log").read_text().splitlines(keepends=True)
    (folder / "log").write_text("".join(lines[:kept]))
    status, _, err = told("--undo", "log", "--in-place")
    assert (status, "was cut" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == written


def test_a_log_that_a_kill_cut_is_read_up_to_there(told, folder):
    told(*FROM, "--log", "log", "-o", "new.txt", "bad.txt")
    with open("log", "a", encoding="utf-8") as log:
        log.write('{"file": "next.txt", "off')
    assert told("--undo", "log", "new.txt")[:2] == (0, BROKEN)


@pytest.mark.parametrize(("was", "becomes"), [
    ('"old": "E9"', '"old": "E8"'), ('"offset": 9', '"offset": 8'), ('"old": "FF"', '"old": "FF FF"'),
])  # fmt: skip
def test_a_log_that_was_changed_undoes_nothing(was, becomes, told, folder):
    (folder / "a").write_bytes(b"caf\xc3\xa9, th\xe9 \xff")
    told("--from", "windows-1252", "--unit", "bytes", "--to", "drop", "--in-place", "--log", "log", "a")
    repaired, log = (folder / "a").read_bytes(), (folder / "log").read_text()
    (folder / "log").write_text(log.replace(was, becomes, 1))
    status, _, err = told("--undo", "log", "--in-place")
    assert (status, was in log, (folder / "a").read_bytes()) == (2, True, repaired)
    assert "does not belong to this data" in err


@pytest.mark.parametrize("policy", ["drop", "escape"])
def test_a_log_undoes_only_what_its_repair_wrote(told, folder, policy):
    told("--to", policy, "--in-place", "--log", "log", "bad.txt")
    written = (folder / "bad.txt").read_bytes()
    for content in (BROKEN, written.replace(b"caf", b"bar"), written + b"more\n", written[:-1], b""):
        (folder / "bad.txt").write_bytes(content)
        status, _, err = told("--undo", "log", "--in-place", "bad.txt")
        assert (status, "does not belong" in err) == (2, True)
        assert (folder / "bad.txt").read_bytes() == content


@pytest.mark.parametrize("line", [
    b"no json", b"{}", b"[]", b"\x9a", b"[" * 10**5, b'{"file": "a", "offset": 1, "old": "xx", "new": "", "why": ""}',
    *(b'{"file": "a", "old": "", "new": "", "why": "", "offset": ' + offset + b"}"
      for offset in (b"-1", b"1e3", b"1e999", b"true", b"9" * 5000, b'1, "original": {"size": "x", "crc32": "0"}',
                     b'1, "original": {"size": Infinity, "crc32": "0"}', b'1, "output": "\\u0000"',
                     b'1, "file": "\\ud800"')),
], ids=lambda line: line[-30:])  # fmt: skip
def test_what_is_not_a_log_is_named(told, folder, line):
    (folder / "log").write_bytes(line + b"\n")
    status, _, err = told("--undo", "log", "bad.txt")
    assert (status, "log:1: this is not a line of a log" in err) == (2, True)


def test_a_folder_is_repaired_in_place_and_undone(told, folder):
    (folder / "in" / "deep").mkdir(parents=True)
    contents = {
        "a.txt": BROKEN, "b.txt": b"good", "deep/c.txt": b"\xe8", "picture.png": b"\x89PNG\r\n\x1a\n\0\0\xff",
        "data": b"\0\xe9", "more data": bytes(range(1, 256)), "wide.txt": "naïve text".encode("utf-16"),
        ".utf8-abnf-x1y2z3": BROKEN,
    }  # fmt: skip
    for name, content in contents.items():
        (folder / "in" / name).write_bytes(content)
    status, _, err = told(*FROM, "--in-place", "--log", "in/log", "in", "no-file")
    assert (status, "2 of 3 files repaired, 4 changes; 4 left alone (not UTF-8 text)\n" in err) == (2, True)
    assert ((folder / "in/a.txt").read_bytes(), (folder / "in/deep/c.txt").read_bytes()) == (RIGHT, "è".encode())
    assert told("--undo", "in/log", "in/deep/c.txt")[:2] == (0, b"\xe8")
    assert told("--undo", "in/log", "good.txt")[0] == 2
    assert told("--undo", "in/log", "--in-place", "in")[0] == 0
    assert {name: (folder / "in" / name).read_bytes() for name in contents} == contents


@posix
@pytest.mark.parametrize(("option", "before"), [("--log", ()), ("--undo", (*FROM, "--log", "log", "bad.txt"))])
@pytest.mark.parametrize("place", ["log", "./log", "link"])
def test_output_and_log_are_two_files(option, before, place, told, folder):
    if before:
        told(*before)
    (folder / "link").symlink_to("log")
    status, out, err = told("-o", place, option, "log", "bad.txt")
    assert (status, out, err) == (2, b"", f"utf8-abnf: -o and {option} name the same file: {place}\n")


# The dry run


def test_a_dry_run_shows_lines_before_and_after_and_writes_nothing(told, folder):
    status, out, err = told(*FROM, "--dry-run", "bad.txt", "good.txt")
    assert (status, err) == (1, "utf8-abnf: 1 of 2 files would be repaired, 3 changes\n")
    assert out.decode() == (
        "bad.txt:2:4\n"
        "  before  caf<E9>, <93>th<E9><94>\n"
        "  after   café, “thé”\n"
        "  bytes   E9 -> C3 A9  (10: UTF8-MISSING-TAIL, windows-1252)\n"
        "          93 -> E2 80 9C  (13: UTF8-LONE-TAIL, windows-1252)\n"
        "          E9 94 -> C3 A9 E2 80 9D  (16: UTF8-MISSING-TAIL, windows-1252)\n"
    )
    assert (folder / "bad.txt").read_bytes() == BROKEN
    assert told("--dry-run", "good.txt") == (0, b"", "")


@pytest.mark.parametrize("policy", ["windows-1252", "shift_jis+windows-1252"])  # by C's log, and by a list
def test_a_dry_run_shows_many_changes_of_a_line_in_groups(policy):
    data = (b"a\xe9" * 20 + b"z\n" + b"b\xe9" * 8 + b"y\n\nc\xe9\n") * 3 + b"d\xe9" * 10
    for cut in (1, 5, 43, 1000):
        diff, repairer = Diff("x"), Repairer(policy)
        lines = [line for at in range(0, len(data), cut) for line in diff.add(repairer.feed(data[at : at + cut]))]
        lines += [*diff.add(repairer.finish()), *diff.end()]
        starts = [line for line in lines if line[0] == "x"]
        assert starts[:6] == ["x:1:2", "x:1:18", "x:1:34", "x:2:2", "x:4:2", "x:5:2"]
        assert (len(starts), starts[-1]) == (17, "x:13:18")
        after = [line.removeprefix("  after   ") for line in lines if line.startswith("  after")]
        assert after[:4] == ["aé" * 8 + "a", "éa" * 8, "éa" * 3 + "éz", "bé" * 8 + "y"]


# The options


def test_danger_is_said_aloud(told, folder):
    (folder / "java.txt").write_bytes(b"a\xc0\x80b")
    status, out, err = told("-q", "--overlong", "shortest", "java.txt")
    assert (status, out, "dangerous" in err) == (0, b"a\0b", True)


def test_each_treatment_can_be_asked_for(told, folder):
    (folder / "all").write_bytes("naïve ".encode() + b"\xed\xa0\xbd\xed\xb8\x80 \xc0\xaf \xe9 \x81")
    options = ("--cesu8", "--overlong", "shortest", *FROM, "--to", "escape:angle")
    assert told(*options, "--unit", "bytes", "all")[:2] == (0, "naïve 😀 / é <81>".encode())
    assert told(*FROM, "--to", "escape", "all")[1].startswith("naÃ¯ve ".encode())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--unit", "bytes", "bad.txt"), ("--log", "", "bad.txt"), ("--undo", "good.txt", *FROM, "bad.txt"),
        ("--from", "no-codec", "bad.txt"), ("--to", "fffd:no", "bad.txt"), ("--from", "rot13", "bad.txt"),
        ("--in-place", "-"), ("--in-place", "-o", "x", "bad.txt"), ("--dry-run", "--in-place", "bad.txt"),
        ("--dry-run", "--log", "x", "bad.txt"), ("--undo", "good.txt", "--cesu8", "bad.txt"), ("no-file",),
        ("--undo", "no-file", "bad.txt"), ("--overlong", "x"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_out_is_status_2(told, folder, arguments):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    status, out, err = told(*arguments)
    assert (status, out) == (2, b"")
    assert err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
