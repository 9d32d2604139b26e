"""The one display of progress: a bar on a terminal, a line every half minute elsewhere, nothing when quiet."""

import io
from types import SimpleNamespace

import pytest

from utf8_abnf.cli.progress import BYTES, Progress
from utf8_abnf.language.catalogue import columns


class Terminal(io.StringIO):
    """Standard error as a terminal of unknown size."""

    def isatty(self):
        return True


def display(unit="cases", stream=None, **options):
    """Return a display of progress, the clock that it looks at, and what it writes: *stream*, or a file."""
    clock, written = SimpleNamespace(now=0.0), io.StringIO() if stream is None else stream
    return Progress(unit, stream=written, clock=lambda: clock.now, **options), clock, written


def test_without_a_terminal_there_is_a_line_every_half_minute():
    progress, clock, log = display()
    clock.now = 29.9
    progress.at(299, 1000, "leads")
    assert log.getvalue() == ""
    for second in range(30, 91):
        clock.now = second
        progress.at(10 * second, 1000, "leads")
    progress.clear()
    assert log.getvalue().splitlines() == [
        "utf8-abnf:  30%  300 of 1,000 cases, 70 s left  leads",
        "utf8-abnf:  60%  600 of 1,000 cases, 40 s left  leads",
        "utf8-abnf:  90%  900 of 1,000 cases, 10 s left  leads",
    ]


def test_bytes_are_counted_in_gigabytes():
    progress, clock, log = display(BYTES)
    clock.now = 20.0
    progress.start("big.txt", 8_000_000_000)
    clock.now = 30.0
    progress.advance(3_000_000_000)
    clock.now = 60.0
    progress.start("-")
    progress.advance(1_000_000_000)
    assert log.getvalue().splitlines() == [
        "utf8-abnf:  38%  3.0 of 8.0 GB, 17 s left  big.txt",
        "utf8-abnf: 1.0 GB  -",
    ]


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_quiet_is_quiet(kind):
    progress, clock, printed = display(stream=kind(), quiet=True)
    clock.now = 1000.0
    progress.advance(5)
    progress.clear()
    assert printed.getvalue() == ""


def test_on_a_terminal_a_line_comes_after_a_second_ten_times_a_second_and_goes():
    progress, clock, terminal = display("tasks", Terminal())
    for now in (0.9, 1.0, 1.05, 1.1, 1.11):
        clock.now = now
        progress.at(6, 24, "windows")
    drawn = terminal.getvalue()
    assert drawn.split("\r\x1b[K")[1:] == [" 25%  6 of 24 tasks, 3 s left  windows"] * 2
    progress.clear()
    progress.clear()
    assert terminal.getvalue() == drawn + "\r\x1b[K"


@pytest.mark.parametrize("name", ["x" * 300, "日本" * 100], ids=["long", "wide"])
def test_a_line_fits_into_the_terminal(name):
    progress, clock, terminal = display("questions", Terminal())
    clock.now = 2.0
    progress.at(7, what=name)
    line = terminal.getvalue().removeprefix("\r\x1b[K")
    assert line.startswith("7 questions  ")
    assert 78 <= columns(line) <= 79


def test_the_first_few_say_nothing_of_the_time_left():
    """The first of 420 took 150 s, for it starts a process for each question: 62,876 s were announced for 87 min."""
    progress, clock, log = display("decoders")
    for clock.now, done in ((150.0, 1), (390.0, 20), (420.0, 21)):
        progress.at(done, 420, "perl")
    assert log.getvalue().splitlines() == [
        "utf8-abnf:   0%  1 of 420 decoders  perl",
        "utf8-abnf:   5%  20 of 420 decoders  perl",
        "utf8-abnf:   5%  21 of 420 decoders, 7,980 s left  perl",
    ]
