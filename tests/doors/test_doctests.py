"""Every example in a docstring runs, in every module of the package that is installed."""

import doctest
import importlib
import pkgutil

import pytest

import utf8_abnf

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(utf8_abnf.__path__, "utf8_abnf.")
    if not module.name.endswith(("__main__", "_kernel", "_suite", "pytest_plugin"))
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name):
    failures, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failures == 0
