"""Where errors stand: lines, columns, windows and counts do not depend on how the input is cut into blocks."""

import codecs
import io
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.explain.locating import Scanner

HOLE = "\ue000"
codecs.register_error("tests.hole", lambda error: (HOLE, error.end))


def with_holes(data):
    """The oracle: CPython's decoder puts one hole for each ill-formed sequence; the text before it tells its place."""
    return data.decode("utf-8", "tests.hole")


def located(data, sizes):
    """Return what the scanner finds when it is fed pieces of *sizes*, in turn."""
    stream = io.BytesIO(data)
    turn = iter(range(1 << 30))

    def readinto(room):
        return stream.readinto(room[: sizes[next(turn) % len(sizes)]])

    return list(Scanner(readinto, buffer=bytearray(16)).errors())


near_utf8 = st.lists(
    st.sampled_from(["a", "\n", "é", "日", "😀", "\ufffd"]).map(str.encode)
    | st.sampled_from([b"\xed", b"\xa0", b"\xf0\x9f", b"\xff", b"\xe4"])
).map(b"".join)


@given(near_utf8, st.lists(st.integers(1, 16), min_size=1, max_size=4))
def test_places_do_not_depend_on_how_the_input_is_read(data, sizes):
    found = located(data, sizes)
    text = with_holes(data)
    holes = [at for at, character in enumerate(text) if character == HOLE]
    lines = [(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in holes]
    assert [(each.line, each.column) for each in found] == lines
    for each in found:
        start = each.error.start
        assert each.window == data[max(0, start - 5) : start + 4]
        assert each.window_start == max(0, start - 5)


@given(near_utf8, st.integers(0, 5))
def test_the_errors_that_are_not_shown_are_counted(data, shown):
    scanner = Scanner(io.BytesIO(data).readinto, buffer=bytearray(16))
    first = list(islice(scanner.errors(), shown))
    total = with_holes(data).count(HOLE)
    assert len(first) == min(shown, total)
    assert len(first) + sum(scanner.count_rest()) == total
