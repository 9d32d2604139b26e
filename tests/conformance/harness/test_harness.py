"""The harness against decoders that misbehave: each gets the right verdict in time, and nothing else is lost."""

import contextlib
import importlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from utf8_abnf import is_valid
from utf8_abnf.cli import main
from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.driving import inprocess
from utf8_abnf.conformance.harness.driving.inprocess import InProcess
from utf8_abnf.conformance.harness.driving.process import Child, kill_group
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.harness.opening import open_target
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.suite import cases, families
from utf8_abnf.errors import TargetError, UsageError

HOSTILE = Path(__file__).resolve().parent / "hostile" / "decoder.py"
MARK = bytes.fromhex("ED A0 80")


@cache
def asked():
    """Return how many verdicts L1 asks for: not at import, which every worker does."""
    return sum(family.count for family in families("L1") if "v" in family.modes)


@cache
def marks():
    """Return how many of these are about the bytes at which the hostile decoders misbehave."""
    return sum(case.data == MARK for family in families("L1") if "v" in family.modes for case in family.cases())


def hostile(behaviour):
    return f"stream:{shlex.quote(sys.executable)} -I {shlex.quote(str(HOSTILE))} {behaviour}"


def send(target, *, silence=0.6, start=10.0, **more):
    limits = Limits(silence=silence, start=start, memory=200 << 20)
    return execute(target, RunOptions(level="L1", limits=limits, **more))


@pytest.mark.parametrize("behaviour", ["flushes-every-answer", "chatters-on-stderr", "answers-in-large-pieces"])
def test_a_right_decoder_passes_everything(behaviour):
    report = send(hostile(behaviour), silence=5.0)
    assert report.conforms
    assert report.passed == report.cases == asked()
    assert report.theorem
    assert report.exit_status == 0


FAULTS = [
    ("dies-on-one", "crash"),
    ("exits-on-one", "crash"),
    ("forks-on-one", "crash"),
    ("leaks-on-one", "crash"),
    ("hangs-on-one", "hang"),
    ("answers-never-on-one", "missing"),
    ("answers-late-on-one", "hang"),
    ("floods-stderr-on-one", "hang"),
    ("answers-garbage-on-one", "garbage"),
    ("answers-twice-on-one", "excess_output"),
    ("floods-stdout-on-one", "excess_output"),
    ("dies-and-leaves-daemons", "crash"),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("behaviour", "kind"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_one_fault_is_named_and_everything_else_is_tested(behaviour, kind):
    report = send(hostile(behaviour), silence=0.6 if kind in {"hang", "missing"} else 8.0)
    assert {(each.kind, each.data) for each in report.troubles} == {(kind, MARK)}
    assert all(each.case for each in report.troubles)
    assert len(report.troubles) + report.more_troubles == marks()
    assert report.passed == asked() - marks()
    assert report.failed == 0
    assert not report.conforms
    assert report.exit_status == 1


def test_an_answer_that_is_left_out_now_and_then_is_not_the_fault_of_a_case():
    report = send(hostile("leaves-out-every-5000th"), silence=1.0, families=["W/k0"])
    ((kind, case, detail),) = ((each.kind, each.case, each.detail) for each in report.troubles)
    assert (kind, case) == ("missing", "")
    assert re.search(r"and answered what it was asked next; not again .*; \d times in this run", detail)


#    behaviour                  what its author reads
NEVER = [
    ("dies-before-hello", "killed by signal 11"),
    ("exits-before-hello", "no licence found"),
    ("hangs-before-hello", "said nothing for 1 s"),
    ("says-something-else", "Welcome to my decoder!"),
    ("floods-instead-of-hello", "the first line must be like"),
    ("trickles-a-hello", "no line end in 1 s"),
    ("speaks-version-2", "version 2 of the protocol"),
]


@pytest.mark.parametrize(("behaviour", "words"), NEVER, ids=[row[0] for row in NEVER])
def test_a_decoder_that_never_starts_is_a_target_error(behaviour, words):
    with pytest.raises(TargetError, match=words):
        send(hostile(behaviour), start=1.0)


UNASKED = r"never gave an answer|than it was asked for|bytes before it was asked|it answered with .*: 5 cases by now"

#    behaviour                         stopped because
HOPELESS = [
    ("exits-without-reading", "never gave an answer"),
    ("closes-stdin", "never gave an answer"),
    ("hangs-on-every-case", "never gave an answer"),
    ("flushes-never", "flush its output"),
    ("answers-garbage", "never gave an answer"),
    ("answers-twice", "more than it was asked for"),
    ("dies-on-every-ill-formed-case", "cases by now"),
    # These write unasked, before the first case is sent or after it; then a random byte may be an answer, or none.
    ("floods-after-hello", UNASKED),
    ("floods-with-answers", UNASKED),
    ("writes-random-bytes", UNASKED),
    ("trickles-answers", ""),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("behaviour", "words"), HOPELESS, ids=[row[0] for row in HOPELESS])
def test_a_decoder_that_keeps_failing_is_stopped_with_what_is_known(behaviour, words):
    report = send(hostile(behaviour))
    assert re.search(words, report.stopped)
    without_a_case = re.compile("before it was asked|after its last answer|in smaller groups")
    assert all(each.case or without_a_case.search(each.detail) for each in report.troubles)
    assert report.exit_status == (1 if behaviour == "dies-on-every-ill-formed-case" else 3)  # a crash is a deviation
    assert not report.conforms


def with_a_child(monkeypatch, level, lines, receive=lambda in_process: None):
    """Return an ``InProcess`` whose child says *lines*, and then calls *receive* again and again."""

    class Fake:
        def __init__(self, *_, **__):
            self.lines = lines[::-1]

        def receive(self, *_):
            receive(in_process)
            return self.lines.pop() if self.lines else None

        exit_reason = close = send = lambda self, *_: ""

    monkeypatch.setattr(inprocess, "Child", Fake)
    in_process = InProcess(("f.so", "f"), level, Limits())
    return contextlib.closing(in_process)


FAMILY = SimpleNamespace(name="W/k0", huge=0)


def test_hangs_in_process_end(monkeypatch):
    with with_a_child(monkeypatch, "L1", [b"null\n"]) as in_process:
        several = [in_process.judge(FAMILY, lambda done: "") for _ in range(5)]
    assert [each.failure.detail for each in several[:4]] == ["gave no answer for 5 s"] * 4
    assert (several[4].failure, several[4].stopped) == (None, "it did not return 4 times")


@pytest.mark.parametrize(("pace", "seconds"), [(0.01, 5), (0.5, 128)])
def test_for_huge_text_we_wait_as_long_as_the_first_of_it_lets_expect(pace, seconds, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(inprocess.time, "monotonic", lambda: clock[-1])
    lines = [b"null\n", b'{"count": 0, "failures": 0}\n']
    with with_a_child(monkeypatch, "L3", lines, lambda _: clock.append(clock[-1] + pace)) as in_process:
        _, last = in_process._blocks("huge", inprocess.SLOWER)
    assert last["failure"][1] == f"gave no answer for {seconds} s"


def test_a_block_of_slow_calls_in_process_ends_when_the_time_is_over(monkeypatch):
    """It went on for as long as each call came back within the timeout."""
    numbers = count()

    def receive(in_process):
        in_process._shared.write_bytes(inprocess.PROGRESS.pack(0, next(numbers)))

    with with_a_child(monkeypatch, "L1", [b"null\n"], receive) as in_process:
        seen = in_process.judge(FAMILY, lambda done: "too slow" if next(numbers) > 50 else "")
    assert (seen.stopped, seen.failure, seen.count) == ("too slow", None, 0)


def test_a_decoder_that_dies_of_age_is_no_pass_and_loses_no_case():
    report = send(hostile("dies-after-5000-cases"))
    assert report.passed == asked()
    assert {(each.kind, each.case) for each in report.troubles} == {("crash", "")}
    assert not report.conforms


def test_output_after_the_last_answer_is_no_pass():
    report = send(hostile("writes-after-the-end"))
    assert [each.kind for each in report.troubles] == ["excess_output"]


def test_a_slow_decoder_is_told_how_long_it_would_take():
    report = send(hostile("needs-2-seconds"), silence=2.5, max_seconds=3)
    assert "too slow" in report.stopped
    assert "s a case" in report.stopped
    assert report.exit_status == 3


@pytest.mark.parametrize("kind", ["stream", "exec"])
def test_a_decoder_that_is_silent_is_not_waited_for_when_the_time_is_over(kind, tmp_path):
    hangs = "import sys, time; d = sys.stdin.buffer.read(); d == b'\\xc1\\xbf' and time.sleep(100); d.decode()"
    target = hostile("hangs-on-one") if kind == "stream" else script(tmp_path, hangs)
    report = send(target, silence=20.0, max_seconds=3)
    assert "too slow" in report.stopped
    assert report.exit_status == 3


@pytest.mark.parametrize("target", [hostile("answers-one-by-one"), "exec:true", lambda data: True],
    ids=["stream", "exec", "in process"])  # fmt: skip
def test_a_window_of_slow_answers_ends_when_the_time_is_over(target):
    """It went on for as long as each answer came within the timeout: 20,000 answers of a second each took hours."""
    session = Session(open_target(target).start, Limits(jobs=1), lambda done: "too slow" if done >= 3 else "")
    with contextlib.closing(session):
        answers = session.verdicts([b""] * 60)
        assert (session.stopped, {*answers}) == ("too slow", {b"1"})
        assert 3 <= len(answers) < 60
        session.stopped = ""
        assert session.verdicts([b"a"]) == [b"1"]  # what it still owed does not come as the answer to another case


LEAVING = dict.fromkeys(("forks-on-one", "leaves-daemons", "dies-and-leaves-daemons"), ())
LEAVING |= dict.fromkeys(("forks-daemons-all-the-time", "dies-while-daemons-are-forked"), ("named",))


@pytest.mark.parametrize("behaviour", LEAVING)
def test_no_process_is_left_behind_also_if_it_starts_while_others_are_killed(behaviour):
    send(hostile(behaviour), silence=5.0, families=LEAVING[behaviour])
    assert not is_left(f"{HOSTILE} {behaviour}")


def test_a_decoder_is_killed_before_it_reads_the_end_of_its_input(monkeypatch):
    """On a busy machine it had ended by then, and who had started its daemons was not known any more."""

    def late(process):
        time.sleep(0.5)
        kill_group(process)

    monkeypatch.setattr("utf8_abnf.conformance.harness.driving.process.kill_group", late)
    child = Child([sys.executable, "-I", str(HOSTILE), "leaves-daemons"])
    child.send(b"v\n")
    assert child.receive(9)
    child.close()
    assert not is_left(f"{HOSTILE} leaves-daemons")


def is_left(words):
    """Tell whether a process with *words* in its command line still runs; one that was killed may need a moment."""
    for _ in range(50):
        if words not in subprocess.run(["ps", "-wweo", "args"], capture_output=True, text=True).stdout:
            return False
        time.sleep(0.1)
    return True


@pytest.mark.skipif(os.name != "posix", reason="needs signals and sessions")
@pytest.mark.parametrize(("number", "status", "said"), [
    (signal.SIGTERM, 128 + 15, ""), (signal.SIGINT, 130, "stopped: interrupted"),
])  # fmt: skip
def test_a_signal_leaves_no_process_behind_and_ctrl_c_prints_what_is_known(number, status, said, tmp_path):
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time\ntime.sleep(1000)\n")
    text = (
        f"import subprocess, sys\nsubprocess.Popen([sys.executable, {str(sleeper)!r}], start_new_session=True)\n"
        "print('utf8-abnf 1 modes=v', flush=True)\nsys.stdin.buffer.readline()\n"
        f"open({str(tmp_path / 'ready')!r}, 'w').close()\nsys.stdin.buffer.read()\n"
    )
    command = [sys.executable, "-m", "utf8_abnf", "test", script(tmp_path, text).replace("exec:", "stream:")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run_of_it:
        while not (tmp_path / "ready").exists():
            time.sleep(0.02)
        run_of_it.send_signal(number)
        out, _ = run_of_it.communicate()
    assert (run_of_it.returncode, said in out) == (status, True)
    assert not is_left(str(sleeper))


def test_what_was_not_asked_again_because_of_ctrl_c_is_no_evidence():
    """A wrong function that answers every input in one way was called unsteady."""
    asked = count()

    def surrogates(data):
        if next(asked) > 2000:
            raise KeyboardInterrupt
        return data.decode("utf-8", "surrogatepass") is not None

    report = run(surrogates, level="L1")
    assert (report.stopped, report.unsteady, report.exit_status) == ("interrupted", False, 1)


def test_exec_leaves_no_process_behind(tmp_path):
    text = "import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\nsys.exit(0)\n"
    run(script(tmp_path, text), level="L0", ids=["named/ascii/*"])
    assert not is_left(str(tmp_path))


def test_a_process_that_we_did_not_start_is_left_alone():
    from utf8_abnf.conformance.harness.driving.leftovers import MARK, kill_leftovers, new_mark, note_end

    mark = new_mark()
    ours = subprocess.Popen(["sleep", "100"], env={**os.environ, MARK: mark})
    other = subprocess.Popen(["sleep", "100"], env={**os.environ, MARK: new_mark()})
    try:
        note_end(mark)
        kill_leftovers()
        assert ours.wait(5) == -9
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def script(tmp_path, text):
    path = tmp_path / "decoder.py"
    path.write_text(text)
    return f"exec:{shlex.quote(sys.executable)} -I -S {shlex.quote(str(path))}"


EXEC = {"crash": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "hang": "import time; time.sleep(100)"}


@pytest.mark.parametrize("kind", EXEC)
def test_each_process_of_exec_fails_alone(kind, tmp_path):
    text = (
        f"import sys\ndata = sys.stdin.buffer.read()\nif data == {MARK!r}: {EXEC[kind]}\nsys.exit(not data.isascii())\n"
    )
    report = run(script(tmp_path, text), level="L0", ids=["named/surrogate*"], timeout=2)
    assert {(each.kind, each.data) for each in report.troubles} == {(kind, MARK)}
    assert report.failed == sum(row.failed for row in report.families)
    assert not report.stopped


def test_a_program_that_never_ends_is_not_told_to_flush_its_output():
    with contextlib.closing(Session(open_target("exec:sleep 100").start, Limits(silence=0.1, jobs=1))) as session:
        assert len(session.verdicts([b"a", b"b"])) == 2
        assert session.stopped == "the decoder never gave an answer: it did not end within 0.1 s"


@pytest.mark.thorough
def test_exec_that_does_not_read_its_input_still_answers():
    report = run("exec:false", level="L1", families=["long-inputs"])  # most do not fit into a pipe
    assert not report.troubles
    assert report.failed >= 20
    assert all(each.kind == "missing" for each in report.deviations)


@pytest.mark.parametrize(
    "target",
    ["nonsense", "py:", "py:os", "stream:", "exec:'", "lib:nowhere.so:f", "lib:x", "known:no-such-decoder", "foo:bar"],
)
def test_what_is_no_target_is_a_usage_error(target):
    with pytest.raises(UsageError):
        run(target, level="L0")


@pytest.mark.parametrize(("target", "words"), [
    ("stream:./no-such-program", "cannot start"), ("exec:/", "cannot start"),
    ("py:no_such_module:f", None), ("py:os:no_such_name", None), ("py:os:name", None),
])  # fmt: skip
def test_what_cannot_be_started_or_loaded_is_a_target_error(target, words):
    with pytest.raises(TargetError, match=words):
        run(target, level="L0")


def test_no_shell_reads_a_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TargetError):
        run("stream:no-such-program; touch oops", level="L0")
    assert not (tmp_path / "oops").exists()


def test_a_python_function_runs_in_another_process(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "import os\n"
        f"def f(data):\n    if data == {MARK!r}: os.abort()\n    print('noise')\n    data.decode()\n    return True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    report = run("py:mine:f", level="L0", families=["named"])
    assert {(each.kind, each.data) for each in report.troubles} == {("crash", MARK)}


def test_filters_choose_cases():
    some = run(is_valid, level="L0", ids=["named/surrogate*"], families=["named"])
    every = [case for case in cases("L0", "named") if case.id.startswith("named/surrogate")]
    assert some.families[0].asked == len(every) > 0
    assert some.theorem == ""
    assert "case named/surrogate*" in some.filtered


def test_the_children_hear_nothing_of_our_terminal(tmp_path):
    """A child is the leader of its own session: Ctrl-C in ours is for the driver alone."""
    target = script(tmp_path, f"import os, sys\nsys.exit(os.getsid(0) == {os.getsid(0)})\n")
    report = run(target, level="L0", ids=["named/ascii*"])
    assert report.failed == 0


def test_another_grammar_is_tested_too(root):
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers import ReferenceParser

    grammar = Grammar.parse('word = 1*%x61-63 ["-" word]')
    parser = ReferenceParser(grammar)
    assert run(parser.accepts, level="L1", grammar=grammar).conforms
    report = run(lambda data: data == b"d" or parser.accepts(data), level="L1", grammar=grammar)
    assert [(each.kind, each.example) for each in report.deviations] == [("extra", b"d")]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no way to let two processes share a processor")
def test_time_stands_still_for_a_process_that_gets_no_processor():
    """Seen on the system itself: of two that share a processor one waits, and one that sleeps does not."""
    one = min(os.sched_getaffinity(0))
    program = f"import os; os.sched_setaffinity(0, {{{one}}}); print(flush=True); exec('while True: pass')"
    with contextlib.ExitStack() as running:
        start = [sys.executable, "-c", program]
        first, second, asleep = (
            running.enter_context(contextlib.closing(Child(each))) for each in (start, start, ["sleep", "9"])
        )
        for each in (first, second):
            assert each.receive(9) == b"\n"
        for child, least in ((first, 0.25), (asleep, 0.2)):
            began = time.monotonic()
            assert child.receive(0.2) is None
            assert time.monotonic() - began >= least


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("behaviour", "kind", "number"), [
    ("dies-after-7-cases", "crash", 7),
    ("hangs-at-the-100th-case", "hang", 100),
    ("answers-garbage-at-the-7th-case", "garbage", 7),
    ("answers-twice-at-the-7th-case", "excess_output", 7),
])  # fmt: skip
def test_a_failure_that_comes_of_the_number_of_questions_is_blamed_on_no_case(behaviour, kind, number):
    """It was said to crash, or hang, on whatever case was asked then, and the command beside it showed nothing."""
    report = send(hostile(behaviour))
    (trouble,) = report.troubles
    assert (trouble.kind, trouble.case) == (kind, "")
    assert "not again when the same case was asked alone" in trouble.detail
    assert trouble.detail.endswith(f"at question {number} of its process")
    assert not report.conforms


@pytest.mark.parametrize(("number", "words"), [
    (1, "each answer belongs to the question before"),
    (3, "each answer belongs to the question asked 3 before it"),
])  # fmt: skip
def test_answers_that_come_too_late_are_one_deviation_that_says_so(number, words, capsys):
    target = hostile(f"shifted-by-{number}")
    report = send(target)
    (found,) = report.deviations
    assert found.kind == "unsteady"
    assert words in found.why
    assert main(["smoke", target]) == 3
    said = capsys.readouterr().out
    assert words in said
    assert "The adapter does not follow the protocol yet." in said


def test_it_is_told_how_often_another_answer_came():
    """The command beside it asks once, and need not show it."""
    asked = count()
    report = run(lambda data: is_valid(data) or (data == b"\xc1\xbf" and next(asked) == 0), level="L0")
    (told,) = (each.why for each in report.deviations if each.kind == "unsteady")
    first = "the first answer was accepted; another, rejected, came "
    assert re.fullmatch(first + r"(\d+) of \1 times when asked again and (\d) of \2 times in a fresh process", told)


def test_classes_that_were_found_before_answers_came_too_late_are_not_told(monkeypatch):
    """Only the second asking shows it: then nobody knows to which questions the answers before belong."""
    held = []

    def accepts(data):
        held.append(data == b"\xc0\xaf" or (data != b"\0" and is_valid(data)))
        return held.pop(0)

    def explain(*arguments, **options):
        found, _ = classes_of(*arguments, **options)
        assert found
        held.append(True)
        return found, ""

    module = importlib.import_module("utf8_abnf.conformance.harness.run")
    classes_of = module.explain
    monkeypatch.setattr(module, "explain", explain)
    report = run(accepts, level="L0")
    assert [each.kind for each in report.deviations] == ["unsteady"]
    assert "each answer belongs to the question before" in report.deviations[0].why
    assert "what else is wrong cannot be told before each answer is about its own question alone" in report.notes


def test_memory_stays_flat(tmp_path):
    """Many cases of L2 through a pipe: the driver holds a few batches, not the suite."""
    text = "from utf8_abnf.conformance import run; from utf8_abnf import is_valid; "
    text += "report = run(is_valid, level='L2', families=['A2']); assert report.conforms; "
    text += "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000, "kilobytes"
