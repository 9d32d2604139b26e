"""Where errors stand: lines, columns, windows and counts do not depend on how the input is cut into blocks."""

import codecs
import io
from contextlib import nullcontext
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.explain.locating import Scanner

HOLE = "\ue000"
codecs.register_error("tests.hole", lambda error: (HOLE, error.end))


def with_holes(data):
    """The oracle: CPython's decoder puts one hole for each ill-formed sequence; the text before it tells its place."""
    return data.decode("utf-8", "tests.hole")


def scanner(data, sizes, *, fails=False):
    """Return a scanner that is fed pieces of *sizes*, in turn; with *fails*, reading fails at the end."""
    stream = io.BytesIO(data)
    turn = iter(range(1 << 30))

    def readinto(room):
        count = stream.readinto(room[: sizes[next(turn) % len(sizes)]])
        if fails and not count:
            raise OSError("unreadable")
        return count

    return Scanner(readinto, buffer=bytearray(16))


near_utf8 = st.lists(
    st.sampled_from(["a", "\n", "é", "日", "😀", "\ufffd"]).map(str.encode)
    | st.sampled_from([b"\xed", b"\xa0", b"\xf0\x9f", b"\xff", b"\xe4"])
).map(b"".join)


@given(near_utf8, st.lists(st.integers(1, 16), min_size=1, max_size=4))
def test_places_do_not_depend_on_how_the_input_is_read(data, sizes):
    found = list(scanner(data, sizes).errors())
    text = with_holes(data)
    holes = [at for at, character in enumerate(text) if character == HOLE]
    lines = [(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in holes]
    assert [(each.line, each.column) for each in found] == lines
    for each in found:
        start = each.error.start
        assert each.window == data[max(0, start - 5) : start + 4]
        assert each.window_start == max(0, start - 5)


@given(near_utf8, st.lists(st.integers(1, 16), min_size=1, max_size=4))
def test_errors_before_a_failure_of_reading_are_found(data, sizes):
    whole = [each.error for each in scanner(data, sizes).errors() if not each.error.truncated]
    errors = scanner(data, sizes, fails=True).errors()
    assert [each.error for each in islice(errors, len(whole))] == whole
    with pytest.raises(OSError, match="unreadable"):
        next(errors)
    with nullcontext() if whole else pytest.raises(OSError, match="unreadable"):
        assert scanner(data, sizes, fails=True).first_offset() == whole[0].start


@given(near_utf8, st.integers(0, 5))
def test_the_errors_that_are_not_shown_are_counted(data, shown):
    read = scanner(data, [16])
    first = list(islice(read.errors(), shown))
    total = with_holes(data).count(HOLE)
    assert len(first) == min(shown, total)
    assert len(first) + sum(read.count_rest()) == total
