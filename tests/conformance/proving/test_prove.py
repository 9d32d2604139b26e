"""`utf8-abnf prove`: that it establishes what it says, and that it would notice if that were not so."""

from __future__ import annotations

import ctypes
from functools import partial
from itertools import product

import pytest

from utf8_abnf import first_error
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.cli import main
from utf8_abnf.conformance import proving
from utf8_abnf.conformance.proving import entry_points
from utf8_abnf.grammar import Grammar

_prove = pytest.importorskip(
    "utf8_abnf.conformance.suite._suite", reason="needs the C kernels: install with a C compiler"
)

UTF8 = compile_grammar(Grammar.load("utf8")).minimal()
ORACLE = proving.packed_automaton()
CONTEXTS = proving.contexts(UTF8)
KERNELS, SCALAR = proving.kernels(), proving.scalar_functions()
WIDE = [kernel for kernel in KERNELS if kernel.width]
LANES = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.POINTER(ctypes.c_uint8))
IS_VALID = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)
FIRST_ERROR = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)


def address(callback) -> int:
    return ctypes.cast(callback, ctypes.c_void_p).value


@pytest.mark.thorough
def test_the_quick_form_finds_no_difference_and_claims_no_proof(capsys):
    assert main(["prove", "--quick"]) == 0
    out = capsys.readouterr().out
    for kernel in KERNELS:
        assert f"{kernel.name:8} is_valid on every text of 4 bytes" in out
    assert "It does not prove anything about all inputs" in out
    assert "Proved for" not in out


def test_the_whole_proof_names_its_kernels_and_what_it_assumes(monkeypatch, capsys):
    enumeration = proving.Enumeration("avx2", "two tasks", (lambda: None, lambda: None))
    monkeypatch.setattr(proving, "enumerations", lambda quick: [enumeration])
    assert main(["prove"]) == 0
    out = capsys.readouterr().out
    assert f"Proved for {', '.join(kernel.name for kernel in KERNELS)}, as installed here" in out
    assert all(f"{kernel.width} in {kernel.name}" in out for kernel in WIDE)


def test_each_difference_is_printed_and_of_many_the_first_ten(monkeypatch, capsys):
    enumeration = proving.Enumeration("avx2", "every fault", tuple(partial(tuple, (at, 4, 0)) for at in range(12)))
    monkeypatch.setattr(proving, "enumerations", lambda quick: [enumeration])
    assert main(["prove"]) == 1
    out, err = capsys.readouterr()
    assert "NOT EQUAL" in out
    assert "Proved" not in out
    assert len(err.splitlines()) == 11
    assert "kernel avx2, every fault: not as the automaton on 00 00 00 09 (size 4, at 0)" in err
    assert err.endswith("and 2 other tasks found one\n")


# ---- the scalar functions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["E4 B8 80", "F1 80 80", "61 C3"])
def test_a_wrong_count_of_unfinished_bytes_is_found(wrong):
    wrong = bytes.fromhex(wrong)

    def count(data, size) -> int:
        text = bytes(data[:size])
        error = first_error(text)
        return 1 + (error is not None) if text == wrong else 0 if error is None else size - error.start

    callback = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)(count)
    first, packed = wrong[0], ORACLE.with_certificate()
    assert _prove.unfinished(SCALAR.unfinished, packed, first) is None
    window, size, _ = _prove.unfinished(address(callback), packed, first)
    assert window.to_bytes(4)[:size] == wrong


def test_a_difference_in_the_fourth_byte_alone_is_found():
    """The automaton is the wrong one here: it takes FF for ASCII, or nothing follows F1 80 80."""
    ff, cut = (bytearray(ORACLE.with_certificate()) for _ in range(2))
    ff[0xFF] = UTF8.classes[0x61]
    assert _prove.four(KERNELS[-1].is_valid, bytes(ff), 0x61) == (0x610000FF, 4, 0)
    cut[256 + UTF8.run(b"\xf1\x80\x80") * proving.STATES + UTF8.classes[0x80]] = UTF8.sink
    assert _prove.sequence(SCALAR.sequence, bytes(cut), 0xF1) == (0xF1808080, 4, 0)


# ---- the sequence of all windows -----------------------------------------------------------------------------------


def after(steps: int) -> list[int]:
    return [proving.sequence_of_windows(1 << bit, steps) for bit in range(32)]


IDENTITY = [1 << bit for bit in range(32)]


def test_the_sequence_is_linear():
    for left, right in ((1, 2), (0x80000001, 0x12345678), (0xFFFFFFFF, 0xDEADBEEF)):
        assert _prove.next_window(left ^ right) == _prove.next_window(left) ^ _prove.next_window(right)


def test_the_sequence_returns_after_all_windows_but_zero():
    assert after(2**32 - 1) == IDENTITY


@pytest.mark.parametrize("prime", [3, 5, 17, 257, 65537])
def test_the_sequence_returns_no_sooner(prime):
    # 2^32 - 1 = 3 * 5 * 17 * 257 * 65537. A window that came back sooner would be a fixed point of one of these powers,
    # a zero of power + identity; as that matrix has full rank, there is none but 00 00 00 00.
    rows = [image ^ unit for image, unit in zip(after((2**32 - 1) // prime), IDENTITY, strict=True)]
    rank = 0
    while rows:
        pivot = rows.pop()
        rank += pivot != 0
        rows = [min(row, row ^ pivot) if pivot else row for row in rows]
    assert rank == 32


def test_jumping_ahead_is_walking():
    window = 1
    for _ in range(1000):
        window = _prove.next_window(window)
    assert proving.sequence_of_windows(1, 1000) == window


# ---- the oracle ----------------------------------------------------------------------------------------------------


def test_three_bytes_settle_the_state_of_a_text_that_is_right_so_far():
    contexts = proving.contexts(UTF8)
    for text in ("a", "aé", "語", "x😀", "é語", "語é😀", "😀😀"):
        data = b"aaa" + text.encode()
        for end in range(3, len(data) + 1):
            first, second, third = (UTF8.classes[byte] for byte in data[end - 3 : end])
            assert contexts[(first * proving.STATES + second) * proving.STATES + third] == UTF8.run(data[:end])


def test_a_grammar_that_needs_a_longer_memory_is_refused():
    five = compile_grammar(Grammar.parse("five = *( %x01 4( %x00 ) )\n")).minimal()
    with pytest.raises(proving.NotProvedError, match="leave the automaton in one of the states"):
        proving.contexts(five)


def test_the_bytes_that_no_text_contains_are_those_of_the_rfc():
    assert ORACLE.never == bytes([0xC0, 0xC1, *range(0xF5, 0x100)])  # RFC 3629 section 1


def test_the_words_take_the_automaton_along_each_of_its_moves():
    moves = {(UTF8.run(word[:-1]), UTF8.classes[word[-1]]) for word in ORACLE.words}
    live = set(range(len(UTF8.table))) - {UTF8.sink}
    assert moves == set(product(live, set(UTF8.classes)))


def test_the_words_hold_the_highest_character_of_each_line_of_the_grammar():
    highest = ("7F", "DF BF", "E0 BF BF", "EF BF BF", "ED 9F BF", "F0 BF BF BF", "F3 BF BF BF", "F4 8F BF BF")
    assert {bytes.fromhex(each) for each in highest} <= set(ORACLE.words)
    assert all(UTF8.accepts(word) for word in proving.highest_characters(UTF8))


def test_every_window_of_edges_occurs_in_the_edge_text():
    text = proving.edge_text(b"\x00\x80\xff")
    assert sorted(text[at : at + 4] for at in range(len(text) - 3)) == sorted(
        map(bytes, product(b"\x00\x80\xff", repeat=4))
    )


# ---- that a difference is noticed ----------------------------------------------------------------------------------


def lanes_by_the_automaton(width: int, spoil=lambda window, flag, lane: flag):
    """Return a function like a kernel's `lanes`, from the automaton: slow, right but for what *spoil* does."""

    def judge(block, flags):
        for lane in range(width):
            window = bytes(block[at] for at in range(lane - 3, lane + 1))
            first, second, third = (UTF8.classes[byte] for byte in window[:3])
            state = CONTEXTS[(first * 16 + second) * 16 + third]
            wrong = state == proving.NOWHERE or UTF8.table[state][UTF8.classes[window[3]]] == UTF8.sink
            flags[lane] = spoil(window, 255 * wrong, lane)

    return LANES(judge)


def test_lanes_that_do_as_the_automaton_pass():
    judge = lanes_by_the_automaton(8)
    packed = ORACLE.with_certificate()
    assert _prove.text(address(judge), 8, packed, "aé語😀".encode() + b"\xed\xa0\x80\xff\xc0\x80") is None
    assert _prove.lanes(address(judge), 8, packed, 1, 500) is None


@pytest.mark.parametrize("liar", range(8))
@pytest.mark.parametrize("window", ["61 61 ED A0", "F0 90 80 41", "61 61 61 FF"])
def test_one_lane_of_many_that_lets_one_window_pass_is_found(window, liar):
    bad = bytes.fromhex(window)
    judge = lanes_by_the_automaton(8, lambda seen, flag, lane: 0 if seen == bad and lane == liar else flag)
    found = _prove.text(address(judge), 8, ORACLE.with_certificate(), b"a" * 20 + bad + b"a" * 20)
    assert found == (int.from_bytes(bad), 8, liar)


@pytest.mark.parametrize(("late", "window"), [(1, "61 61 FF 61"), (2, "61 FF 61 61")])
def test_a_late_objection_that_never_comes_is_found(late, window):
    judge = lanes_by_the_automaton(8, lambda seen, flag, lane: flag if 0xFF not in seen else 0)
    certificate = bytes(0xFF00) + bytes([late]) * 256  # all objections to FF come so many lanes later
    found = _prove.text(address(judge), 8, ORACLE.with_certificate(certificate), b"aaaa\xffaaaa")
    assert found[0].to_bytes(4) == bytes.fromhex(window)


def test_lanes_may_object_each_in_its_own_way():
    judge = lanes_by_the_automaton(8, lambda seen, flag, lane: flag and 1 << lane)
    assert _prove.text(address(judge), 8, ORACLE.with_certificate(), b"a" * 20 + b"\xed\xa0\x80" + b"a" * 20) is None


def test_a_lane_that_objects_to_what_is_right_is_found():
    judge = lanes_by_the_automaton(8, lambda seen, flag, lane: flag or seen == "a語".encode())
    found = _prove.text(address(judge), 8, ORACLE.with_certificate(), "aaa語aaa".encode())
    assert found[0].to_bytes(4) == "a語".encode()


def test_an_is_valid_that_accepts_one_word_too_many_is_found():
    wrong = IS_VALID(lambda data, size: bytes(data[:size]) == b"\xf4\x90\x80\x80" or UTF8.accepts(bytes(data[:size])))
    right = FIRST_ERROR(lambda data, size: size)
    filler, packed = b"a", ORACLE.with_certificate()
    found = _prove.positions(address(wrong), address(right), packed, filler, b"\xf4\x90\x80\x80", 0, 4, 4, 9)
    assert found == (0xF4908080, 4, 0)


def test_a_first_error_that_is_off_by_one_is_found():
    is_valid = IS_VALID(lambda data, size: False)
    late = FIRST_ERROR(lambda data, size: 4)
    found = _prove.positions(address(is_valid), address(late), ORACLE.with_certificate(), b"a", b"\xff", 1, 6, 6, 2)
    assert found == (0xFF000000, 6, 3)


def where(data: bytes) -> int:
    return len(data) if (error := first_error(data)) is None else error.start


RUN = (0, 0, 99, 1, 40, 30, 7)  # skew; where the ASCII begins: from, to, step; its length, what is behind it, sweep


def judge_runs(is_valid, word: bytes):
    right = FIRST_ERROR(lambda data, size: where(bytes(data[:size])))
    return _prove.runs(address(is_valid), address(right), ORACLE.with_certificate(), b"\xc3\xa9", word, *RUN)


def test_the_automaton_itself_passes_around_runs_of_ascii():
    right = IS_VALID(lambda data, size: UTF8.accepts(bytes(data[:size])))
    assert judge_runs(right, b"\xff") is None


@pytest.mark.parametrize(
    "accepted",
    [b"\xf0" + b"a" * 40, b"a" * 40 + b"\xf0", b"a" * 18 + b"\xf0" + b"a" * 18],
    ids=["before the run", "behind it", "in its middle"],
)
def test_an_is_valid_that_overlooks_a_fault_in_or_beside_a_run_of_ascii_is_found(accepted):
    wrong = IS_VALID(lambda data, size: accepted in bytes(data[:size]) or UTF8.accepts(bytes(data[:size])))
    found = judge_runs(wrong, b"\xf0")
    assert found[0] == 0xF0000000


@pytest.mark.parametrize("kernel", WIDE, ids=lambda kernel: kernel.name)
def test_a_certificate_that_promises_too_much_is_found(kernel):
    honest = proving.certificate(kernel, ORACLE.never)
    assert any(honest)  # some bytes that no text contains are found out a lane later: else this test is about nothing
    found = _prove.text(kernel.lanes, kernel.width, ORACLE.with_certificate(), b"aaaa\xc0aaaa\xffaaaa")
    assert found is not None


def test_what_cannot_be_is_an_error():
    kernel, packed = KERNELS[0], ORACLE.with_certificate()
    for short in (b"", packed[1:]):
        with pytest.raises(ValueError, match="a packed automaton has"):
            _prove.four(kernel.is_valid, short, 0)
    for run in ((64, 0, 1, 1, 1, 1, 1), (0, 0, 1, 0, 1, 1, 1), (0, 2, 1, 1, 1, 1, 1), (0, 0, 1, 1, 1, 1, 0)):
        with pytest.raises(ValueError, match="no such sizes or places"):
            _prove.runs(kernel.is_valid, kernel.first_error, packed, b"a", b"a", *run)
    for width in (0, 7, 264):
        with pytest.raises(ValueError, match=f"a block of {width} lanes"):
            _prove.text(kernel.lanes, width, packed, b"aaaa")


def test_without_kernels_the_command_says_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr(entry_points, "machine", None)
    assert main(["prove"]) == 2
    assert "with a C compiler at hand" in capsys.readouterr().err
