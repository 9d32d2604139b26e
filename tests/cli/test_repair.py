"""``utf8-abnf repair`` on real files, folders, streams and links: what it writes and keeps, and its exit status."""

import contextlib
import json
import os
import shlex
import signal
import stat
import subprocess
import sys
import time

import pytest

from utf8_abnf.cli import main
from utf8_abnf.cli.files import change_log
from utf8_abnf.cli.files.change_diff import Diff
from utf8_abnf.files.repairing import Change, Repairer, repair, undo

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
def told(capfdbinary):
    """Run the command in this process; return its status, standard output and standard error."""

    def run(*arguments):
        status = main(["repair", *map(str, arguments)])
        out, err = capfdbinary.readouterr()
        assert b"Traceback" not in err
        assert b"internal error" not in err
        return status, out, err.decode()

    return run


def piped(*arguments, stdin=BROKEN):
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, timeout=60, check=False)


# Where the result goes


def test_a_file_goes_to_standard_output_and_stays_as_it_is(told, folder):
    assert told(*FROM, "bad.txt") == (0, RIGHT, "utf8-abnf: 1 of 1 file repaired, 3 changes\n")
    assert (folder / "bad.txt").read_bytes() == BROKEN


def test_a_well_formed_file_prints_nothing_but_itself(told, folder):
    assert told("good.txt") == (0, RIGHT, "")


@pytest.mark.thorough
def test_standard_input_is_repaired():
    done = piped(*FROM)
    assert (done.returncode, done.stdout) == (0, RIGHT)


@pytest.mark.thorough
def test_a_cut_at_the_edge_of_a_buffer_changes_nothing():
    stdin = "é日😀".encode() * 400_000 + b"\xe9"
    done = piped("--to", "escape", "-q", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == stdin[:-1] + b"\\xE9"


def test_an_output_file_is_written(told, folder):
    assert told(*FROM, "-o", "new.txt", "bad.txt")[:2] == (0, b"")
    assert (folder / "new.txt").read_bytes() == RIGHT


def test_the_input_is_not_the_output(told, folder):
    status, _, err = told("-o", "bad.txt", "bad.txt")
    assert (status, "--in-place" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == BROKEN


def test_a_folder_goes_to_another_one_without_what_is_not_text(told, folder):
    (folder / "in" / "deep").mkdir(parents=True)
    (folder / "in" / "deep" / "bad.txt").write_bytes(BROKEN)
    (folder / "in" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\xff")
    (folder / "in" / "data").write_bytes(b"\0\xe9")
    (folder / "in" / "more data").write_bytes(bytes(range(1, 256)))  # in no known format, and without NUL
    (folder / "in" / "wide.txt").write_bytes("naïve text".encode("utf-16"))
    status, _, err = told(*FROM, "-o", "out", "in")
    assert (status, err) == (0, "utf8-abnf: 1 of 1 file repaired, 3 changes; 4 left alone (not UTF-8 text)\n")
    assert [str(path.relative_to(folder / "out")) for path in sorted((folder / "out").rglob("*.*"))] == [
        "in/deep/bad.txt"
    ]
    assert (folder / "out/in/deep/bad.txt").read_bytes() == RIGHT
    assert told(*FROM, "-o", "out", "in")[0] == 2  # what is there is not overwritten


def test_several_inputs_need_a_place(told, folder):
    assert told("bad.txt", "good.txt")[0] == 2
    assert told(".")[0] == 2


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\0\xff", "naïve text".encode("utf-16"), b"%PDF-1.4\n\xe2\xe3"])
def test_a_file_that_is_not_utf_8_text_is_refused_by_name(told, folder, content):
    (folder / "other").write_bytes(content)
    status, out, err = told(*FROM, "other")
    assert (status, out, "left alone" in err) == (2, b"", True)


def test_auto_converts_utf_16_and_says_why(told, folder):
    (folder / "wide.txt").write_bytes("naïve text\n".encode("utf-16"))
    status, out, err = told("--from", "auto", "wide.txt")
    assert (status, out) == (0, "naïve text\n".encode())
    assert "confidence: high; source: a byte order mark" in err
    status, out, err = told("--from", "auto", "bad.txt")
    assert (status, "the confidence is" in err) == (2, True)


# In place


@posix
@pytest.mark.parametrize("log", ["q", "./q", "sub/../q", "link/q"])
def test_output_and_log_are_two_files(log, told, folder):
    (folder / "sub").mkdir()
    (folder / "link").symlink_to(folder)
    before = sorted(folder.iterdir())
    status, out, err = told("-o", "q", "--log", log, "bad.txt")
    assert (status, out, err) == (2, b"", "utf8-abnf: -o and --log name the same file: q\n")
    assert sorted(folder.iterdir()) == before


@posix
@pytest.mark.parametrize("output", ["log", "./log", "hard", "link"])
def test_undoing_does_not_overwrite_its_log(output, told, folder):
    told(*FROM, "--log", "log", "-o", "out", "bad.txt")
    kept = (folder / "log").read_bytes()
    (folder / "hard").hardlink_to(folder / "log")
    (folder / "link").symlink_to("log")
    status, _, err = told("--undo", "log", "-o", output, "out")
    assert (status, err) == (2, f"utf8-abnf: -o and --undo name the same file: {output}\n")
    assert (folder / "log").read_bytes() == kept


@pytest.mark.parametrize("output", ["in", "in/sub", "in/new/sub", "in/../in/new"])
def test_no_output_goes_into_a_folder_that_is_repaired(output, told, folder):
    (folder / "in/sub").mkdir(parents=True)
    (folder / "in/bad.txt").write_bytes(BROKEN)
    status, _, err = told("in", "-o", output, "--log", "log")
    assert (status, err) == (2, f"utf8-abnf: -o {output} is in the folder in, which is repaired; choose another one\n")
    assert sorted(path.name for path in folder.rglob("*")) == ["bad.txt", "bad.txt", "good.txt", "in", "sub"]


@pytest.mark.parametrize("where", [("--in-place",), ("-o", "out")])
def test_the_log_is_not_repaired(where, told, folder):
    (folder / "in").mkdir()
    (folder / "in/bad.txt").write_bytes(BROKEN)
    assert told(*FROM, "in", *where, "--log", "in/log")[2] == "utf8-abnf: 1 of 1 file repaired, 3 changes\n"
    assert not (folder / "out/in/log").exists()
    again = ("--in-place",) if where == ("--in-place",) else ("-o", "again")
    paths = ("in",) if where == ("--in-place",) else ("out/in",)
    assert told("--undo", "in/log", *again, *paths)[2] == "utf8-abnf: 1 of 1 file restored, 3 changes undone\n"


def test_an_output_that_is_the_log_is_named_so(told, folder):
    (folder / "out").mkdir()
    status, _, err = told("bad.txt", "good.txt", "-o", "out", "--log", "out/bad.txt")
    assert (status, "bad.txt: out/bad.txt is the log; choose another place for it" in err) == (2, True)
    assert (folder / "out/good.txt").read_bytes() == RIGHT


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


def test_in_place_keeps_the_old_file(told, folder):
    assert told(*FROM, "--in-place", "bad.txt", "good.txt")[0] == 0
    assert (folder / "bad.txt").read_bytes() == RIGHT
    assert (folder / "bad.txt.orig").read_bytes() == BROKEN
    assert sorted(path.name for path in folder.iterdir()) == ["bad.txt", "bad.txt.orig", "good.txt"]


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
@pytest.mark.parametrize("option", [(), ("--log", "log"), ("-q",)])
def test_other_names_of_a_replaced_file_keep_the_old_content_and_that_is_said(option, told, folder):
    (folder / "second").hardlink_to(folder / "bad.txt")
    status, _, err = told(*FROM, *option, "--in-place", "bad.txt")
    assert status == 0
    assert "bad.txt: had 1 other name (a hard link), which keeps the old content\n" in err
    assert ((folder / "bad.txt").read_bytes(), (folder / "second").read_bytes()) == (RIGHT, BROKEN)


@posix
def test_of_a_file_that_is_not_replaced_no_other_names_are_told(told, folder):
    for name in ("good.txt", "bad.txt"):
        (folder / f"2{name}").hardlink_to(folder / name)
    assert told(*FROM, "--in-place", "good.txt") == (0, b"", "")
    assert "other name" not in told(*FROM, "--dry-run", "bad.txt")[2]
    assert "other name" in told(*FROM, "-o", "good.txt", "bad.txt")[2]


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


@posix
def test_what_is_not_a_file_is_not_replaced(told, folder):
    os.mkfifo(folder / "pipe")
    assert told("-o", "pipe", "bad.txt")[0] == 2
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_a_file_that_changes_meanwhile_is_not_replaced(told, folder, monkeypatch):
    feed = Repairer.feed

    def edited(self, chunk):
        (folder / "bad.txt").write_bytes(b"somebody else's text")
        return feed(self, chunk)

    monkeypatch.setattr(Repairer, "feed", edited)
    status, _, err = told("--in-place", "bad.txt")
    assert (status, "has changed meanwhile" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == b"somebody else's text"


KILLS = """
import os, random, signal, sys, time
from utf8_abnf.cli import main
import utf8_abnf.cli.files.repair

chance = random.Random(17)

def run(folder, log):
    os.chdir(folder)
    sys.argv[0] = "utf8-abnf"
    files = [f"{each}.txt" for each in range(6)]
    os._exit(main(["repair", "--from", "windows-1252", "-q", "--in-place", *(["--log", "log"] if log else []), *files]))

def started(folder, log):
    child = os.fork()
    if not child:
        run(folder, log)
    return child

begun = time.perf_counter()
os.waitpid(started(sys.argv[1] + "/whole", False), 0)
whole = time.perf_counter() - begun
for number in range(50):
    child = started(f"{sys.argv[1]}/{number}", number % 2)
    time.sleep(whole * 1.2 * chance.random())
    os.kill(child, int(sys.argv[2]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


# The tests themselves may run under nohup.
RESTORE = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
AS_BY_DEFAULT = [sys.executable, "-c", RESTORE]


@posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_a_killed_run_loses_nothing(tmp_path, name):
    """Fifty kills at random moments: each file is the old or the new one, whole, and the log undoes the new ones."""
    old = (b"caf\xe9 " * 400 + b"\n") * 20
    new = repair(old, "windows-1252").data
    kill = getattr(signal, name)
    for folder in ("whole", *range(50)):
        (tmp_path / str(folder)).mkdir()
        for each in range(6):
            (tmp_path / str(folder) / f"{each}.txt").write_bytes(old)
    run = [*AS_BY_DEFAULT, sys.executable, "-c", KILLS, tmp_path, str(int(kill))]
    ends = subprocess.run(run, check=True, timeout=120, capture_output=True).stdout.split()
    assert {int(end) for end in ends} <= {0, -kill}  # as a shell or a service manager expects it
    if kill != signal.SIGKILL:
        assert not list(tmp_path.glob("*/.utf8-abnf-*"))
    fates = set()
    for number in range(50):
        files = [tmp_path / str(number) / f"{each}.txt" for each in range(6)]
        found = [file.read_bytes() for file in files]
        assert all(content in (old, new) for content in found)
        fates |= {content == old for content in found}
        for file, content in zip(files, found, strict=True):
            if content == new and number % 2:
                made = change_log.Log(str(file.with_name("log"))).changes_of(file.name)
                assert undo(new, list(made)) == old
            elif content == new:
                assert file.with_name(file.name + ".orig").read_bytes() == old
    assert fates == {True, False}  # else the kills came too early or too late to tell anything


@pytest.fixture
def half_written(folder):
    """Run the command up to where the file in the folder ``in`` is begun; it waits for more input then."""
    (folder / "in").mkdir()

    @contextlib.contextmanager
    def run(*before):
        command = [*before, *COMMAND, "-q", *FROM, "-o", "in/new.txt", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(BROKEN * 10_000)
            process.stdin.flush()
            while not os.listdir("in"):
                assert process.poll() is None
                time.sleep(0.01)
            yield process

    return run


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_run_that_is_ended_leaves_no_temporary_file(half_written, name):
    with half_written(*AS_BY_DEFAULT) as process:
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == (130 if name == "SIGINT" else -getattr(signal, name))
    assert os.listdir("in") == []


@posix
def test_a_signal_that_is_ignored_stays_ignored(half_written, folder):
    with half_written("nohup") as process:
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        assert process.wait(60) == 0
    assert (folder / "in/new.txt").read_bytes() == RIGHT * 10_000


@posix
@pytest.mark.parametrize("size", [1000, 3_000_000])  # less than a buffer holds, and more
def test_a_file_that_there_is_no_room_for_leaves_no_temporary_file(folder, size):
    (folder / "bad.txt").write_bytes(b"\xe9" * size)
    run = f"ulimit -f 1; exec {shlex.join(COMMAND)} --to escape -o new.txt bad.txt"
    done = subprocess.run(["sh", "-c", run], capture_output=True, check=False, timeout=60)
    assert (done.returncode, b"bad.txt: " in done.stderr) == (2, True)
    assert sorted(os.listdir()) == ["bad.txt", "good.txt"]


@posix
@pytest.mark.parametrize("size", [1000, 200_000])
@pytest.mark.parametrize("where", ["--in-place", "-q"])
def test_a_log_that_there_is_no_room_for_is_named_and_the_file_stays(folder, size, where):
    (folder / "bad.txt").write_bytes(b"\xe9 " * size)
    run = f"ulimit -f {size // 64}; exec {shlex.join(COMMAND)} {where} --log log bad.txt >/dev/null"
    done = subprocess.run(["sh", "-c", run], capture_output=True, check=False, timeout=60)
    named = b"utf8-abnf: bad.txt: log: File too large\n"
    assert (done.returncode, done.stderr) in ((2, named), (2, named.replace(b" bad.txt:", b"")))
    assert (folder / "bad.txt").read_bytes() == b"\xe9 " * size
    assert sorted(os.listdir()) == ["bad.txt", "good.txt", "log"]


@pytest.mark.parametrize("place", ["no-folder/new.txt", "link", "folder/."])
@posix
def test_an_output_that_cannot_be_written_is_named(told, folder, place):
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("elsewhere")
    status, _, err = told("-o", place, "bad.txt")
    assert status == (0 if place == "folder/." else 2)
    assert (f"bad.txt: {place}: " in err) == (status == 2)


def sparse(path, parts):
    """Write *parts* one after the other, numbers as holes of so many bytes; return the content."""
    content = b"".join(part if isinstance(part, bytes) else bytes(part) for part in parts)
    with path.open("wb") as file:
        for part in parts:
            if isinstance(part, bytes):
                file.write(part)
            else:
                file.seek(part, os.SEEK_CUR)
        file.truncate()
    if path.stat().st_blocks * 512 > 1 << 20:
        pytest.skip("needs a file system that has holes")
    return content


@posix
@pytest.mark.parametrize("before", [b"", b"caf\xe9", b"\xe9" * 5000], ids=["hole first", "moved", "block"])
@pytest.mark.parametrize("after", [b"", b"th\xe9\n", b"\0\xe9\0" * 3000], ids=["hole last", "text", "short NULs"])
@pytest.mark.parametrize("where", ["--in-place", "-onew.txt"])
def test_holes_of_a_sparse_file_stay_holes(told, folder, before, after, where):
    old = sparse(folder / "bad.txt", [before, 8 << 20, b"caf\xe9", (8 << 20) + 17, after])
    assert told(*FROM, "-q", where, "bad.txt")[0] == 0
    new = folder / ("bad.txt" if where == "--in-place" else "new.txt")
    assert new.read_bytes() == old.replace(b"\xe9", "é".encode())
    assert new.stat().st_blocks * 512 < 1 << 17


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


def test_a_log_of_several_files_knows_each(told, folder):
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_bytes(BROKEN)
    (folder / "in" / "b.txt").write_bytes(b"\xe8")
    told(*FROM, "--log", "log", "-o", "out", "in")
    assert told("--undo", "log", "out/in/b.txt")[:2] == (0, b"\xe8")
    assert told("--undo", "log", "--in-place")[0] == 0
    assert (folder / "out/in/a.txt").read_bytes() == BROKEN
    assert told("--undo", "log", "good.txt")[0] == 2


@pytest.mark.parametrize("broken", [("a.txt", "c.txt"), ("c.txt",)])
def test_a_log_undoes_a_folder_with_files_that_were_well_formed(told, folder, broken):
    (folder / "in").mkdir()
    contents = {name: BROKEN if name in broken else b"good" for name in ("a.txt", "b.txt", "c.txt")}
    for name, content in contents.items():
        (folder / "in" / name).write_bytes(content)
    told(*FROM, "--log", "log", "-o", "out", "in")
    assert told("--undo", "log", "-o", "back", "out")[0] == 0
    assert {file.name: file.read_bytes() for file in (folder / "back/out/in").iterdir()} == contents
    (folder / "out").rename("moved")
    status, _, err = told("--undo", "log", "-o", "again", "moved")
    assert (status, "does not say what was changed in moved" in err) == (2, True)


@pytest.mark.thorough
def test_a_stream_is_undone(folder):
    done = piped(*FROM, "--log", "log")
    assert piped("--undo", "log", stdin=done.stdout).stdout == BROKEN


def test_a_log_is_never_overwritten(told, folder):
    (folder / "log").write_text("the only way back")
    assert told("--log", "log", "bad.txt")[0] == 2
    assert (folder / "log").read_text() == "the only way back"


@pytest.mark.parametrize("line", [
    '"file": "a\\u0000b", "offset": 1',
    '"file": "\\ud800", "offset": 1',
    '"file": "a", "output": "\\u0000", "offset": 1',
    '"file": "a", "offset": 1, "repaired": {"size": Infinity, "crc32": "0"}',
    '"file": "a", "offset": 1e3',
    '"file": "a", "offset": ' + "9" * 5000,
], ids=lambda line: line[:30])  # fmt: skip
def test_a_line_that_no_repair_has_written_is_named(line, told, folder):
    (folder / "log").write_text('{"old": "", "new": "", "why": "", ' + line + "}\n")
    status, _, err = told("--undo", "log", "--in-place")
    assert (status, "log:1: this is not a line of a log" in err) == (2, True)


@pytest.mark.parametrize(("was", "becomes"), [
    ('"old": "E9"', '"old": "E8"'), ('"offset": 9', '"offset": 8'), ('"old": "FF"', '"old": "FF FF"'),
])  # fmt: skip
def test_a_log_that_was_changed_undoes_nothing(was, becomes, told, folder):
    (folder / "a").write_bytes(b"caf\xc3\xa9, th\xe9 \xff")
    told("--from", "windows-1252", "--to", "drop", "--in-place", "--log", "log", "a")
    repaired, log = (folder / "a").read_bytes(), (folder / "log").read_text()
    (folder / "log").write_text(log.replace(was, becomes, 1))
    status, _, err = told("--undo", "log", "--in-place")
    assert (status, was in log, (folder / "a").read_bytes()) == (2, True, repaired)
    assert "log was changed after the repair" in err or "does not belong to this data" in err


def test_a_log_without_a_change_undoes_nothing(told, folder):
    told("--in-place", "--log", "log", "good.txt")
    assert told("--undo", "log", "--in-place") == (0, b"", "utf8-abnf: 0 of 0 files restored, 0 changes undone\n")


def test_what_a_killed_repair_left_is_not_repaired(told, folder):
    (folder / "d").mkdir()
    for name in ("bad.txt", ".utf8-abnf-x1y2z3"):
        (folder / "d" / name).write_bytes(BROKEN)
    for option in (["-o", "out"], ["--in-place"]):
        assert told(*FROM, *option, "d")[2] == "utf8-abnf: 1 of 1 file repaired, 3 changes\n"
    assert (folder / "d" / ".utf8-abnf-x1y2z3").read_bytes() == BROKEN


def test_a_log_of_other_data_is_refused_and_the_file_stays(told, folder):
    told(*FROM, "--in-place", "--log", "log", "bad.txt")
    (folder / "bad.txt").write_bytes(b"edited since")
    status, _, err = told("--undo", "log", "--in-place", "bad.txt")
    assert (status, "does not belong" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == b"edited since"


@pytest.mark.parametrize("policy", ["drop", "fffd", "escape"])
@pytest.mark.parametrize("what", ["not repaired", "another file", "appended to", "shortened", "empty"])
def test_a_log_undoes_only_what_its_repair_wrote(told, folder, policy, what):
    told("--to", policy, "--in-place", "--log", "log", "bad.txt")
    written = (folder / "bad.txt").read_bytes()
    contents = {
        "not repaired": BROKEN, "another file": written.replace(b"caf", b"bar"), "appended to": written + b"more\n",
        "shortened": written[:-1], "empty": b"",
    }  # fmt: skip
    (folder / "bad.txt").write_bytes(contents[what])
    status, _, err = told("--undo", "log", "--in-place", "bad.txt")
    assert (status, "does not belong" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == contents[what]


@pytest.mark.parametrize("kept", [1, 2])
def test_a_log_without_its_last_lines_is_refused(told, folder, kept):
    told("--to", "drop", "--in-place", "--log", "log", "bad.txt")
    written = (folder / "bad.txt").read_bytes()
    lines = (folder / "log").read_text().splitlines(keepends=True)
    (folder / "log").write_text("".join(lines[:kept]))
    status, _, err = told("--undo", "log", "--in-place")
    assert (status, "was cut" in err) == (2, True)
    assert (folder / "bad.txt").read_bytes() == written


def test_a_log_is_whole_for_each_file_though_another_could_not_be_written(told, folder):
    (folder / "in").mkdir()
    for name in ("a", "b", "c"):
        (folder / "in" / name).write_bytes(BROKEN)
    (folder / "out" / "in" / "b").mkdir(parents=True)
    assert told(*FROM, "--log", "log", "-o", "out", "in")[0] == 2
    assert told("--undo", "log", "--in-place")[0] == 0
    assert (folder / "out/in/a").read_bytes() == (folder / "out/in/c").read_bytes() == BROKEN


@posix
def test_a_log_in_a_pipe_is_refused(told, folder):
    os.mkfifo("log")
    status, _, err = told("--undo", "log", "bad.txt")
    assert (status, "log" in err) == (2, True)


@pytest.mark.parametrize(
    "line",
    [
        b"no json", b"{}", b'{"file": "a", "offset": 1, "old": "xx", "new": "", "why": ""}', b"[]", b"\x9a",
        b"[" * 10**5, b'{"file": "a", "offset": -1, "old": "", "new": "", "why": ""}',
        b'{"file": "a", "offset": 1e3, "old": "", "new": "", "why": ""}',
        b'{"file": "a", "offset": 1e999, "old": "", "new": "", "why": ""}',
        b'{"file": "a", "offset": true, "old": "", "new": "", "why": ""}',
        b'{"file": "a", "offset": 1, "old": "", "new": "", "why": "", "repaired": {"size": "x", "crc32": "0"}}',
    ],
)  # fmt: skip
def test_what_is_not_a_log_is_named(told, folder, line):
    (folder / "log").write_bytes(line + b"\n")
    status, _, err = told("--undo", "log", "bad.txt")
    assert (status, "log:1" in err) == (2, True)


def test_a_log_that_a_kill_cut_is_read_up_to_there(told, folder):
    told(*FROM, "--log", "log", "-o", "new.txt", "bad.txt")
    with open("log", "a", encoding="utf-8") as log:
        log.write('{"file": "next.txt", "off')
    assert told("--undo", "log", "new.txt")[:2] == (0, BROKEN)


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


def test_a_dry_run_of_long_lines_shows_what_stands_beside_the_changes():
    data = b"a" * 5000 + b"\xe9" + b"b" * 5000 + b"\xe8" * 3 + b"c" * 5000 + b"\nnext \xe9"
    shown = []
    for cut in (1, 7, 5000, 20000):
        diff, repairer = Diff("x"), Repairer("windows-1252")
        lines = [line for at in range(0, len(data), cut) for line in diff.add(repairer.feed(data[at : at + cut]))]
        shown.append([*lines, *diff.add(repairer.finish()), *diff.end()])
    assert shown[0] == shown[1] == shown[2] == shown[3]
    assert shown[0][:2] == ["x:1:5001", f"  before  …{'a' * 40}<E9>{'b' * 40}…{'b' * 40}<E8><E8><E8>{'c' * 40}…"]
    assert shown[0][5] == "x:2:6"


@pytest.mark.parametrize("policy", ["windows-1252", "shift_jis+windows-1252"])  # by C's log, and by a list
def test_a_dry_run_of_a_line_with_many_changes_counts_the_others(policy, monkeypatch):
    data = (b"a\xe9" * 20 + b"z\n" + b"b\xe9" * 8 + b"y\n\nc\xe9\n") * 3 + b"d\xe9" * 10
    for cut in (1, 5, 43, 1000):
        diff, repairer = Diff("x"), Repairer(policy)
        lines = [line for at in range(0, len(data), cut) for line in diff.add(repairer.feed(data[at : at + cut]))]
        lines += [*diff.add(repairer.finish()), *diff.end()]
        starts = [line for line in lines if line[0] == "x"]
        assert starts == [f"x:{line}:2" for line in (1, 2, 4, 5, 6, 8, 9, 10, 12, 13)]
        assert [line.split()[-1] for line in lines if "… +" in line] == ["+12"] * 3 + ["+2"]
        assert [line for line in lines if line.startswith("  after")][:2] == [
            "  after   " + "aé" * 8 + "a…",
            "  after   " + "bé" * 8 + "y",
        ]
    made = []
    monkeypatch.setattr("utf8_abnf.files.repairing.fast.Change", lambda *each: made.append(each) or Change(*each))
    list(Diff("x").add(repair(b"\xe9" + b"a\xe9" * 9999, "windows-1252")))
    assert len(made) < 20  # the others are only counted


# The options


def test_danger_is_said_aloud(told, folder):
    (folder / "java.txt").write_bytes(b"a\xc0\x80b")
    status, out, err = told("-q", "--overlong", "shortest", "java.txt")
    assert (status, out, "dangerous" in err) == (0, b"a\0b", True)


def test_each_treatment_can_be_asked_for(told, folder):
    (folder / "all").write_bytes(b"\xed\xa0\xbd\xed\xb8\x80 \xc0\xaf \xe9 \x81 \xff\xfeh\0i\0\n\0")
    options = ("--cesu8", "--overlong", "shortest", "--utf16-in-place", *FROM, "--to", "escape:angle")
    assert told(*options, "all")[:2] == (0, "😀 / é <81> hi\n".encode())


@pytest.mark.parametrize(
    "arguments",
    [
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


def test_an_input_that_cannot_be_read_does_not_stop_the_others(told, folder):
    assert told(*FROM, "-o", "out", "no-file", "bad.txt")[0] == 2
    assert (folder / "out" / "bad.txt").read_bytes() == RIGHT


def test_mojibake_is_decoded_once(told, folder):
    pytest.importorskip("ftfy", reason="needs ftfy: pip install 'utf8-abnf[mojibake]'")
    (folder / "twice.txt").write_bytes("schÃ¶n\n".encode())
    assert told("--mojibake", "twice.txt")[:2] == (0, "schön\n".encode())


def test_mojibake_without_ftfy_names_the_extra(told, folder, monkeypatch):
    from utf8_abnf.files.repairing import mojibake

    mojibake._ftfy.cache_clear()
    monkeypatch.setitem(sys.modules, "ftfy", None)
    status, _, err = told("--mojibake", "bad.txt")
    assert (status, "utf8-abnf[mojibake]" in err) == (2, True)
