"""The package without C runs in Pyodide, CPython in WebAssembly: the validator, the automaton and both parsers."""

import importlib.util
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from utf8_abnf.grammar.files import grammar_folder

pytestmark = [pytest.mark.slow, pytest.mark.sampled(0)]  # the same whatever Python asks


def packed(path):
    """Write into the zip archive *path* what ``utf8-abnf.pyz`` holds of Python: this package and what it needs."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("utf8_abnf", "abnf", "lark", "interegular"):
            folder = Path(importlib.util.find_spec(name).origin).parent
            for file in folder.rglob("*"):
                if file.is_file() and file.suffix not in {".so", ".pyc"}:
                    archive.write(file, file.relative_to(folder.parent))
        for file in grammar_folder().rglob("*.abnf"):
            archive.write(file, Path("utf8_abnf/grammar/abnf") / file.relative_to(grammar_folder()))
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")  # the grammars, where the package was installed from a wheel
def test_the_validator_and_the_parsers_run_in_pyodide(root, pyodide, tmp_path):
    if not shutil.which("node"):
        pytest.skip("needs node: apt-get install nodejs")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "pyodide").symlink_to(pyodide)
    script = shutil.copy(root / "tools" / "wheel_parts" / "pyodide.mjs", tmp_path)
    done = subprocess.run(["node", script, packed(tmp_path / "all.zip")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("Pyodide 314.")
    assert done.stdout.endswith(": python\n")
