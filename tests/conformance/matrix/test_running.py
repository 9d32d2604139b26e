"""A run of many decoders ends at once when it is interrupted, wherever it is."""

import subprocess
import sys
from dataclasses import replace

import pytest

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT
from utf8_abnf.conformance.harness.known import find
from utf8_abnf.conformance.matrix.recheck import SecondWay

# Ctrl-C after each call in Python's own modules that the main thread makes while it waits for a row.
SCRIPT = """
import faulthandler, sys, time
from types import SimpleNamespace
from utf8_abnf.conformance.matrix import ExaminationOptions, Row, running

faulthandler.dump_traceback_later(20, exit=True)

def examine(decoder, options, kept, cancelled):
    while decoder.name == "slow" and not waited:
        time.sleep(0.001)
    cancelled()
    return Row(decoder.name)

running.examine = examine
chosen = [SimpleNamespace(name=name, expensive=False) for name in ("quick", "slow")]

def interrupted_at(number):
    calls = 0
    def trace(frame, event, _):
        nonlocal calls
        waited.append(frame)
        if "utf8_abnf" not in frame.f_code.co_filename and event == "return":
            calls += 1
            if calls == number:
                raise KeyboardInterrupt
        return trace
    found = running.rows(chosen, ExaminationOptions(), jobs=2)
    next(found)
    try:
        sys.settrace(trace)
        next(found)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
        waited.append(None)
        found.close()
    return False

number, waited = 1, []
while interrupted_at(number):
    number, waited = number + 1, []
print(number)
"""


def test_a_run_ends_wherever_it_is_interrupted():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 2


def test_a_direct_command_ends_when_the_run_does(tmp_path):
    """A command may take a minute, and each decoder is asked eight control inputs by it."""
    began, over = tmp_path / "began", tmp_path / "over"

    def cancelled():
        if began.exists():
            raise InterruptedError

    decoder = replace(find("python"), direct=f"touch {began}; sleep 40; touch {over}")
    with pytest.raises(InterruptedError):
        SecondWay(decoder, {b"a": ACCEPT}, cancelled)
    assert not over.exists()
