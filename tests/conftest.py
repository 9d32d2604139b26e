"""What every test can rely on: the checkout's root, one Hypothesis profile, and that in CI nothing is skipped."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from utf8_abnf.cli import main

ROOT = Path(__file__).resolve().parents[1]

# No deadline: other work on the machine is not a failure. A test whose examples cost more, or less, than most asks for
# a part, or a multiple, of ``settings().max_examples``.
settings.register_profile("here", deadline=None, max_examples=60)
# In CI the examples follow from the test: what fails there fails because of the change. New ones are tried elsewhere.
settings.register_profile("ci", deadline=None, max_examples=120, derandomize=True)
EXHAUSTIVE = bool(os.environ.get("UTF8_ABNF_EXHAUSTIVE"))
CI = bool(os.environ.get("CI")) or EXHAUSTIVE
settings.load_profile("ci" if CI else "here")

# The rooms of ``pytest -m quick``: no process is started but by tests that are marked slow or thorough.
QUICK = ("automaton", "codec", "drawing", "explain", "grammar", "language", "parsers", "suite", "validator")

# Rooms that ask decoders, learners or proofs for seconds: outside CI one test in so many of theirs is run, for 0 none,
# and no slow one anywhere, unless the command line names files.
LONG_ROOMS = {"harness": 6, "learning": 6, "matrix": 4, "tools": 0}

os.environ["LANGUAGE"] = "en"  # what tests compare is English, whatever the machine speaks


def pytest_configure():
    """Let programs that the tests start be interrupted, even where whoever started pytest ignores SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path, config):
    """Let ``pytest -m quick`` read the tests of its rooms only: all of them take ten seconds to read."""
    if config.option.markexpr != "quick" or not collection_path.is_dir() or collection_path == ROOT / "tests":
        return None
    return None if {collection_path.name, *(each.name for each in collection_path.iterdir())} & set(QUICK) else True


def pytest_collection_modifyitems(config, items):
    """Mark the tests of the quick loop; begin with what takes long; leave out what only CI runs."""
    for item in items:
        if item.path.parent.name in QUICK and not any(map(item.get_closest_marker, ("slow", "thorough"))):
            item.add_marker("quick")
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "thorough"))))  # stable
    if not EXHAUSTIVE and not config.option.keyword:
        is_short = config.args_source is not pytest.Config.ArgsSource.ARGS and not CI
        wanted = [each for each in items if not (is_short and each.get_closest_marker("slow"))]
        chosen = dict.fromkeys(sampled(wanted, in_ci=CI, rooms=LONG_ROOMS if is_short else {}))
        config.hook.pytest_deselected(items=[each for each in items if each not in chosen])
        items[:] = chosen


def sampled(items, *, in_ci, rooms):
    """Yield the tests; of one marked ``sampled(n, m)`` every nth row, *in_ci* every mth, and for 0 none.

    The first row is among them. Where no m is given it is 2, and 1 for n = 0. *rooms* says of which every nth test
    that has no such mark is run, or none at all.
    """
    rows = Counter()
    for item in items:
        mark, group = item.get_closest_marker("sampled"), item.nodeid.partition("[")[0]
        here, there = (*mark.args, min(2, mark.args[0]) or 1)[:2] if mark else (1, 1)
        every = there if in_ci else here
        room = item.path.parent.name
        if room in rooms and not (mark and rooms[room]):
            group, every = room, rooms[room]
        if every and rows[group] % every == 0:
            yield item
        rows[group] += 1


def pytest_collection_finish():
    """Let the garbage collector pass over the tests themselves: ten thousand, which it would look through each time."""
    gc.freeze()


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds ``grammar/``, ``tests/`` and ``tools/``."""
    return ROOT


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """``once(name, make)``: the folder *name*, which ``make(folder)`` fills once for all processes of a run."""
    fcntl = pytest.importorskip("fcntl", reason="needs locks on files, as POSIX has them")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name, make):
        folder = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                begun = tmp_path_factory.mktemp(name)
                make(begun)
                begun.rename(folder)
        return folder

    return made


class Done(NamedTuple):
    """How a command line ended, and what it wrote."""

    status: int
    out: str | bytes
    err: str


@pytest.fixture
def call_for_bytes(capfdbinary):
    """As ``call``; what the command writes to standard output need be no text."""

    def run(*words):
        status = main([*map(str, words)])
        out, err = capfdbinary.readouterr()
        assert not [word for word in (b"Traceback", b"internal error") if word in err]
        return Done(status, out, err.decode())

    return run


@pytest.fixture
def call(call_for_bytes):
    """``call(*words)``: run a command line in this process; it may print no traceback."""

    def run(*words):
        done = call_for_bytes(*words)
        return done._replace(out=done.out.decode())

    return run


# fmt: off
CHROMIUM = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]
# fmt: on


@pytest.fixture(scope="module")
def browser():
    """Chromium, without network."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install --group test")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=CHROMIUM)
        yield started
        started.close()


@pytest.fixture(scope="module")
def tab(browser):
    """One page for all tests: a new one for each costs three times as much as loading it again."""
    page = browser.new_context(offline=True).new_page()
    page.set_default_timeout(30_000)  # a machine with other work is not a failure
    return page


@pytest.fixture
def visit(tab, address):
    """Loads ``address`` at a fragment; in the end nothing may have been said on the console or asked of the network."""
    problems, requests = [], []
    heard = {
        "console": lambda message: problems.append(message.text),
        "pageerror": lambda error: problems.append(str(error)),
        "request": lambda request: requests.append(request.url),
    }
    for event, listener in heard.items():
        tab.on(event, listener)

    def opened(fragment="", *, width=1280, height=900, **media):
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(
            **dict.fromkeys(("media", "color_scheme", "reduced_motion", "forced_colors", "contrast"), "null") | media
        )
        tab.goto(f"{address}?{len(requests)}{fragment}")  # another query: loaded afresh
        return tab

    yield opened
    tab.goto("about:blank")
    for event, listener in heard.items():
        tab.remove_listener(event, listener)
    assert problems == []
    assert [url for url in requests if not url.startswith((address, "about:blank"))] == []


@pytest.fixture(scope="session")
def violations():
    """``violations(page)``: what axe finds wrong with a page for those who do not see it, or use the keyboard."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe: pip install --group test")

    def found(page):
        response = axe.Axe().run(page).response
        assert len(response["passes"]) > 10  # it has looked
        return [(each["id"], [node["html"][:200] for node in each["nodes"]][:3]) for each in response["violations"]]

    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Turn a skip into a failure where UTF8_ABNF_NO_SKIPS is set: CI installs all that the tests need."""
    report = yield
    if report.skipped and os.environ.get("UTF8_ABNF_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be skipped: {report.longrepr[-1]}"
    return report
