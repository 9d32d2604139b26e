"""``utf8-abnf check`` on real files, pipes, sockets and devices: what it prints, and the exit status."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from unittest import mock

import pytest

from utf8_abnf.cli import main
from utf8_abnf.language import codes, explanations

COMMAND = [sys.executable, "-m", "utf8_abnf", "check"]
posix = pytest.mark.skipif(os.name != "posix", reason="named pipes, devices and links as POSIX has them")


def check(*arguments, cwd=".", stdin=b"", env=None):
    """Run the command in this process, on streams of its own: to start a process takes ten times as long."""
    arguments = ["check", *map(os.fsdecode, arguments)]
    assert len(stdin) <= 4096  # as much as a pipe of any system can hold
    reading, writing = os.pipe()
    os.write(writing, stdin)
    os.close(writing)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = standard_streams(reading, out.fileno(), err.fileno())
        with contextlib.chdir(cwd), mock.patch.dict(os.environ, env or {}), streams:
            status = main(arguments)
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(arguments, status, out.read(), err.read())
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr
    return done


@contextlib.contextmanager
def standard_streams(stdin, stdout, stderr):
    """Put the descriptors, of which *stdin* is closed, in place of the standard streams, also of those in ``sys``."""
    saved = [os.dup(number) for number in range(3)]
    try:
        for number, descriptor in enumerate((stdin, stdout, stderr)):
            os.dup2(descriptor, number)
        os.close(stdin)
        with (
            open(0, closefd=False) as stdin,
            open(1, "w", closefd=False) as stdout,
            open(2, "w", closefd=False) as stderr,
            mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        ):
            yield
    finally:
        for number, descriptor in enumerate(saved):
            os.dup2(descriptor, number)
            os.close(descriptor)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.txt").write_bytes("naïve 日本 😀\n".encode())
    (tmp_path / "bad.txt").write_bytes(b"abcdef\x9fe\nab\xed\xa0\x80c")
    (tmp_path / "empty").write_bytes(b"")
    return tmp_path


# The diagnostic


DIAGNOSTIC = """\
(standard input):3:3: UTF8-SURROGATE byte A0 at offset 11 cannot follow ED
  00000005  C3 A9 0A 61 62 ED A0 80 63   ···ab···c
                           ~~ ^^ expected 80..9F
  rule  UTF8-3 = … / %xED %x80-9F UTF8-tail / …      RFC 3629 section 4, grammar/utf8.abnf:6
  why   ED A0..BF would encode U+D800..U+DFFF, the surrogates of UTF-16 (RFC 3629 section 3)
"""


def test_the_diagnostic_shows_bytes_rule_and_reason():
    done = check(stdin=b"abc\nd\xc3\xa9\nab\xed\xa0\x80c")
    assert done.returncode == 1
    assert done.stdout.decode().startswith(DIAGNOSTIC)


# bytes, line, column (start of the sequence), code, offset of the byte that cannot be right
PLACES = [
    (b"\xff", 1, 1, "UTF8-TOO-LARGE", 0),
    (b"\r\xc0", 1, 2, "UTF8-OVERLONG", 1),
    ("日本".encode() + b"\xe0\x80", 1, 3, "UTF8-OVERLONG", 7),
    ("日\n本😀".encode() + b"\x80", 2, 3, "UTF8-LONE-TAIL", 11),
    (b"ab\xf0\x9f\x98", 1, 3, "UTF8-TRUNCATED", 5),
]


@pytest.mark.parametrize(("data", "line", "column", "code", "offset"), PLACES, ids=[row[0].hex(" ") for row in PLACES])
def test_the_first_line_names_the_place_and_the_byte(data, line, column, code, offset):
    first = check("-", stdin=data).stdout.decode().splitlines()[0]
    assert first.startswith(f"(standard input):{line}:{column}: {code} ")
    assert f" at offset {offset}" in first


def test_max_errors_shows_that_many_and_counts_the_rest():
    done = check("--max-errors", "2", stdin=b"\xff" * 10 + "\ufffd".encode())
    assert done.stdout.count(b"UTF8-TOO-LARGE byte") == 2
    assert b"8 more ill-formed sequences" in done.stdout
    assert b"10 ill-formed sequences in 1 of 1 file" in done.stdout


# Formats


def test_json_is_one_document_with_what_json_lines_has(folder):
    """Whatever order the inputs come in: an error, none, and one that cannot be read."""
    paths = ["bad.txt", "good.txt", "nowhere", "a b.txt"]
    whole = json.loads(check("--format", "json", *paths, cwd=folder).stdout)
    lines = [json.loads(line) for line in check("--format", "jsonl", *paths, cwd=folder).stdout.splitlines()]
    by_type = defaultdict(list)
    for each in lines:
        by_type[each.pop("type")].append(each)
    [summary] = by_type["summary"]
    assert whole["summary"] == summary
    assert whole["problems"] == by_type["problem"]
    assert [each["path"] for each in whole["files"]] == [each["path"] for each in by_type["file"]]
    assert [each["verdict"] for each in whole["files"]] == [each["verdict"] for each in by_type["file"]]
    errors = [each for file in whole["files"] for each in file["errors"]]
    assert errors == [{key: value for key, value in each.items() if key != "path"} for each in by_type["error"]]


def test_github_gets_workflow_commands_with_escaped_properties(tmp_path):
    (tmp_path / "a,b:100%").write_bytes(b"x\n\xc0")
    line = check("--format", "github", "a,b:100%", cwd=tmp_path).stdout.decode()
    assert line.startswith("::error file=a%2Cb%3A100%25,line=2,col=1,title=UTF8-OVERLONG::byte C0 at offset 2 ")


def test_sarif_is_a_log_of_results_with_a_rule_for_each_code(folder):
    (folder / "a b.txt").write_bytes(b"x\n\xc0")
    log = json.loads(check("--format", "sarif", "bad.txt", "./a b.txt", "nowhere", cwd=folder).stdout)
    (run,) = log["runs"]
    assert {each["ruleId"] for each in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    place = run["results"][-1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b.txt"}
    assert place["region"] == {"startLine": 2, "startColumn": 1, "byteOffset": 2, "byteLength": 1}
    assert run["invocations"][0]["executionSuccessful"] is False
    assert json.loads(check("--format", "sarif").stdout)["runs"][0]["results"] == []


# What there is to check


def test_a_folder_is_walked_in_order_hidden_files_included_version_control_left_out(folder):
    for path in ("b/.hidden/x", "b/y", "a/z", ".git/pack", ".top"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"\xff")
    found = check("-l", ".", cwd=folder).stdout.decode().split()
    assert found == ["./.top", "./bad.txt", "./a/z", "./b/y", "./b/.hidden/x"]


def test_a_version_control_folder_that_is_named_is_checked(folder):
    (folder / ".git").mkdir()
    (folder / ".git/x").write_bytes(b"\xff")
    assert check("-l", ".git", cwd=folder).stdout == b".git/x\n"


# patterns, and what is listed of a/bad, a/b/bad, a/b/bad.txt, bad.txt and c/bad
EXCLUDED = [
    (["*.txt"], "a/bad a/b/bad c/bad"),
    (["b"], "bad.txt a/bad c/bad"),
    (["b/"], "bad.txt a/bad c/bad"),
    (["bad/"], "bad.txt a/bad a/b/bad a/b/bad.txt c/bad"),
    (["/bad*"], "a/bad a/b/bad a/b/bad.txt c/bad"),
    (["a/b"], "bad.txt a/bad c/bad"),
    (["b/bad"], "bad.txt a/bad a/b/bad a/b/bad.txt c/bad"),
    (["**/b/bad"], "bad.txt a/bad a/b/bad.txt c/bad"),
    (["a/**/bad"], "bad.txt a/b/bad.txt c/bad"),
    (["a/**", "!a/b"], "bad.txt a/b/bad a/b/bad.txt c/bad"),
    (["[!c]/", "?ad.t[wx]t"], "c/bad"),
    (["bad*", "!bad.txt"], "bad.txt a/b/bad.txt"),
]


@pytest.mark.parametrize(("patterns", "listed"), EXCLUDED, ids=[" ".join(row[0]) for row in EXCLUDED])
def test_exclude_takes_patterns_as_gitignore_does(patterns, listed, tmp_path):
    for name in ("a/bad", "a/b/bad", "a/b/bad.txt", "bad.txt", "c/bad"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"\xff")
    if patterns == ["a/**", "!a/b"]:  # taken back, but for what is in it
        listed = "bad.txt c/bad"
    options = [word for pattern in patterns for word in ("--exclude", pattern)]
    found = check("-l", *options, ".", cwd=tmp_path).stdout.decode().split()
    assert sorted(found) == sorted(f"./{name}" for name in listed.split())
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    words = ["git", "ls-files", "-o", *(word for pattern in patterns for word in ("-x", pattern))]
    git = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert sorted(git.stdout.split()) == sorted(listed.split())


def test_exclude_counts_for_named_files_on_request(folder):
    (folder / "build/x").mkdir(parents=True)
    (folder / "build/x/bad").write_bytes(b"\xff")
    options = ["-l", "--exclude", "build/", "--exclude", "*.txt"]
    named = ["bad.txt", "build/x/bad"]
    assert check(*options, *named, cwd=folder).stdout == b"bad.txt\nbuild/x/bad\n"
    assert check(*options, "--force-exclude", *named, cwd=folder).stdout == b""
    assert check(*options, "--force-exclude", "build", cwd=folder).stdout == b""
    (folder / "pyproject.toml").write_text('[tool.utf8-abnf]\nexclude = ["/build"]\n')
    assert check("-l", "--force-exclude", *named, cwd=folder).stdout == b"bad.txt\n"
    assert check("-l", "bad", ".", cwd=folder / "build/x").stdout == b"bad\n"  # from the folder of the settings
    assert check("--exclude", "[z-a]", ".", cwd=folder).returncode == 2


@posix
def test_links_are_followed_only_when_named_or_asked_for(folder):
    (folder / "sub").mkdir()
    (folder / "sub/loop").symlink_to("..")
    (folder / "sub/link").symlink_to("../bad.txt")
    assert check("-l", "sub", cwd=folder).returncode == 0
    assert check("-l", "sub/link", cwd=folder).stdout == b"sub/link\n"
    followed = check("-l", "-R", "sub", cwd=folder)
    assert followed.stdout == b"sub/link\nsub/loop/bad.txt\n"
    assert followed.returncode == 1


@posix
def test_a_broken_link_is_a_problem_when_named_or_followed(folder):
    (folder / "link").symlink_to("nowhere")
    named = check("link", "bad.txt", "-l", cwd=folder)
    assert named.stderr == b"utf8-abnf: link: No such file or directory\n"
    assert (named.stdout, named.returncode) == (b"bad.txt\n", 2)
    assert check("-q", "good.txt", "-R", ".", cwd=folder).returncode == 2


@pytest.mark.parametrize(
    "paths",
    [["bad.txt", "bad.txt"], ["bad.txt", "./bad.txt"], [".", "bad.txt"], ["bad.txt", "."], [".", "."]],
    ids=" ".join,
)
def test_what_is_named_twice_is_checked_once(paths, folder):
    assert check("-l", *paths, cwd=folder).stdout.count(b"bad.txt") == 1


def test_binary_files_in_folders_are_left_out_and_counted(folder):
    (folder / "image").write_bytes(b"\x89PNG\0\xff")
    assert check("-l", "-a", ".", cwd=folder).stdout == b"./bad.txt\n./image\n"
    assert check("-l", ".", cwd=folder).stdout == b"./bad.txt\n"
    assert b"(1 binary file skipped)" in check(".", cwd=folder).stdout
    (folder / "bad.txt").unlink()
    found = check(".", cwd=folder)
    assert (found.returncode, found.stdout) == (0, b"")
    assert b"(1 binary file skipped)" in found.stderr  # whoever reads "well-formed" learns what was not looked at


def test_a_binary_file_that_is_named_is_judged(folder):
    (folder / "image").write_bytes(b"\x89PNG\0\xff")
    (folder / "names").write_bytes(b"image\n")
    assert check("-l", "image", ".", cwd=folder).stdout == b"image\n./bad.txt\n"
    assert check("-l", "--files-from", "names", cwd=folder).stdout == b"image\n"


@pytest.mark.parametrize("names", [b"bad.txt\n\ngood.txt\n", b"good.txt\nbad.txt", b"bad.txt\0good.txt\0"], ids=str)
def test_files_from_names_more_inputs(names, folder):
    found = check("-l", "--files-from", "-", cwd=folder, stdin=names)
    assert found.stdout == b"bad.txt\n"
    (folder / "list").write_bytes(names)
    assert check("-l", "--files-from", "list", "good.txt", cwd=folder).stdout == b"bad.txt\n"
    assert check("--files-from", "nowhere", cwd=folder).returncode == 2
    assert b"utf8-abnf: .: is a folder" in check("--files-from", ".", cwd=folder).stderr


@posix
@pytest.mark.parametrize("name", [b"new\nline", b"caf\xe9", b" ", b"-dash"], ids=repr)
def test_any_name_is_listed_as_it_is_and_shown_on_one_line(name, tmp_path):
    (tmp_path / os.fsdecode(name)).write_bytes(b"\xff")
    assert check("-0", "--", name, cwd=tmp_path).stdout == name + b"\0"
    first = check("--", name, cwd=tmp_path).stdout.decode().splitlines()[0]
    assert ":1:1: UTF8-TOO-LARGE" in first
    assert json.loads(check("--format", "jsonl", "--", name, cwd=tmp_path).stdout.splitlines()[-1])["errors"] == 1


# What goes wrong: each has its sentence, and the others are still checked


@posix
def test_a_named_pipe_is_read_to_its_end(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"a" * 100_000 + b"\n\xff"])
    writer.start()
    done = check("pipe", cwd=tmp_path)
    writer.join()
    assert done.stdout.startswith(b"pipe:2:1: UTF8-TOO-LARGE byte FF at offset 100001")


def test_what_may_not_be_read_is_a_problem(folder, monkeypatch):
    def refused(real):
        def opened(path, *more):
            if os.path.basename(path) in {"closed", "bad.txt"}:
                raise PermissionError(13, "Permission denied")
            return real(path, *more)

        return opened

    (folder / "closed").mkdir()
    monkeypatch.setattr(os, "scandir", refused(os.scandir))
    monkeypatch.setattr(os, "open", refused(os.open))
    done = check("-l", ".", cwd=folder)
    names = (b"./bad.txt", b"./closed")
    assert done.stderr.splitlines() == [b"utf8-abnf: %s: Permission denied" % name for name in names]
    assert (done.stdout, done.returncode) == (b"", 2)


@posix
def test_special_files_met_in_a_folder_are_passed_over(folder):
    os.mkfifo(folder / "pipe")
    done = check(".", cwd=folder)
    assert b"1 of 3 files (1 pipe, socket or device skipped)" in done.stdout
    assert (done.stderr, done.returncode) == (b"", 1)


@posix
def test_an_endless_device_is_refused(folder):
    done = check("-l", "/dev/zero", "bad.txt", cwd=folder)
    assert b"is a device, which may never end" in done.stderr
    assert (done.stdout, done.returncode) == (b"bad.txt\n", 2)
    with open("/dev/zero", "rb") as file:
        redirected = subprocess.run(COMMAND, stdin=file, capture_output=True, check=False, timeout=30)
    assert redirected.returncode == 2


@posix
def test_a_socket_is_refused(folder, monkeypatch):
    monkeypatch.chdir(folder)  # the name of a socket has to be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        done = check("-l", "socket", "bad.txt")
    assert b"socket: is a socket" in done.stderr
    assert (done.stdout, done.returncode) == (b"bad.txt\n", 2)


def test_a_proc_file_that_claims_to_be_empty_is_read():
    if not os.path.exists("/proc/self/status"):
        pytest.skip("needs Linux's /proc")
    records = check("--format", "jsonl", "/proc/self/status").stdout.splitlines()
    assert json.loads(records[0])["verdict"] == "well-formed"


@posix
def test_of_standard_input_only_what_is_left_is_checked(folder):
    with (folder / "bad.txt").open("rb") as file:
        os.lseek(file.fileno(), 10, os.SEEK_SET)
        done = subprocess.run([*COMMAND, "--format", "jsonl"], stdin=file, capture_output=True, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["start"] for each in records if each["type"] == "error"] == [1, 2, 3]


# The terminal


def on_a_terminal(*arguments, cwd, env=None):
    """Return what the command prints on a terminal of its own."""
    import pty

    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **(env or {})}
    child = subprocess.Popen(
        [*COMMAND, *arguments], cwd=cwd, stdin=subprocess.PIPE, stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    child.stdin.close()
    seen = b""
    try:
        while block := os.read(leader, 65536):
            seen += block
    except OSError:  # Linux's way to say that the other side is closed
        pass
    child.wait(30)
    os.close(leader)
    return seen


@posix
def test_colour_and_the_all_clear_appear_on_a_terminal_only(folder):
    assert b"\x1b[31;1mUTF8-SURROGATE\x1b[0m" in on_a_terminal("bad.txt", cwd=folder, env={"NO_COLOR": ""})
    assert b"\x1b[" not in on_a_terminal("bad.txt", cwd=folder, env={"NO_COLOR": "1"})
    assert b"\x1b[" not in check("bad.txt", cwd=folder).stdout
    assert b"1 file: well-formed" in on_a_terminal("good.txt", cwd=folder)


def test_the_rest_of_a_longer_mistake_is_not_blamed_on_another_encoding():
    records = [json.loads(line) for line in check("--format", "jsonl", stdin=b"\xed\xa0\x80 \x80").stdout.splitlines()]
    advice = [each["advice"] for each in records if each["type"] == "error"]
    assert advice[1] == advice[2] == explanations.REST_OF_THE_LAST
    assert advice[3] == codes.ADVICE["UTF8-LONE-TAIL"]


def test_usage_errors_have_status_2():
    assert check("--max-errors", "-1").returncode == 2
    assert check("--no-such-option").returncode == 2
    assert check("--max-errors", "9" * 30, stdin=b"\xff").returncode == 1
    assert b"argument --max-errors: not a whole number from 0 up: 'x'" in check("--max-errors", "x").stderr
    assert b"invalid choice: 'xml'" in check("--format", "xml").stderr


@posix
def test_names_are_escaped_on_a_terminal_only(folder):
    (folder / "\x1b[2Jbad").write_bytes(b"\xff")
    seen = on_a_terminal("-l", ".", cwd=folder)
    assert b"\x1b" not in seen
    assert b"./\\x1b[2Jbad" in seen
    assert b"./\x1b[2Jbad\n" in check("-l", ".", cwd=folder).stdout


LARGE = 1 << 20  # bytes of a block, in which large files are checked by threads


@pytest.mark.parametrize("at", [0, LARGE, LARGE + 2, 4 * LARGE + 1])
def test_a_large_file_is_judged_wherever_its_characters_and_faults_lie(at, tmp_path):
    text = "😀".encode() * (LARGE + 1)
    (tmp_path / "large").write_bytes(b"a" * (at % 4) + text)
    assert check("large", cwd=tmp_path).returncode == 0
    start = at // 4 * 4  # of a character
    for wrong in (text[:at] + b"\xff" + text[at + 1 :], text[:start] + b"\x80" + text[start:]):
        (tmp_path / "large").write_bytes(wrong)
        done = check("-l", "large", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, b"large\n")
    (tmp_path / "large").write_bytes(text[:-1])
    assert check("-q", "large", cwd=tmp_path).returncode == 1


def test_of_a_good_file_few_calls_are_made(folder):
    """A reader follows them all: 143 calls in 21 modules once were too many."""
    calls = []

    def note(frame, event, _):
        name = frame.f_code.co_filename
        if event == "call" and f"{os.sep}utf8_abnf{os.sep}" in name and frame.f_code.co_flags & 1:  # no class's body
            calls.append(name)

    (folder / "six").write_bytes(b"abcdef")
    with contextlib.chdir(folder):
        sys.setprofile(note)
        status = main(["check", "six"])
        sys.setprofile(None)
    assert (status, len(calls) <= 40, len(set(calls)) <= 6) == (0, True, True), calls
