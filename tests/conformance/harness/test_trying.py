"""The command that a report prints for each deviation: run as it stands, it shows what the report says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from utf8_abnf.conformance import render, run
from utf8_abnf.conformance.harness.driving.target import MAX_ARGUMENT, MAX_EXPRESSION, Target, command_for, expression
from utf8_abnf.conformance.harness.opening import open_target

PYTHON = '''
class Lax:
    def accepts(self, data):
        return wrong(data)

def wrong(data):
    """Accepts overlong forms of two bytes, and rejects what has 3,000 bytes or more."""
    data = data.replace(b"\\xc0\\xaf", b"/")
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return len(data) < 3000
'''
PROGRAM = "import sys\nfrom lax import wrong\nsys.exit(not wrong(sys.stdin.buffer.read()))\n"
ADAPTER = """
import struct, sys
from lax import wrong
sys.stdout.write("utf8-abnf 1 modes=p name=lax version=1\\n")
sys.stdout.flush()
sys.stdin.buffer.readline()
while head := sys.stdin.buffer.read(4):
    data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
    sys.stdout.buffer.write(struct.pack("<IB", 0xFFFFFFFF if wrong(data) else 0, 0))
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return a folder with the wrong decoder; commands find it, this Python, and this package's command."""
    (tmp_path / "lax.py").write_text(PYTHON)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "adapter.py").write_text(ADAPTER)
    command = tmp_path / "utf8-abnf"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m utf8_abnf "$@"\n')
    command.chmod(0o755)
    folders = [str(tmp_path), str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


TARGETS = {
    "function": "py:lax:wrong",
    "class": "py:lax:Lax",
    "program": f"exec:{sys.executable} program.py",
    "adapter": f"stream:{sys.executable} adapter.py",
}
SHOWN = {True: ("accepts", "\n0\n"), False: ("rejects", "\n1\n")}
SHORT, LONG, RIGHT = b"\xc0\xaf", b"a" * 3000 + b"\xc3\xa9", b"a" * 2000


@pytest.mark.thorough
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", TARGETS)
def test_the_command_shows_what_the_decoder_says(here, name):
    target = open_target(TARGETS[name])
    for data, accepted in ((SHORT, True), (LONG, False), (RIGHT, True), (b"'$`\\\xff", False)):
        command = command_for(target, data, "", "L2")
        shown = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
        assert any(text in "\n" + shown.stdout for text in SHOWN[accepted]), command + shown.stderr
        assert len(command) < 400


@pytest.mark.thorough
def test_what_a_report_says_to_try_shows_the_deviation(here):
    report = run(TARGETS["class"], level="L2", families=["named", "sizes"])
    assert [each.kind for each in report.deviations] == ["extra", "missing"]
    for each in report.deviations:
        shown = subprocess.run(["sh", "-c", each.reproduce], capture_output=True, text=True)
        assert SHOWN[each.kind == "extra"][0] in shown.stdout, each.reproduce + shown.stderr
    assert all(len(line) < 400 for line in render(report, "text").splitlines())


@pytest.mark.parametrize("data", [b"", b"a" * 70_000, b"'\"$`\\\0\xff" * 40, b"<\xc3\xa9" + b"\xe2\x82\xac" * 3000])
def test_an_expression_is_short_and_gives_the_data(data):
    assert eval(expression(data)) == data
    assert len(expression(data)) < MAX_EXPRESSION
    assert "'" not in expression(data)


def commands(data, case="sizes/ascii/8192", kind="stream"):
    target = Target("x:decoder", kind, None, lambda data: f"decoder({data!r})")
    return command_for(target, data, case, "L2")


def test_long_data_is_an_expression_or_the_name_of_a_case():
    assert commands(b"ab") == "decoder(b'ab')"
    assert "61" not in commands(b"a" * 8192)
    assert 'b"a"*8192' in commands(b"a" * 8192)
    assert commands(b"a" * 8192, kind="object") == 'decoder(b"a"*8192)'
    name = "utf8-abnf test x:decoder --level L2 --family sizes --case sizes/ascii/8192"
    assert commands(b"a" * (MAX_ARGUMENT + 1)) == name
    irregular = bytes(number * number % 251 for number in range(3000))
    assert commands(irregular) == name
    assert commands(irregular, kind="object") == "utf8-abnf suite show --level L2 sizes/ascii/8192"
    assert "--family W/k0 " in commands(irregular, "W/k0/ED-A0")
