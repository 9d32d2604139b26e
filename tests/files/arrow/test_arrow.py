"""Columns: equal to a loop over their rows, whatever their layout; what is broken is refused; nothing is leaked."""

from __future__ import annotations

import ctypes
import errno
import gc
import itertools
import os
import random
import struct
import sys
from collections import Counter
from ctypes import POINTER, pointer

import pytest

from utf8_abnf import first_error, is_valid, iter_errors, repair
from utf8_abnf.validator.ill_formed import CODES

pa = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install 'utf8-abnf[arrow]'")
arrow = pytest.importorskip(
    "utf8_abnf.files.arrow", reason="needs the C extension: install a compiler", exc_type=ImportError
)

from utf8_abnf.files.arrow import _arrow  # noqa: E402
from utf8_abnf.validator import _kernel  # noqa: E402

from .capsules import Array, Foreign, ForeignStream, GetNext, GetSchema, Schema, of  # noqa: E402

COLUMNS = 100_000 if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else 400
PIECES = (
    b"a", b"plain words ", "é".encode(), "你".encode(), "😀".encode(), b"\xc3", b"\xa9", b"\xe4\xbd", b"\xa0", b"\xff",
    b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"x" * 12, b"x" * 13, b"\xf0\x9f\x98",
)  # fmt: skip


# ---- the plain twins: a loop over the rows -----------------------------------------------------------------------


def plain_valid(rows):
    return [None if row is None else is_valid(row) for row in rows]


def plain_errors(rows):
    found = [None if row is None else first_error(row) for row in rows]
    return [each and {"offset": each.start, "length": each.length, "code": each.code} for each in found]


def plain_strings(rows, policy="fffd"):
    return [None if row is None else repair(row, policy).data.decode() for row in rows]


def plain_summary(rows):
    wrong = [number for number, row in enumerate(rows) if row is not None and not is_valid(row)]
    counts = Counter(error.code for number in wrong for error in iter_errors(rows[number]))
    errors = {code: counts[code] for code in CODES}
    return len(rows), rows.count(None), len(wrong), wrong[0] if wrong else None, errors


def listed(made):
    """The rows of a result, as pyarrow reads them; it has looked at the buffers."""
    column = pa.array(made) if hasattr(made, "__arrow_c_array__") else pa.chunked_array(made)
    column.validate(full=True)
    assert len(column) == len(made)
    return column.to_pylist()


def assert_as_by_the_loop(column, rows):
    assert listed(arrow.is_valid(column)) == plain_valid(rows)
    assert listed(arrow.first_error(column)) == plain_errors(rows)
    assert listed(arrow.replace(column)) == plain_strings(rows)
    assert tuple(arrow.summary(column)) == plain_summary(rows)


# ---- every layout ------------------------------------------------------------------------------------------------


def random_rows(chance):
    odd = chance.choice((0.02, 0.5, 0))  # how many of the pieces are broken
    nulls = chance.choice((0, 0, 0.2, 1))
    size = chance.choice((0, 1, 7, 8, 63, 64, 65, 130, chance.randrange(400)))

    def row():
        if chance.random() < nulls:
            return None
        return b"".join(
            chance.choice(PIECES if chance.random() < odd else PIECES[:5]) for _ in range(chance.randrange(5))
        )

    rows = [row() for _ in range(size)]
    if size and chance.random() < 0.3:  # characters cut by the edges of rows, with empty rows between the halves
        text = "日本語😀é".encode()
        rows[:3] = [text[:1], b"", text[1:]]
    return rows[:size]


WIDTHS = (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64())
TYPES = (pa.binary(), pa.large_binary(), pa.binary_view(), pa.string(), pa.large_string(), pa.string_view())


def with_type(rows, kind):
    """A column of *rows*; strings are the same buffers under another name, as broken writers make them."""
    raw = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}.get(kind)
    made = pa.array(rows, raw or kind)
    return pa.Array.from_buffers(kind, len(made), made.buffers(), made.null_count, made.offset) if raw else made


def random_column(chance):
    """Return a column and its rows."""
    rows = random_rows(chance)
    kind = chance.choice(TYPES)
    column = with_type(rows, kind)
    if chance.random() < 0.3:
        if rows and chance.random() < 0.3:
            first = chance.randrange(len(rows))
            column, rows = column.slice(first), rows[first:]
        count = chance.randrange(90) if rows else 0
        indices = [None if chance.random() < 0.1 else chance.randrange(len(rows)) for _ in range(count)]
        width = pa.int16() if len(rows) > 127 else chance.choice(WIDTHS)
        column = pa.DictionaryArray.from_arrays(pa.array(indices, width), column, safe=False)
        rows = [None if index is None else rows[index] for index in indices]
    if rows and chance.random() < 0.5:
        start, size = chance.randrange(len(rows)), chance.randrange(len(rows))
        column, rows = column.slice(start, size), rows[start : start + size]
    if chance.random() < 0.3:
        cuts = sorted(chance.randrange(len(rows) + 1) for _ in range(chance.randrange(4)))
        chunks = [column[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
        column = pa.chunked_array(chunks, type=column.type)
    if chance.random() < 0.2:
        table = pa.table({"text": column})
        column = table if isinstance(column, pa.ChunkedArray) else table.to_batches()[0] if rows else table
    return column, rows


@pytest.mark.thorough
def test_random_columns_are_judged_as_a_loop_judges_their_rows():
    chance = random.Random(3629)
    for number in range(COLUMNS):
        column, rows = random_column(chance)
        try:
            assert_as_by_the_loop(column, rows)
        except Exception as error:
            raise AssertionError(f"column {number}, {getattr(column, 'schema', None) or column.type}") from error


def test_one_ill_formed_row_or_eight_are_repaired_wherever_they_stand():
    """Rows are copied 64 at a time where all of them are well-formed."""
    for place, bad in (*((place, 1) for place in range(130)), *((place, 8) for place in range(0, 128, 8))):
        rows = [b"ab"] * place + [b"a\xff"] * bad + [b"c"] * (130 - bad - place)
        for each in (rows, [b"\xff", *rows[1:]]):
            assert listed(arrow.replace(pa.array(each))) == plain_strings(each), place


def test_bytes_of_null_rows_do_not_count():
    values = pa.py_buffer(b"\xff\xffab\xff\xff")
    offsets = pa.py_buffer(struct.pack("4i", 0, 2, 4, 6))
    column = pa.Array.from_buffers(pa.binary(), 3, [pa.py_buffer(b"\x02"), offsets, values])
    assert_as_by_the_loop(column, [None, b"ab", None])


def test_a_dictionary_keeps_its_indices_and_each_value_is_judged_once():
    column = pa.array([b"caf\xe9", b"a", b"caf\xe9", None]).dictionary_encode()
    made = pa.array(arrow.replace(column, "windows-1252"))
    assert made.indices.to_pylist() == column.indices.to_pylist()
    assert made.dictionary.to_pylist() == ["café", "a"]
    assert arrow.summary(column).errors["UTF8-TRUNCATED"] == 2


def test_an_index_of_a_null_is_0_afterwards_whatever_it_was():
    indices = pa.Array.from_buffers(pa.int8(), 3, [pa.py_buffer(b"\2"), pa.py_buffer(b"\x63\1\x63")])
    column = pa.DictionaryArray.from_arrays(indices, pa.array([b"a", b"\xff"]), safe=False)
    made = pa.array(arrow.replace(column, "fffd"))
    assert (made.to_pylist(), made.indices.buffers()[1].to_pybytes()[:3]) == ([None, "\ufffd", None], b"\0\1\0")


@pytest.mark.parametrize(("kind", "count"), [(pa.uint8(), 200), (pa.uint16(), 40_000)], ids=str)
def test_an_index_without_sign_has_none(kind, count):
    column = pa.DictionaryArray.from_arrays(pa.array([count - 1, 0], kind), pa.array([b"a"] * (count - 1) + [b"\xff"]))
    assert_as_by_the_loop(column, [b"\xff", b"a"])


EDGES = bytes.fromhex("00 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FE FF")


def test_an_edge_byte_at_every_offset_of_a_short_row_is_judged_as_a_loop_judges_it():
    """A view of up to 12 bytes holds them itself: its ASCII is looked for in two words of eight that overlap."""
    text = "abcdé日😀".encode()
    rows = [b"", None, b"x" * 13]
    for size in range(14):
        for at, edge in itertools.product(range(size), EDGES):
            rows += [b"a" * 12, b"a" * at + bytes([edge]) + b"a" * (size - 1 - at)]
            rows.append(text[:at] + bytes([edge]) + text[at + 1 : size])
    expected, errors = plain_valid(rows), plain_errors(rows)
    for kind in TYPES:
        column = with_type(rows, kind)
        for first, count in ((0, len(rows)), (1, 70), (777, 901)):
            cut = first + count // 3
            chunks = pa.chunked_array([column[first:cut], column[cut : first + count]])
            assert listed(arrow.is_valid(column[first : first + count])) == expected[first : first + count], kind
            assert listed(arrow.is_valid(chunks)) == expected[first : first + count], kind
        assert listed(arrow.first_error(column.slice(5))) == errors[5:], kind


def test_bytes_of_null_rows_are_not_copied():
    """Rows are copied 64 at a time, but not where one is null: its bytes may be ill-formed."""
    offsets = pa.py_buffer(struct.pack("65i", *range(65)))
    validity = pa.py_buffer(b"\xff" * 7 + b"\xfe")
    column = pa.Array.from_buffers(pa.binary(), 64, [validity, offsets, pa.py_buffer(b"a" * 56 + b"\xff" + b"a" * 7)])
    assert pa.array(arrow.replace(column)).buffers()[2].to_pybytes() == b"a" * 63


@pytest.mark.parametrize("policy", ["fffd", "drop", "escape", "windows-1252", "fffd:per-byte", "shift_jis+drop"])
def test_rows_are_repaired_each_by_itself(policy):
    rows = [b"caf\xe9", b"\xe4\xbd", b"\xa0", None, b"fine", b"\x82\xb1"] * 30
    assert listed(arrow.replace(pa.array(rows), policy)) == plain_strings(rows, policy)


def test_an_unknown_policy_is_a_lookup_error_also_where_nothing_is_wrong():
    with pytest.raises(LookupError):
        arrow.replace(pa.array([b"a"]), "no-such-codec")


def test_chunks_stay_chunks_and_an_empty_stream_has_its_type():
    column = pa.chunked_array([[b"a", b"\xff"], [], [b"b"]], pa.binary())
    made = pa.chunked_array(arrow.is_valid(column))
    assert [chunk.to_pylist() for chunk in made.chunks] == [[True, False], [], [True]]
    empty = pa.chunked_array([], pa.binary())
    assert pa.chunked_array(arrow.is_valid(empty)).type == pa.bool_()
    assert pa.chunked_array(arrow.first_error(empty)).type == pa.struct(
        [("offset", pa.int64()), ("length", pa.int8()), ("code", pa.dictionary(pa.int8(), pa.string()))]
    )
    assert pa.chunked_array(arrow.replace(empty)).type == pa.large_string()


# ---- other libraries ---------------------------------------------------------------------------------------------

ROWS = [b"caf\xc3\xa9", b"caf\xe9", None, b"", b"x" * 20 + b"\xff", "日本".encode() * 9]


def test_polars_gives_and_takes_columns():
    polars = pytest.importorskip("polars", reason="needs polars: pip install polars")
    for series in (polars.Series(ROWS), polars.concat([polars.Series(ROWS), polars.Series(ROWS)], rechunk=False)):
        rows = series.to_list()
        assert polars.Series(arrow.is_valid(series)).to_list() == plain_valid(rows)
        assert polars.Series(arrow.first_error(series)).to_list() == plain_errors(rows)
        assert polars.Series(arrow.replace(series)).to_list() == plain_strings(rows)
        assert tuple(arrow.summary(series.to_frame())) == plain_summary(rows)
    assert polars.Series(arrow.is_valid(pa.array(ROWS))).to_list() == plain_valid(ROWS)
    assert_as_by_the_loop(polars.Series([None] * 70), [None] * 70)


# ---- what is refused ---------------------------------------------------------------------------------------------


def test_what_is_no_column_of_strings_is_a_type_error():
    refused = [
        *(lambda kind=kind: Foreign(kind, [None], 0) for kind in ("l", "+l", "w:3", "uu", "")),
        *(lambda kind=kind: Foreign(kind, [None], 0, dictionary=plain()) for kind in ("f", "cc", "u", "")),
        *(lambda many=many: Foreign("+s", [None], 0, children=[plain()] * many) for many in (0, 2)),
        lambda: Foreign("+l", [None], 0, children=[plain()]),
        lambda: coded([0], coded([0])),
        lambda: coded([0], Foreign("l", [None, None], 0)),
        lambda: changed(plain(), "schema", format=None),
        lambda: changed(coded([0]), "schema", format=None),
        lambda: changed(table(0), "schema", children=None),
        lambda: changed(table(0), "schema", children=(POINTER(Schema) * 2)()),
    ]
    for make, function in itertools.product(refused, (arrow.is_valid, arrow.first_error, arrow.replace, arrow.summary)):
        with pytest.raises(TypeError, match="rows have to be strings"):
            function(make())


@pytest.mark.parametrize("column", [7, b"abc", "text", [b"abc"], None], ids=repr)
def test_what_has_no_capsules_is_a_type_error(column):
    with pytest.raises(TypeError, match="__arrow_c_array__"):
        arrow.is_valid(column)


def test_capsules_in_the_wrong_order_are_a_type_error_and_are_not_released():
    column = plain()
    pair = column.__arrow_c_array__()
    for name, returned in (("array", pair[::-1]), ("stream", pair[0])):
        with pytest.raises(TypeError, match="expected a capsule"):
            arrow.is_valid(type("Wrong", (), {f"__arrow_c_{name}__": lambda self, returned=returned: returned})())
    assert column.released == []


@pytest.mark.parametrize("failing", [lambda self: 1 // 0, property(lambda self: 1 // 0)], ids=["call", "attribute"])
def test_an_error_of_the_library_is_raised(failing):
    for name in ("__arrow_c_array__", "__arrow_c_stream__"):
        with pytest.raises(ZeroDivisionError):
            arrow.is_valid(type("Failing", (), {name: failing})())
    column = plain()
    column.__class__ = type("Half", (Foreign,), {"__arrow_c_stream__": failing})
    assert listed(arrow.is_valid(column)) == [True, True]


def test_functions_and_methods_refuse_other_arguments():
    made = arrow.is_valid(pa.array([b"a"]))
    methods = made.__arrow_c_stream__, made.__arrow_c_array__
    for function in (_arrow.is_valid, _arrow.first_error, _arrow.replace, _arrow.summary, *methods):
        with pytest.raises(TypeError):
            function(1, 2, 3, 4)


@pytest.mark.parametrize("returned", [None, (), (1, 2, 3), [1, 2]], ids=repr)
def test_what_is_no_pair_of_capsules_is_a_type_error(returned):
    with pytest.raises(TypeError, match="has to return two capsules"):
        arrow.is_valid(type("Array", (), {"__arrow_c_array__": lambda self: returned})())


def numbers(kind, *values):
    return (kind * len(values))(*values)


def i32(*values):
    return numbers(ctypes.c_int32, *values)


def text(data):
    return ctypes.create_string_buffer(data, len(data))


def plain(offsets=(0, 1, 2), data=b"ab", **changes):
    arguments = {"format": "z", "buffers": [None, i32(*offsets), text(data)], "length": len(offsets) - 1} | changes
    return Foreign(**arguments)


def view(size, buffer=0, offset=0, prefix=b"abcd"):
    return struct.pack("<i4sii", size, prefix, buffer, offset)


def views(*each, data=b"abcdefghijklmnop", sizes=None, length=None):
    sizes = numbers(ctypes.c_int64, len(data) if sizes is None else sizes, 1 << 40)  # the last of no buffer
    return Foreign("vz", [None, text(b"".join(each)), text(data), sizes], len(each) if length is None else length)


def coded(indices, values=None, kind=ctypes.c_int8, format="c", **changes):
    return Foreign(format, [None, numbers(kind, *indices)], len(indices), dictionary=values or plain(), **changes)


def table(length, bits=None, *, column=None, **changes):
    return Foreign("+s", [bits and text(bits)], length, children=[column or plain()], **changes)


def changed(column, part="array", **fields):
    """Return *column*, whose array does not fit its schema any more."""
    for name, value in fields.items():
        setattr(getattr(column, part), name, value)
    return column


MAX_ROWS = ((1 << 63) - 1) // 32
# fmt: off
BROKEN = {
    "negative length": ("length or offset is negative", lambda: plain(length=-1)),
    "negative offset": ("length or offset is negative", lambda: plain(offset=-1)),
    "too long": ("array is too long", lambda: plain(length=MAX_ROWS + 1)),
    "too far": ("array is too long", lambda: plain(offset=MAX_ROWS + 1)),
    "the longest, and the farthest, without offsets": ("offsets or views are missing",
        lambda: plain(length=MAX_ROWS, offset=MAX_ROWS, buffers=[None, None, None])),
    "first offset negative": ("0: its offsets", lambda: plain((-1, 1, 2))),
    "last offset negative": ("1: its offsets", lambda: plain((0, 1, -2))),
    "offsets that decrease": ("1: its offsets", lambda: plain((0, 2, 1, 3))),
    "first offset above the second": ("0: its offsets", lambda: plain((2, 1, 2))),
    "an offset behind the last": ("0: its offsets", lambda: plain((0, 1 << 30, 2))),
    "no offsets": ("offsets or views are missing", lambda: plain(buffers=[None, None, text(b"ab")])),
    "no values": ("values are missing", lambda: plain((0, 2), buffers=[None, i32(0, 2), None])),
    "two buffers": ("number of buffers", lambda: plain(buffers=[None, i32(0, 1, 2)])),
    "four buffers": ("number of buffers", lambda: plain(buffers=[None, i32(0, 1, 2), text(b"ab"), None])),
    "more nulls than rows": ("null_count is wrong", lambda: plain(null_count=3)),
    "a null count below -1": ("null_count is wrong", lambda: plain(null_count=-2)),
    "nulls without their bits": ("does not say which rows", lambda: plain(null_count=1)),
    "children": ("has no children", lambda: plain(children=[plain()])),
    "64 bits, decreasing": ("0: its offsets",
        lambda: plain(format="Z", buffers=[None, numbers(ctypes.c_int64, 0, 1 << 40, 1), text(b"ab")])),
    "64 bits, endless": ("0: its offsets",
        lambda: plain(format="Z", buffers=[None, numbers(ctypes.c_int64, -(1 << 63), 0, 1), text(b"ab")])),
    "a view of negative size": ("0: its view", lambda: views(view(-1))),
    "a view behind its buffer": ("0: its view", lambda: views(view(13, 0, 4))),
    "a view behind the second of two buffers": ("0: its view", lambda: Foreign(
        "vz", [None, text(view(13, 1, 4)), text(b"x" * 16), text(b"x" * 16), numbers(ctypes.c_int64, 16, 16)], 1)),
    "a view with a large offset": ("0: its view", lambda: views(view(13, 0, (1 << 31) - 1))),
    "a view with a negative offset": ("0: its view", lambda: views(view(13, 0, -1))),
    "a view of a buffer that is not there": ("0: its view", lambda: views(view(13, 1))),
    "a view of a negative buffer": ("0: its view", lambda: views(view(13, -1))),
    "a view of a buffer of negative size": ("0: its view", lambda: views(view(13), sizes=-5)),
    "views without sizes": ("sizes of the buffers are missing",
        lambda: Foreign("vz", [None, text(view(13)), text(b"x" * 16), None], 1)),
    "views without a buffer": ("0: its view",
        lambda: Foreign("vz", [None, text(view(13)), None, numbers(ctypes.c_int64, 99)], 1)),
    "no views": ("offsets or views are missing", lambda: Foreign("vz", [None, None, None], 1)),
    "views with two buffers": ("number of buffers", lambda: Foreign("vz", [None, text(view(1))], 1)),
    "an index behind the dictionary": ("1: its index", lambda: coded([0, 2])),
    "a negative index": ("1: its index", lambda: coded([0, -1])),
    "nulls of indices without their bits": ("does not say which rows", lambda: coded([0], null_count=1)),
    "an index above 63 bits": ("0: its index", lambda: coded([(1 << 64) - 1], kind=ctypes.c_uint64, format="L")),
    "a dictionary with wrong offsets": ("a value of the dictionary", lambda: coded([0], plain((0, 2, 1)))),
    "a dictionary in the schema alone": ("dictionary is missing", lambda: changed(coded([0]), dictionary=None)),
    "a table of two columns that should have one": ("not the columns that its type has",
        lambda: changed(table(2), n_children=2)),
    "no list of columns": ("not the columns that its type has", lambda: changed(table(2), children=None)),
    "a list without its column": ("not the columns that its type has",
        lambda: changed(table(2), children=(POINTER(Array) * 2)(None, pointer(Array())))),
    "no list of buffers": ("buffers are missing", lambda: changed(plain(), buffers=None)),
    "no indices": ("indices are missing", lambda: Foreign("c", [None, None], 1, dictionary=plain())),
    "indices with three buffers": ("number of buffers",
        lambda: Foreign("c", [None, text(b"\0"), None], 1, dictionary=plain())),
    "a table with a short column": ("shorter than its table", lambda: table(5)),
    "a table with an offset behind its column": ("shorter than its table", lambda: table(2, offset=1)),
    "a table of negative length": ("length or offset is negative", lambda: table(-1)),
    "a table with nulls": ("rows of the table itself are null", lambda: table(2, b"\1", null_count=1)),
    "a table with nulls, not counted": ("rows of the table itself are null", lambda: table(2, b"\1", null_count=-1)),
    "a table of endless length": ("array is too long", lambda: table(MAX_ROWS + 1, b"\1", null_count=-1)),
}
# fmt: on


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_column_is_a_value_error_and_is_released_once(name):
    for function in (arrow.is_valid, arrow.first_error, arrow.replace, arrow.summary):
        message, make = BROKEN[name]
        column = make()
        row, _, what = message.rpartition(": ")
        where = f", row {row} of a chunk" if row else ""
        with pytest.raises(ValueError, match=f"^the column cannot be read{where}: [^:]*{what}[^:]*$"):
            function(column)
        assert sorted(column.released) == ["array", "schema"]


TWO = [
    None,
    text(view(13) + view(14, 1) + view(13, 1, 26) + view(13, 1, 13)),
    text(b"a" * 13),
    text(b"a" * 13 + b"\xff" * 13 + b"a" * 26),
]
# fmt: off
ODD = {
    "nothing": ([], lambda: plain((0,), b"", length=0, buffers=[None, None, None])),
    "empty rows": ([True, True], lambda: plain(buffers=[None, i32(5, 5, 5), None])),
    "no views": ([], lambda: views(view(12, prefix=b"\xff..."), length=0)),
    "views of two buffers, one before the other": ([True, False, True, False],
        lambda: Foreign("vz", [*TWO, numbers(ctypes.c_int64, 13, 52)], 4)),
    "a null": ([None], lambda: Foreign("vz", [text(b"\0"), text(view(-1)), None], 1, null_count=1)),
    "an index of a null": ([True, None],
        lambda: Foreign("c", [text(b"\1"), text(b"\0\x63")], 2, null_count=-1, dictionary=plain())),
    "no indices": ([], lambda: Foreign("c", [None, None], 0, dictionary=plain())),
    "a slice of a table": ([True], lambda: table(1, offset=1)),
    "no rows of a table": ([], lambda: table(0, column=plain(data=b"\xff\xff"))),
    "bits without nulls": ([False, True], lambda: plain(buffers=[text(b"\0"), i32(0, 1, 2), text(b"\xffa")])),
    "nulls that were not counted, without bits": ([True],
        lambda: plain(null_count=-1, offset=9, length=1, buffers=[None, i32(*range(11)), text(b"ab" * 9)])),
    "a table that has bits, but no nulls": ([True, True], lambda: table(2, b"\0")),
    "bits of a table that has no buffers": ([True, True], lambda: changed(table(2, b"\0", null_count=-1), n_buffers=0)),
    "bits of a slice of a table, not counted, and none is 0": ([False, True],
        lambda: table(2, b"\6", column=plain((0, 1, 2, 3), b"a\xffb"), null_count=-1, offset=1)),
}
# fmt: on


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_but_allowed_is_read(name):
    expected, make = ODD[name]
    assert listed(arrow.is_valid(make())) == expected


def test_an_emptied_capsule_is_a_value_error():
    column = plain()
    arrow.is_valid(column)
    with pytest.raises(ValueError, match="emptied"):
        arrow.is_valid(column)
    assert sorted(column.released) == ["array", "schema"]


# ---- lifetimes ---------------------------------------------------------------------------------------------------


def test_an_error_while_a_row_is_repaired_is_raised_and_all_is_released():
    for error, repaired in ((TypeError, bytes.hex), (ZeroDivisionError, lambda row: 1 // (not row))):
        column = plain(data=b"a\xff")
        with pytest.raises(error, match=r"a repaired string is bytes|by zero"):
            _arrow.replace(_kernel.entry_points()["scalar"][-1], column, repaired)
        assert sorted(column.released) == ["array", "schema"]


def test_each_part_of_a_stream_is_released_before_the_next_comes():
    parts = [plain(data=b"a\xff"), plain(), plain()]
    stream = ForeignStream(parts)
    assert listed(arrow.is_valid(stream)) == [True, False, True, True, True, True]
    assert stream.seen == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert stream.released == ["stream"]
    assert parts[0].released == ["array", "schema"]


@pytest.mark.parametrize("fails", ["schema", 0, 1, 2])
@pytest.mark.parametrize("text", [b"the disk is gone", None])
def test_a_stream_that_fails_is_an_os_error_with_its_message(fails, text):
    parts = [plain(), plain()]
    stream = ForeignStream(parts, fails=fails, text=text, writes=text is None)
    with pytest.raises(OSError, match="the disk is gone" if text else "no reason"):
        arrow.summary(stream)
    assert stream.released == ["stream"]
    assert [len(part.released) for part in parts] == [
        [0, 0], [1, 0], [2, 0], [2, 1],
    ][0 if fails == "schema" else fails + 1]  # fmt: skip


def test_a_stream_that_has_no_memory_is_a_memory_error():
    stream = ForeignStream([plain()])
    stream.stream.get_next = GetNext(lambda *_: errno.ENOMEM)
    with pytest.raises(MemoryError):
        arrow.is_valid(stream)
    assert stream.released == ["stream"]


# ---- the GIL -----------------------------------------------------------------------------------------------------


class KernelOf(ctypes.Structure):
    """utf8_kernel, as far as the module reads it: kernel/utf8_kernel.h."""

    _fields_ = [("name", ctypes.c_char_p), ("is_valid", ctypes.c_void_p), ("first_error", ctypes.c_void_p)]


HOLDS_GIL = ctypes.cast(ctypes.pythonapi.PyGILState_Check, ctypes.c_void_p).value  # 1 where the calling thread has it


@pytest.mark.parametrize("name", ["get_schema", "get_next"])
def test_a_stream_is_asked_without_the_gil(name):
    """Its threads may need it. A type that was not written is none; 1 would be an error."""
    stream = ForeignStream([plain()])
    setattr(stream.stream, name, {"get_schema": GetSchema, "get_next": GetNext}[name](HOLDS_GIL))
    if name == "get_schema":
        with pytest.raises(TypeError, match=r"type \(none\)"):
            arrow.is_valid(stream)
    else:
        assert len(arrow.is_valid(stream)) == 0


def test_columns_are_judged_and_errors_found_without_the_gil():
    holds_gil = KernelOf(None, HOLDS_GIL, HOLDS_GIL)
    assert listed(_arrow.is_valid(ctypes.addressof(holds_gil), plain())) == [False, False]
    found = listed(_arrow.first_error(ctypes.addressof(holds_gil), plain(data=b"\x80\x80")))
    assert [each["offset"] for each in found] == [0, 0]  # 1 is the end of the row


def test_a_broken_part_of_a_stream_ends_it_and_all_is_released():
    parts = [plain(), plain((0, 2, 1)), plain()]
    stream = ForeignStream(parts)
    with pytest.raises(ValueError, match="cannot be read"):
        arrow.replace(stream)
    assert (stream.released, [len(part.released) for part in parts]) == (["stream"], [2, 1, 0])


@pytest.mark.parametrize("function", [arrow.is_valid, arrow.first_error, arrow.replace], ids=lambda each: each.__name__)
def test_a_result_can_be_taken_again_and_lives_as_long_as_what_was_taken(function):
    column = pa.array([b"a", b"\xff", None] * 50)
    made = function(column)
    taken = [pa.array(made) for _ in range(3)]
    capsules = made.__arrow_c_array__()
    stream = made.__arrow_c_stream__()
    del made, capsules, stream
    gc.collect()
    assert taken[0].equals(taken[1])
    assert taken[1].to_pylist() == taken[2].to_pylist()


@pytest.mark.parametrize("column", [pa.array([b"a"]), pa.chunked_array([[b"a"]])], ids=["column", "chunks"])
def test_the_type_of_a_result_has_a_reference_of_each(column):
    kind = type(arrow.is_valid(column))
    references = sys.getrefcount(kind)
    results = [arrow.is_valid(column) for _ in range(100)]
    assert sys.getrefcount(kind) == references + 100
    del results
    assert sys.getrefcount(kind) == references
    with pytest.raises(TypeError, match="immutable"):
        kind.more = 1
    with pytest.raises(TypeError, match="cannot create"):
        kind()


def test_a_child_may_be_moved_out_and_released_on_its_own():
    made = arrow.first_error(pa.array([b"\xff"]))
    schema, array = made.__arrow_c_array__()
    whole, whole_schema = of(b"arrow_array", array), of(b"arrow_schema", schema)
    assert [whole_schema.children[i].contents.name for i in range(3)] == [b"offset", b"length", b"code"]
    child = type(whole)()
    ctypes.memmove(ctypes.byref(child), whole.children[0], ctypes.sizeof(child))
    whole.children[0].contents.release = type(child.release)()
    del made, schema, array
    gc.collect()
    assert ctypes.cast(child.buffers[1], ctypes.POINTER(ctypes.c_int64))[0] == 0
    child.release(ctypes.byref(child))
    assert not child.release


def test_what_is_released_is_empty_and_a_stream_ends_with_what_is_empty():
    made = arrow.first_error(pa.chunked_array([[b"\xff"], [b"a", b"b"]]))
    holder, out, schema = made.__arrow_c_stream__(), Array(), Schema()
    stream = of(b"arrow_array_stream", holder)
    assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0
    for rows in (1, 2, 0):
        ctypes.memset(ctypes.byref(out), 1, ctypes.sizeof(out))
        assert (stream.get_next(ctypes.byref(stream), ctypes.byref(out)), out.length) == (0, rows)
        if rows:
            out.release(ctypes.byref(out))
        assert not out.release
    for each in (schema, stream):
        each.release(ctypes.byref(each))
        assert not each.release


@pytest.mark.parametrize("place", [0, 1, 2], ids=["validity", "offsets", "indices"])
def test_what_leads_to_the_strings_may_change_once_it_was_looked_at(place, monkeypatch):
    """Another thread may do that, where it may write to a buffer; here it happens where ``replace`` calls Python."""
    buffers = bytearray(b"\x03"), bytearray(struct.pack("4i", 0, 1, 3, 4)), bytearray(struct.pack("3i", 0, 1, 2))
    validity, offsets, indices = map(pa.py_buffer, buffers)
    column = pa.Array.from_buffers(pa.binary(), 3, [validity, offsets, pa.py_buffer(b"a\xffbc")])
    if place == 2:
        column = pa.DictionaryArray.from_arrays(pa.Array.from_buffers(pa.int32(), 3, [None, indices]), column)
    expected = listed(arrow.replace(column))
    assert expected == ["a", "\N{REPLACEMENT CHARACTER}b", None]

    def spoil(row, policy):
        if row:
            buffers[place][:] = struct.pack("4i", *[0x3FFFFFFF] * 4)[: len(buffers[place])]
        return repair(row, policy)

    monkeypatch.setattr("utf8_abnf.files.repairing.repair", spoil)
    assert listed(arrow.replace(column)) == expected


def test_the_indices_of_a_column_are_read_once():
    """As above; the kernel, which comes in as an address, changes them here."""
    indices = bytearray(b"\1\0")

    @ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_size_t)
    def judge(data, size):
        indices[:] = b"\x7f\x7f"
        return True

    taken = pa.Array.from_buffers(pa.int8(), 2, [None, pa.py_buffer(indices)])
    column = pa.DictionaryArray.from_arrays(taken, pa.array([None, b"a"]))
    changing = KernelOf(None, ctypes.cast(judge, ctypes.c_void_p))
    assert listed(_arrow.is_valid(ctypes.addressof(changing), column)) == [True, None]
    assert indices == b"\x7f\x7f"
