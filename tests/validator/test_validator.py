"""The Python interface of the validator: what it takes, what it refuses, streams, and what it promises about state."""

from __future__ import annotations

import array
import codecs
import copy
import inspect
import io
import itertools
import mmap
import pickle
import sys
import tracemalloc
from collections import Counter

import pytest

import utf8_abnf
from utf8_abnf import IllFormed, InvalidUtf8, count_errors, first_error, is_valid, iter_errors, kernel, validate
from utf8_abnf.files.repairing import repair
from utf8_abnf.validator import _python, functions, ill_formed

# The same laws for the C extension, with a kernel and with CPython's decoder, and for the module that stands in for it.
IMPLEMENTATIONS = dict.fromkeys([kernel.available[0], "python", "_python.py"])

SAMPLES = [
    bytes.fromhex(word)
    for word in (
        "", "61", "C3 A9", "E4 BD A0", "F0 9F 98 80", "61 C3 A9 E4 BD A0 F0 9F 98 80 62", "00", "EF BB BF 61",
        "80", "C0 80", "C1 BF", "C3", "C3 28", "E0 80 80", "E0 9F BF", "E0 A0", "ED A0 80", "ED 9F BF", "ED", "EF BF",
        "F0 80 80 80", "F0 8F BF BF", "F0 90 80", "F4 8F BF BF", "F4 90 80 80", "F5 80", "FF", "FE 61", "61 F0 9F",
        "61 62 E4 BD 61 FF C3", "F1 80 80 41", "F1 80 80 C3 A9", "41 BF BF BF BF", "E4 BD A0 E4 BD", "F4 8F BF",
    )
]  # fmt: skip


def hexadecimal(value: object) -> str:
    return value.hex(" ").upper() or "empty" if isinstance(value, bytes) else str(value)


@pytest.fixture(params=IMPLEMENTATIONS)
def api(request):
    """The module whose functions decide: ``utf8_abnf`` with one kernel in use, or ``_python``."""
    before = kernel.name
    if request.param in kernel.available:
        kernel.use(request.param)
        yield utf8_abnf
    else:
        yield _python
    kernel.use(before)


# ---- what is taken, and what is refused --------------------------------------------------------------------------


def numpy():
    return pytest.importorskip("numpy", reason="needs numpy: pip install numpy")


def row(name, make, *, needs_numpy=False):
    """A row of a test, not of the quick loop if it needs numpy, which that has not."""
    return pytest.param(make, id=name, marks=[pytest.mark.thorough] * needs_numpy)


def mapped(data: bytes) -> mmap.mmap:
    view = mmap.mmap(-1, len(data))
    view[:] = data
    return view


@pytest.mark.parametrize(
    "wrap",
    [
        *(row(kind.__name__, kind) for kind in (bytes, bytearray, memoryview)),
        row("mmap", mapped),
        row("array", lambda data: array.array("B", data)),
        row("slice", lambda data: memoryview(b"\xff" + data + b"\xff")[1:-1]),
        row("BytesIO", lambda data: io.BytesIO(data).getbuffer()),
        row("shorts", lambda data: memoryview(data).cast("H")),
        row("2-D", lambda data: memoryview(data).cast("B", (2, len(data) // 2))),
        row("subclass", type("Bytes", (bytes,), {})),
        row("numpy", lambda data: numpy().frombuffer(data, "u1"), needs_numpy=True),
        row("numpy, 2-D", lambda data: numpy().frombuffer(data, "u1").reshape(2, -1), needs_numpy=True),
    ],
)
def test_anything_bytes_like_and_contiguous_is_read(api, wrap):
    for data in (b"na\xc3\xafve \xe4\xbd\xa0 .", b"na\xc3\xafve \xe4\xbd\xe4 ."):
        assert api.is_valid(wrap(data)) == is_valid(data)
        assert api.first_error(wrap(data)) == first_error(data)
        assert api.IncrementalValidator().feed(wrap(data)) == first_error(data)
        assert list(iter_errors(wrap(data))) == list(iter_errors(data))


def callables(api):
    several = [lambda data: api.are_valid([b"", data]), count_errors, utf8_abnf.Summary.of]
    return [api.is_valid, api.first_error, api.IncrementalValidator().feed, iter_errors, validate, *several]


@pytest.mark.parametrize("what", ["text", 7, None, [97], 1.5], ids=repr)
def test_what_is_not_bytes_like_is_a_type_error(api, what):
    for function in callables(api):
        with pytest.raises(TypeError):
            function(what)


@pytest.mark.parametrize(
    "make",
    [
        row("every second", lambda: memoryview(b"abcdef")[::2]),
        row("backwards", lambda: memoryview(b"abc")[::-1]),
        row("numpy transposed", lambda: numpy().arange(9, dtype="u1").reshape(3, 3).T, needs_numpy=True),
        row("numpy strided", lambda: numpy().zeros(9, "u1")[::3], needs_numpy=True),
    ],
)
def test_a_view_that_is_not_contiguous_is_a_buffer_error(api, make):
    view = make()
    for function in callables(api):
        with pytest.raises(BufferError, match="contiguous"):
            function(view)


def test_a_closed_mapping_is_a_value_error(api):
    view = mapped(b"abc")
    view.close()
    for function in callables(api):
        with pytest.raises(ValueError, match="closed"):
            function(view)


# ---- verdicts ----------------------------------------------------------------------------------------------------


def test_there_are_as_many_ill_formed_sequences_as_cpython_replaces(api):
    for data in SAMPLES:
        errors = list(iter_errors(data))  # test_ill_formed.py compares their places with CPython's
        assert len(errors) == data.decode(errors="replace").count("\ufffd"), hexadecimal(data)
        assert api.is_valid(data) == (not errors), hexadecimal(data)
        assert api.first_error(data) == (errors or [None])[0], hexadecimal(data)


@pytest.mark.parametrize("data", [each for each in SAMPLES if not is_valid(each)], ids=hexadecimal)
def test_validate_raises_a_unicode_decode_error_that_explains(data):
    with pytest.raises(UnicodeDecodeError) as raised:
        validate(bytearray(data))
    assert isinstance(raised.value, InvalidUtf8)
    assert raised.value.error == first_error(data)
    assert (raised.value.object, raised.value.encoding) == (data, "utf-8")
    with pytest.raises(UnicodeDecodeError) as by_cpython:
        data.decode()
    expected = by_cpython.value
    assert (raised.value.start, raised.value.end) == (expected.start, expected.end)
    assert str(raised.value) == str(expected).replace(expected.reason, str(raised.value.error))
    assert pickle.loads(pickle.dumps(raised.value)).args == ("utf-8", data, *raised.value.args[2:])


@pytest.mark.parametrize(
    "kind", [list, tuple, iter, lambda each: map(bytearray, each)], ids=["list", "tuple", "iter", "map"]
)
def test_strings_are_judged_one_by_one(api, kind):
    assert api.are_valid(kind(SAMPLES)) == [is_valid(data) for data in SAMPLES]
    assert api.are_valid(kind([])) == []


@pytest.mark.parametrize("strings", ["text", b"bytes", ["text"], [b"", None], [[b""]], 7, None], ids=repr)
def test_strings_that_are_not_bytes_like_are_a_type_error(api, strings):
    with pytest.raises(TypeError):
        api.are_valid(strings)


def test_an_exporter_is_asked_once_and_judged_by_what_it_exports(api):
    class Bytes(bytes):
        def __buffer__(self, flags):
            asked.append(flags)
            if exported is None:
                raise ValueError("closed")
            return memoryview(exported)

    if sys.version_info < (3, 12):  # buffers in Python: PEP 688
        assert api.is_valid(Bytes(b"ab"))
        return
    for exported, outcome in ((b"\xff", False), (b"a", True), (None, None)):
        for function in (*callables(api), repair):
            asked = []
            if exported is None:
                with pytest.raises(ValueError, match="closed"):
                    function(Bytes(b"ab"))
                assert len(asked) == 1
            elif function is api.is_valid:
                assert function(Bytes(b"ab\xff")) is outcome
        assert exported is None or repair(Bytes(b"ab")).data.decode() == exported.decode(errors="replace")
        if exported == b"\xff":
            with pytest.raises(InvalidUtf8) as raised:
                validate(Bytes(b"ab"))
            assert raised.value.object == b"\xff"


def test_a_list_that_shrinks_while_it_is_judged_is_read_as_it_was(api):
    strings = []

    class Shrinking:
        def __buffer__(self, flags):
            strings.clear()
            return memoryview(b"a")

    strings += [Shrinking(), b"\xff", b"b"]
    if sys.version_info < (3, 12):  # buffers in Python: PEP 688
        with pytest.raises(TypeError):
            api.are_valid(strings)
    else:
        assert api.are_valid(strings) == [True, False, True]


LONG = [b"".join(SAMPLES) * 40, "\u4f60".encode() * 300_000 + b"\xff\xc3"]


def private(api):
    """The module that has the private functions of *api*."""
    return api if api is _python else functions


def test_errors_are_counted_by_code_as_they_are_iterated(api):
    for data in (*SAMPLES, *LONG):
        expected = Counter(error.code for error in iter_errors(data))
        assert private(api).count_by_code(data) == tuple(expected[code] for code in ill_formed.CODES), data[:60]
        assert count_errors(data) == {code: expected[code] for code in ill_formed.CODES}, data[:60]


@pytest.mark.parametrize("number", [0, 1, 2, 255, 256, 257, 258, 600])
def test_every_error_is_yielded_however_many_there_are(api, number):
    data = b"\xffab\xe2\x82" * number
    errors = list(iter_errors(data))
    assert [error.start for error in errors] == [5 * row + place for row in range(number) for place in (0, 3)]
    assert errors == [first_error(data[error.start :])._replace(start=error.start) for error in errors]


def test_errors_are_found_from_a_place_on_and_never_outside(api):
    data = b"a\xffb\xfec\xc3"
    starts = lambda *arguments: [error.start for error in private(api).errors_from(data, *arguments)]  # noqa: E731
    assert [starts(0, 9), starts(2, 9), starts(2, 1), starts(0, 0), starts(6, 1), starts(1 << 40, 1)] == [
        [1, 3, 5], [3, 5], [3], [], [], [],
    ]  # fmt: skip
    assert len(private(api).errors_from(b"\xff" * 600, 0, 600)) in {256, 600}  # C has room for so many
    buffer = bytearray(data)
    for arguments in ((-1, 1), (0, -1)):
        with pytest.raises(ValueError, match="negative"):
            private(api).errors_from(buffer, *arguments)
    buffer.append(0)  # BufferError while it is exported


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, mapped])
def test_an_error_copies_no_bytes(kind):
    data = kind(b"a" * (1 << 20) + b"\xff")
    tracemalloc.start()
    try:
        validate(data)
    except InvalidUtf8 as raised:  # pytest.raises would look at all of its attributes
        error, sentence, size = raised.error, str(raised), tracemalloc.get_traced_memory()[1]
        whole = raised.object
    finally:
        tracemalloc.stop()
    assert (error, size < 1 << 18, whole) == (first_error(data), True, bytes(data))
    assert "byte 0xff in position 1048576" in sentence


# ---- streams -----------------------------------------------------------------------------------------------------


def reported_after(data: bytes) -> IllFormed | None:
    """What a stream must have reported once *data* has been fed: its first error, but not that it might be cut off."""
    error = first_error(data)
    return None if error is not None and error.truncated else error


def assert_fed(api, chunks: list[bytes]) -> None:
    validator, fed = api.IncrementalValidator(), b""
    for chunk in chunks:
        fed += chunk
        expected = reported_after(fed)
        assert validator.feed(chunk) == expected, chunks
        if expected is None:
            unfinished = first_error(fed)
            assert validator.offset == len(fed)
            assert validator.pending == (b"" if unfinished is None else fed[unfinished.start :])
        else:
            assert (validator.offset, validator.pending) == (expected.offending, b"")
    assert validator.finish() == first_error(fed), chunks


def test_every_cut_in_two_and_every_byte_alone_give_the_verdict_of_the_whole(api):
    for data, padding in itertools.product(SAMPLES, (b"", b"z" * 70, "\u4f60".encode() * 25)):
        whole = padding + data
        for cut in range(len(whole) + 1):
            assert_fed(api, [whole[:cut], whole[cut:]])
        assert_fed(api, [whole[at : at + 1] for at in range(len(whole))])


@pytest.mark.thorough
def test_every_string_of_four_edges_is_reported_at_its_first_wrong_byte(api):
    for data in map(bytes, itertools.product(bytes.fromhex("61 80 A0 C3 E0 ED F0 F4 FF"), repeat=4)):
        assert_fed(api, [data[:1], data[1:2], data[2:3], data[3:]])
        assert_fed(api, [data[:2], b"", data[2:]])


@pytest.mark.parametrize("size", [65535, 65536, 65537, 1 << 20])
def test_long_chunks_are_read_across_characters(api, size):
    text = ("a\u00e9\u4f60\U0001f600" * (3 * size // 10)).encode()
    validator = api.IncrementalValidator()
    for start in range(0, len(text), size):
        assert validator.feed(text[start : start + size]) is None
    assert validator.offset == len(text)
    assert validator.feed(b"\xff").start == len(text)


def test_an_error_stays_until_reset(api):
    validator = api.IncrementalValidator()
    error = validator.feed(b"ab\xff")
    assert validator.feed(b"fine") is error
    assert validator.finish() is error
    assert validator.finish() is error
    assert (validator.offset, validator.getstate()) == (2, (b"\xff", 11))
    validator.reset()
    assert (validator.feed(b"\xc3\xa9\xe4"), validator.pending, validator.offset) == (None, b"\xe4", 3)
    validator.reset()
    assert (validator.pending, validator.finish(), validator.getstate()) == (b"", None, (b"", 1))


def test_feeding_a_finished_stream_is_a_value_error(api):
    validator = api.IncrementalValidator()
    assert (validator.feed(b"a"), validator.finish(), validator.getstate()) == (None, None, (b"", 5))
    for each in (validator, copy.copy(validator)):
        with pytest.raises(ValueError, match="reset"):
            each.feed(b"a")
    validator.reset()
    assert validator.feed(b"a") is None


def test_what_is_refused_leaves_the_stream_as_it_was(api):
    validator = api.IncrementalValidator()
    validator.feed(b"a\xc3")
    with pytest.raises(TypeError):
        validator.feed("text")
    assert (validator.pending, validator.offset) == (b"\xc3", 2)
    assert validator.feed(b"\xa9") is None


def test_a_stream_goes_on_from_its_state_at_every_cut(api):
    for data in SAMPLES:
        whole = "a\u4f60".encode() + data
        for cut in range(len(whole) + 1):
            validator = api.IncrementalValidator()
            validator.feed(whole[:cut])
            states = [validator.getstate()]
            others = [api.IncrementalValidator(), copy.copy(validator), copy.deepcopy(validator)]
            others += [
                pickle.loads(pickle.dumps(validator, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
            ]
            others[0].feed(b"something else \xf0\x9f")
            others[0].setstate(states[0])
            validator.feed(whole[cut:])
            for other in others:
                assert other.getstate() == states[0]
                other.feed(whole[cut:])
                assert (other.offset, other.pending) == (validator.offset, validator.pending)
                assert other.getstate() == validator.getstate()
            result = validator.finish()
            for other in others:
                assert other.finish() == result == first_error(whole)
                assert copy.copy(other).getstate() == other.getstate() == validator.getstate()
                assert copy.copy(other).finish() == result


def test_a_state_is_as_the_decoders_of_codecs_have_it(api):
    validator = api.IncrementalValidator()
    decoder = codecs.getincrementaldecoder("utf-8")()
    for byte in "aé你😀".encode():
        validator.feed(bytes([byte]))
        decoder.decode(bytes([byte]))
        assert validator.getstate() == (decoder.getstate()[0], 4 * (validator.offset - len(validator.pending)))


@pytest.mark.parametrize(
    "state",
    [(b"a", 0), (b"\xff", 0), (b"\xf0\x9f\x98\x80", 0), (b"", -4), (b"\xc3", 1), (b"", 2), (b"", 3), (b"\xc3", 2),
     (b"a", 2), (b"a", 3), (b"\xff" * 5, 2)],
    ids=repr,
)  # fmt: skip
def test_a_state_that_no_stream_can_be_in_is_a_value_error_and_changes_nothing(api, state):
    validator = api.IncrementalValidator()
    validator.feed(b"abc\xe4")
    with pytest.raises(ValueError, match="state"):
        validator.setstate(state)
    assert validator.getstate() == (b"\xe4", 12)


@pytest.mark.parametrize("state", [None, b"", (b"",), ("", 0), (b"", "0"), [b"", 0]], ids=repr)
def test_what_is_not_a_state_is_a_type_error(api, state):
    with pytest.raises((TypeError, ValueError)):
        api.IncrementalValidator().setstate(state)


def test_an_incremental_validator_takes_no_arguments_and_its_state_is_read_only(api):
    with pytest.raises(TypeError):
        api.IncrementalValidator(b"")
    with pytest.raises(TypeError):
        api.IncrementalValidator(data=b"")
    no_keywords = {}
    assert api.IncrementalValidator(**no_keywords).offset == 0
    for name in ("offset", "pending"):
        with pytest.raises(AttributeError):
            setattr(api.IncrementalValidator(), name, 0)


# ---- the package -------------------------------------------------------------------------------------------------


def test_is_valid_is_the_c_function_itself():
    if "avx2" in kernel.available or "scalar" in kernel.available:
        assert inspect.isbuiltin(is_valid)
        assert utf8_abnf.is_valid is utf8_abnf.validator._kernel.is_valid


def test_every_public_name_exists_and_says_what_it_is():
    assert [name for name in utf8_abnf.__all__ if not getattr(utf8_abnf, name).__doc__] == []
    assert set(utf8_abnf.__all__) <= set(dir(utf8_abnf))
