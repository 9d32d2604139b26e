"""What the README shows is what the program prints: every block runs, or the reason why it cannot stands here."""

import doctest
import os
import re
import shlex
import subprocess
import sys

import pytest

from utf8_abnf.conformance.suite import families

# Commands of console blocks that no test runs: (pattern, why).
NOT_RUN = (
    (r"python3? tools/(demo|test)\.py\b", "runs for minutes; CI runs the tests"),
    (r"pip install |git clone ", "installs from the network; tests/doors/test_packaging.py installs the wheel"),
)
# The exit statuses that are not 0: the commands that find what they are made to find.
STATUS = (
    (r"utf8-abnf check --first", 1),
    (r"utf8-abnf smoke stream:./adapter", 1),  # the template, not yet filled in, accepts ASCII only
    (r"utf8-abnf test stream:./adapter", 1),
    (r"utf8-abnf learn stream:./adapter", 1),
)
REDUCED = (  # the template fails thousands of cases; the first is enough
    ("utf8-abnf test stream:./adapter", "utf8-abnf test --level L0 stream:./adapter"),
)


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
    assert set(kinds) <= {"console", "python", "text"}  # text: a table or drawing
    assert len(list(consoles(readme))) >= 3


def test_the_commands_print_what_the_readme_shows(readme, tmp_path):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "utf8-abnf"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m utf8_abnf "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "BROWSER": "true"}
    for number, block in enumerate(consoles(readme)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "my_decoder.c").write_text("int my_decoder;\n")  # the reader's own
        for command, output in block:
            if any(re.search(pattern, command) for pattern, _ in NOT_RUN):
                continue
            line = command
            for old, new in REDUCED:
                line = line.replace(old, new)
            done = subprocess.run(
                line, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
            )
            status = next((status for pattern, status in STATUS if re.search(pattern, command)), 0)
            assert done.returncode == status, (command, done.stdout[-1000:], done.stderr)
            assert done.stdout == output or not output, command


def test_the_python_examples_hold(readme):
    examples = doctest.DocTestParser().get_doctest("".join(blocks(readme, "python")), {}, "README", "README.md", 0)
    assert len(examples.examples) >= 4
    assert doctest.DocTestRunner().run(examples).failed == 0


def verdicts(lines):
    """Return the number of tests and the verdict of each decoder; the causes of a deviation are the harness's tests."""
    rows = (re.match(r"(\S+) +\S+ +([\d,]+) +(conforms|deviates)\b", line) for line in lines)
    return {row[1]: (int(row[2].replace(",", "")), row[3]) for row in rows if row}


@pytest.mark.thorough
@pytest.mark.sampled(0)
def test_the_table_of_decoders_is_what_the_matrix_prints(readme):
    """Of iconv each case is a process: L0 shows all its deviations, and the suites tell how many cases L1 has."""
    table = next(block for block in blocks(readme, "text") if block.startswith("$ utf8-abnf matrix "))
    command, *shown = table.splitlines()
    words = [sys.executable, "-m", "utf8_abnf", *command.removeprefix("$ utf8-abnf ").split()]
    done = subprocess.run([*words, "--level", "L0"], capture_output=True, encoding="utf-8")
    if "iconv-utf-8" not in done.stdout:
        pytest.skip("needs iconv")
    asked = {mode: sum(each.count for each in families("L1") if mode in each.modes) for mode in "vpr"}
    counts = {"python": sum(asked.values()), "iconv-utf-8": asked["v"]}
    found = verdicts(done.stdout.splitlines())
    assert verdicts(shown) == {name: (counts[name], verdict) for name, (_, verdict) in found.items()}
