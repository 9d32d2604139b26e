"""The tool of mutation, for the tests of all three tools of the proof."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def mutation(root: Path):
    """The module tools/proof/mutation."""
    pytest.importorskip("utf8_abnf.conformance.suite._suite", reason="needs the C kernels: install with a C compiler")
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("needs a C compiler: apt-get install gcc")
    spec = importlib.util.spec_from_file_location("mutation_tool", root / "tools/proof/mutation/__main__.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutation_tool"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
