"""What every test can rely on: the checkout's root, and that in CI nothing is skipped."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

os.environ["LANGUAGE"] = "en"  # what tests compare is English, whatever the machine speaks


def pytest_configure():
    """Let programs that the tests start be interrupted, even where whoever started pytest ignores SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds ``grammar/``, ``tests/`` and ``tools/``."""
    return ROOT


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip into a failure where UTF8_ABNF_NO_SKIPS is set: CI installs all that the tests need."""
    report = yield
    if report.skipped and os.environ.get("UTF8_ABNF_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be skipped: {report.longrepr[-1]}"
    return report
