"""The command line as a whole: every command's help, exit statuses, and that no traceback ever reaches a user."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

import utf8_abnf.cli
from utf8_abnf.cli import COMMANDS, Command, failures, main
from utf8_abnf.cli.status import BROKEN_PIPE
from utf8_abnf.errors import GrammarError, TargetError, UsageError

COMMAND = [sys.executable, "-m", "utf8_abnf"]
BAD = b"ab\xed\xa0\x80c"
posix = pytest.mark.skipif(os.name != "posix", reason="needs signals as POSIX has them")


def ended(command, **options):
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, **options)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    return done


def run(*arguments, **options):
    return ended([*COMMAND, *arguments], input=b"", **options)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, call):
    status, text, _ = call(command, "--help")
    assert status == 0
    assert text.startswith(f"usage: utf8-abnf {command} ")
    assert f"utf8-abnf {command}" in text.partition("\nexample")[2]


@pytest.mark.parametrize("argument", ["--help", "-h"])
def test_the_overview_names_every_command(argument, call):
    status, text, _ = call(argument)
    assert status == 0
    assert all(f"\n    {command} " in text for command in COMMANDS)


def test_without_arguments_the_three_ways_to_begin_are_shown(capsys):
    assert main([]) == 0
    text = capsys.readouterr().out
    shown = [line.split()[1] for line in text.splitlines() if line.startswith("  utf8-abnf")]
    assert shown == ["test", "check", "play"]


def test_the_version_is_the_packages():
    assert run("--version").stdout.decode().startswith(f"utf8-abnf {utf8_abnf.__version__} (kernel ")


def test_a_misspelt_command_gets_a_suggestion(capsys):
    assert main(["chekc"]) == 2
    assert "did you mean 'check'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("check -q good --first bad", 1, ""),
        ("check -q good -- bad", 1, ""),
        ("check good -- -q", 2, "-q: No such file"),
        ("check good --first --bogus", 2, "unrecognized arguments: --bogus"),
        ("suite show --level L0 named/overlong/slash-2", 0, "two bytes"),
        ("suite show --level L0 named/overlong/slash-2 more", 2, "unrecognized arguments: more"),
        ("explain C0 --language en 41", 1, "U+0041"),
        ("parse good --format json bad", 2, "unrecognized arguments: bad"),
        ("grammar lint --fast utf8", 0, ""),
    ],
)
def test_options_may_stand_between_what_they_are_about(words, status, said, tmp_path, monkeypatch, call):
    (tmp_path / "good").write_bytes(b"fine")
    (tmp_path / "bad").write_bytes(BAD)
    monkeypatch.chdir(tmp_path)
    done = call(*words.split())
    assert done.status == status
    assert said in done.out + done.err


# Streams that are not what they should be


def shell(line, **options):
    """Run *line* with ``$U`` for the command, in bash."""
    if not shutil.which("bash"):
        pytest.skip("needs bash: it comes with every system but Windows")
    command = " ".join(f"'{part}'" for part in COMMAND)
    return ended(["bash", "-c", line.replace("$U", command)], **options)


@pytest.mark.parametrize(
    ("line", "status"),
    [("printf 'ab\\xff' | $U check -q", 1), ("printf '' | $U repair", 0), ("printf 'a\\xff' | $U repair", 2)],
)
def test_a_closed_standard_output_hides_no_verdict_and_loses_no_output_in_silence(line, status):
    done = shell(f"{line} >&-; exit ${{PIPESTATUS[1]}}")
    assert done.returncode == status
    assert (b"Bad file descriptor while writing the output" in done.stderr) == (status == 2)
    assert b"repaired" not in done.stderr  # nothing was


def test_with_every_stream_closed_the_status_is_still_right(tmp_path):
    (tmp_path / "bad").write_bytes(BAD)
    assert shell("$U check -q bad <&- >&- 2>&-", cwd=tmp_path).returncode == 1
    assert shell("$U check - <&-", cwd=tmp_path).returncode == 2


def test_a_file_is_never_opened_in_place_of_a_closed_stream(tmp_path):
    (tmp_path / "bad").write_bytes(BAD)
    shell("$U check bad >&- 2>&-", cwd=tmp_path)
    assert (tmp_path / "bad").read_bytes() == BAD


@pytest.mark.parametrize("line", ["$U check --max-errors 0 big", "$U check --help"])
def test_a_full_disk_is_reported(line, tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full, as Linux has it")
    (tmp_path / "big").write_bytes(b"\xff" * 1000)
    done = shell(f"{line} >/dev/full", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == b"utf8-abnf: No space left on device while writing the output\n"


def test_a_reader_that_goes_away_ends_the_command_in_silence(tmp_path):
    (tmp_path / "big").write_bytes(b"\xff\n" * 20_000)
    done = shell("$U check --max-errors 0 big | head -1; exit ${PIPESTATUS[0]}", cwd=tmp_path)
    assert done.stdout.startswith(b"big:1:1: UTF8-TOO-LARGE")
    assert (done.stderr, done.returncode) == (b"", BROKEN_PIPE)


@pytest.mark.parametrize(("encoding", "ellipsis"), [("ascii", "..."), ("cp1252", "…"), ("utf-16", "…")])
def test_any_encoding_of_the_terminal_will_do(encoding, ellipsis, tmp_path):
    name = os.fsdecode("日本 café ".encode() + (b"\xff" if os.name == "posix" else b""))
    (tmp_path / name).write_bytes(BAD)
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = run("check", name, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    text = done.stdout.decode(encoding)
    assert "UTF8-SURROGATE" in text
    assert f"UTF8-3 = {ellipsis} / %xED %x80-9F UTF8-tail / {ellipsis} " in text
    assert run("explain", "--text", "日", env=environment).returncode == 0
    assert run("explain", "nonsense 日 \udcff", env=environment).returncode == 2


@posix
def test_an_interrupt_ends_with_130():
    child = subprocess.Popen([*COMMAND, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdin.write(b"a" * (1 << 21))  # more than a pipe holds: once it is gone, the command is reading
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (130, b"utf8-abnf: interrupted\n")


@posix
@pytest.mark.parametrize("module", ["utf8_abnf.validator", "utf8_abnf.cli.files.checking"])
def test_an_interrupt_while_we_are_loaded_prints_no_traceback(module, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(f"""
import os, signal, sys

class Callback:
    def __del__(self):  # an exception here is printed and lost, as in the callbacks that importlib itself has
        os.kill(os.getpid(), signal.SIGINT)

class Interrupt:
    def find_spec(name, path, target=None):
        if name == "{module}":
            Callback()

sys.meta_path.insert(0, Interrupt)
""")
    path = os.pathsep.join((str(tmp_path), *filter(None, (os.environ.get("PYTHONPATH"),))))
    done = ended([*COMMAND, "check", os.devnull], env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.parametrize(
    "words",
    [
        "test known:x --rows",
        "test --level L0 py:utf8_abnf:is_valid --expected",
        "grade pyproject.toml --rubric",
        "check",
    ],
)
def test_toml_that_is_nested_too_deeply_is_an_error_in_words(words, tmp_path, monkeypatch, call):
    """One option more that reads TOML and lets ``RecursionError`` out would end in an internal error."""
    (tmp_path / "pyproject.toml").write_text("tool.utf8-abnf = " + "[" * 100_000)  # the settings of check as well
    monkeypatch.chdir(tmp_path)
    status, out, err = call(*words.split(), "pyproject.toml")
    assert (status, out, "pyproject.toml" in err, "nested too deeply" in err) == (2, "", True, True)


# Whatever a command raises


RAISED = [
    (UsageError("not so"), 2, "utf8-abnf: not so\n"),
    (GrammarError("no", file="f.abnf", line=3, column=4), 2, "utf8-abnf: f.abnf:3:4: no\n"),
    (TargetError("it did not start"), 3, "utf8-abnf: it did not start\n"),
    (FileNotFoundError(2, "No such file or directory", "x"), 2, "utf8-abnf: x: No such file or directory\n"),
    (MemoryError(), 2, "utf8-abnf: out of memory\n"),
    (KeyboardInterrupt(), 130, "utf8-abnf: interrupted\n"),
    (RecursionError("maximum"), 2, "utf8-abnf: internal error, please report it"),
    (ZeroDivisionError("division\nby zero"), 2, "utf8-abnf: internal error, please report it"),
    (ModuleNotFoundError("No module named 'lark'", name="lark"), 2, "utf8-abnf: this command needs lark"),
    (ModuleNotFoundError("No module", name="_ctypes"), 2, "utf8-abnf: this command needs _ctypes, without"),
    (SystemExit(7), 7, ""),
]


@pytest.mark.parametrize(("error", "status", "said"), RAISED, ids=[repr(row[0]) for row in RAISED])
def test_whatever_a_command_raises_the_user_reads_one_line(error, status, said, monkeypatch, capsys, tmp_path):
    (tmp_path / "failing.py").write_text("def configure(parser): pass\ndef run(args): raise error\n")
    monkeypatch.syspath_prepend(tmp_path)
    import failing

    failing.error = error
    monkeypatch.setitem(sys.modules, "utf8_abnf.cli.failing", failing)
    monkeypatch.setitem(COMMANDS, "failing", Command("failing", "fails"))
    assert main(["failing"]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(said)
    assert err.count("\n") <= 1
    sys.modules.pop("failing")


def test_debugging_shows_where(monkeypatch, capsys):
    monkeypatch.setenv(failures.DEBUG, "1")
    assert main(["nonsense"]) == 2
    assert "Traceback" in capsys.readouterr().err
