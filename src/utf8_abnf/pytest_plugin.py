"""The pytest plugin, for projects that have a decoder: the fixtures ``utf8_conformance`` and ``utf8_case``.

``utf8_conformance(target)`` tests a function, an object or a target string; if it does not conform, the test fails and
shows the report. A test that takes ``utf8_case`` runs once for each case of the level, with the case's id as its id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.conformance import Report

DEFAULT_LEVEL = "L0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--utf8-level`` and the ini option ``utf8_level``."""
    text = f"level of the UTF-8 conformance suite: L0, L1 or L2 (default {DEFAULT_LEVEL})"
    parser.getgroup("utf8-abnf").addoption("--utf8-level", metavar="LEVEL", help=text)
    parser.addini("utf8_level", text, default=DEFAULT_LEVEL)


def _level(config: pytest.Config) -> str:
    return str(config.getoption("--utf8-level") or config.getini("utf8_level"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``utf8_case`` once for each case of the level."""
    if "utf8_case" in metafunc.fixturenames:
        from utf8_abnf.conformance.suite import cases

        found = list(cases(_level(metafunc.config)))
        metafunc.parametrize("utf8_case", found, ids=[case.id for case in found])


@pytest.fixture
def utf8_conformance(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Return a function of a target (and ``level=``) that returns the Report, or fails the test and shows it."""
    default = _level(request.config)

    def judge(target: Any, *, level: str | None = None) -> Report:
        from utf8_abnf.conformance import render, run

        report = run(target, level=level or default, keep_going=False)
        if not report.conforms:
            pytest.fail(render(report, "text"), pytrace=False)
        return report

    return judge
