"""What the tests of the documentation share: the programs that make it."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(scope="module")
def tools(root):
    """Import a program of ``tools/docs/``."""

    def load(name):
        sys.path.insert(0, str(root / "tools" / "docs"))
        try:
            return __import__(name)
        finally:
            sys.path.pop(0)

    return load


@pytest.fixture(scope="module")
def lessons(tools):
    """The program that runs what a page shows."""
    return tools("lessons")
