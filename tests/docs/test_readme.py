"""What the README shows is what the program prints: every block runs, or the reason why it cannot stands here."""

import os
import re
import shlex
import subprocess
import sys

import pytest

# Commands of console blocks that no test runs: (pattern, why).
NOT_RUN = (
    (r"python3? tools/(demo|test)\.py\b", "runs for minutes; CI runs the tests"),
    (r"pip install |git clone ", "installs from the network; tests/doors/test_packaging.py installs the wheel"),
)
# The exit statuses that are not 0: the commands that find what they are made to find.
STATUS = ((r"utf8-abnf check --first", 1),)


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def consoles(text):
    """Yield for each console block the list of its (command, output)."""
    for block in blocks(text, "console"):
        pieces = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        yield [(command, output) for command, _, output in (piece.partition("\n") for piece in pieces)]


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text(encoding="utf-8")


def test_every_block_has_a_kind_that_is_tested(readme):
    kinds = re.findall(r"^```(\w*)\n.*?^```$", readme, re.MULTILINE | re.DOTALL)
    assert set(kinds) == {"console"}
    assert len(list(consoles(readme))) >= 3


def test_the_commands_print_what_the_readme_shows(readme, root, tmp_path):
    page = (root / "docs" / "how-to" / "test-a-decoder.md").read_text(encoding="utf-8")
    (decoder,) = re.findall(r":caption: lax.c\n\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "utf8-abnf"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m utf8_abnf "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "BROWSER": "true"}
    for number, block in enumerate(consoles(readme)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "lax.c").write_text(decoder)
        for command, output in block:
            if any(re.search(pattern, command) for pattern, _ in NOT_RUN):
                continue
            done = subprocess.run(
                command, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
            )
            status = next((status for pattern, status in STATUS if re.search(pattern, command)), 0)
            assert done.returncode == status, (command, done.stdout[-1000:], done.stderr)
            assert done.stdout == output or not output, command
