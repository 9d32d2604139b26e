"""The validator costs nothing to import: none of the pipeline, none of the command line's libraries."""

import json
import subprocess
import sys

QUESTION = "import json, sys; before = set(sys.modules); {}; print(json.dumps(sorted(set(sys.modules) - before)))"


def imported_by(statement):
    answer = subprocess.run([sys.executable, "-c", QUESTION.format(statement)], capture_output=True, check=True)
    return json.loads(answer.stdout.splitlines()[-1])


def test_importing_the_package_loads_the_validator_alone():
    loaded = imported_by("import utf8_abnf")
    assert not {"abnf", "lark", "railroad", "argparse", "interegular", "numpy", "ctypes", "subprocess"} & set(loaded)
    ours = {name for name in loaded if name.startswith("utf8_abnf")}
    validator = ("", "._kernel", "._python", ".ill_formed", ".kernel", ".functions")
    assert ours <= {"utf8_abnf", *(f"utf8_abnf.validator{name}" for name in validator)}


def test_the_command_line_loads_a_command_only_when_it_is_called():
    loaded = imported_by("from utf8_abnf.cli import main; main(['--version'])")
    commands = {name for name in loaded if name.startswith("utf8_abnf.cli.")}
    assert commands <= {"utf8_abnf.cli.failures", "utf8_abnf.cli.status"}
    assert not {"abnf", "lark", "railroad", "utf8_abnf.grammar", "utf8_abnf.automaton"} & set(loaded)
