"""The bugs that are seeded into the C sources around the kernels: each can be seeded, and one is found."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys

import pytest

pytest.importorskip("utf8_abnf.validator._kernel", reason="needs the C extension: install a compiler")

pytestmark = pytest.mark.slow  # the C source is the same on every Python


@pytest.fixture(scope="module")
def seeded(root):
    """The module tools/proof/seeded."""
    spec = importlib.util.spec_from_file_location("seeded_tool", root / "tools/proof/seeded/__main__.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["seeded_tool"] = module
    spec.loader.exec_module(module)
    return module


def test_each_bug_is_one_replacement_and_has_a_name_of_its_own(seeded):
    bugs = seeded.bugs()
    assert len({bug.name for bug in bugs}) == len(bugs) >= 31
    for bug in bugs:
        assert bug.spoilt != bug.source
        assert seeded.extensions_with(bug.file)


def test_a_text_that_is_not_there_is_an_error(seeded):
    with pytest.raises(ValueError, match="0 times"):
        _ = seeded.Bug("kind", "kernel/module.c", "name", "int y;", "").spoilt


def test_the_table_of_the_page_has_every_bug(seeded, root):
    page = (root / "docs/kernel-proof.md").read_text(encoding="utf-8")
    bugs = seeded.bugs()
    assert [bug.name for bug in bugs if f"| {bug.kind} | {bug.name} |" not in page] == []
    lives = sum(bool(bug.lives) for bug in bugs)
    assert f" seeds {len(bugs)} bugs into it" in page
    assert f"\n{len(bugs) - lives} are found. {lives} live, " in page


def test_a_bug_is_found(seeded, tmp_path):
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("needs a C compiler: apt-get install gcc")
    seeded.prepare(tmp_path)
    bug = next(bug for bug in seeded.bugs() if bug.name == "reset keeps the pending bytes")
    assert seeded.first_failure(bug, tmp_path) == "test_reset_forgets_bytes_offset_error_and_end"
