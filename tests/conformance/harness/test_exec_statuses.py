"""Exit statuses of programs: what the user says counts, and the habits of sysexits and of grep are found out."""

import shlex
import sys

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT
from utf8_abnf.conformance.harness.driving.statuses import given
from utf8_abnf.errors import UsageError

JUDGE = """\
import sys
data = sys.stdin.buffer.read()
try:
    data.decode()
    good = True
except ValueError:
    good = False
"""


def program(tmp_path, end):
    path = tmp_path / "judge.py"
    path.write_text(JUDGE + end)
    return f"exec:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


FEW = ("named/ascii/A", "named/surrogate/first", "named/lone/*", "named/text/empty")

#   how it ends                                      what is understood
HABITS = [
    ("sys.exit(0 if good else 65)", "status 0 accepts, 1 and 65 reject (EX_DATAERR of sysexits.h)"),
    ("sys.exit(0 if good else 2)", "status 0 accepts, 1 and 2 reject (like grep and diff)"),
    ("sys.exit(0 if good else 1)", ""),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("end", "words"), HABITS)
def test_a_known_habit_is_found_out_and_said(end, words, tmp_path):
    report = run(program(tmp_path, end), level="L0", ids=FEW)
    assert report.conforms
    assert report.understood == words


#   how it ends, which is no habit: the status of a crash
CRASHES = [
    "sys.exit(2)",
    "sys.exit(2 if data == b'\\xed\\xa0\\x80' else not good)",
    "sys.exit(0 if good else 3 + len(data))",
]


@pytest.mark.thorough
@pytest.mark.parametrize("end", CRASHES)
def test_other_statuses_are_crashes(end, tmp_path):
    report = run(program(tmp_path, end), level="L0", ids=FEW)
    assert {trouble.kind for trouble in report.troubles} == {"crash"}


#   how it ends, and what the user has to say
UNCLEAR = [
    ("sys.exit(0 if good else 3)", "add --accept 0 --reject 3"),
    ("sys.exit(1 if good else 0)", "add --accept 1 --reject 0"),
    ("sys.exit(0 if good else -1)", "add --accept 0 --reject 255"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("end", "words"), UNCLEAR)
def test_statuses_that_may_mean_two_things_are_not_judged(end, words, tmp_path):
    with pytest.raises(UsageError, match=words):
        run(program(tmp_path, end), level="L0", ids=FEW)


@pytest.mark.thorough
def test_the_user_says_which_statuses_accept_and_reject(tmp_path, capsys):
    target = program(tmp_path, "sys.exit(7 if good else 0 if data[0] == 0xED else 3)")
    few = [word for glob in FEW[:3] for word in ("--case", glob)]
    told = ["--accept", "7", "--reject", "0", "--reject", "3"]
    assert cli.main(["test", "--level", "L0", *few, *told, target]) == 0
    assert "status 7 accepts, 0 and 3 reject" in capsys.readouterr().out.splitlines()[0]
    assert cli.main(["smoke", *told, target, "41", "ED A0 80"]) == 0


@pytest.mark.parametrize("command", ["test", "smoke", "learn"])
def test_every_command_hands_the_statuses_to_its_target(command, capsys):
    assert cli.main([command, "--accept", "256", "exec:true"]) == 2
    assert "256 is not an exit status" in capsys.readouterr().err
    assert cli.main([command, "--reject", "3", "py:builtins:bytes.decode"]) == 2
    assert "has no exit statuses" in capsys.readouterr().err


def test_the_side_that_is_not_said_keeps_its_usual_status():
    assert given([3], []).verdicts == {3: ACCEPT, 1: REJECT}
    assert given([], [2]).verdicts == {0: ACCEPT, 2: REJECT}
    assert given([1], []).verdicts == {1: ACCEPT}
    assert given([], []) is None


@pytest.mark.parametrize(("accept", "reject"), [([0], [0]), ([256], []), ([], [-1])])
def test_a_status_that_cannot_be_is_a_usage_error(accept, reject):
    with pytest.raises(UsageError):
        given(accept, reject)
