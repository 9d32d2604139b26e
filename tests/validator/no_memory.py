"""Let each allocation of each extension module fail in turn: test_module.py runs this file in a process of its own.

What a call does then has to be a MemoryError, or what it does otherwise; and it may keep no memory. Allocations by
libc's functions, not by Python's, fail for want of addresses (``RLIMIT_AS``). Where _arrow was compiled with
tests/files/arrow/failing.h, each fails in turn, in no other calls. Exit status 77: no ``_testcapi``, or ``resource``.
"""

import _imp
import ctypes
import gc
import os
import struct
import sys
from pathlib import Path

try:
    import resource
    from _testcapi import remove_mem_hooks, set_nomemory
except ImportError:
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[1] / "files" / "arrow"))
from capsules import Foreign, ForeignStream

from utf8_abnf import IncrementalValidator, are_valid, first_error, kernel
from utf8_abnf.conformance import proving
from utf8_abnf.conformance.suite import _suite
from utf8_abnf.conformance.suite.plan import plan
from utf8_abnf.files.arrow import _arrow
from utf8_abnf.validator import _kernel

MAX_ROUNDS = 100  # the first ones, some 30 at times, fill caches and free lists of Python; a leak grows in every one
MAX_ALLOCATIONS = 40  # of a call; to make a module takes more
GOOD, BAD, LARGE = "café".encode(), b"ab\xed\xa0\x80", bytearray(b"a" * 600_000 + b"\xff")

LIBRARY = ctypes.CDLL(_arrow.__file__)
COUNTED = hasattr(LIBRARY, "live_allocations")
COUNTDOWN, LIVE = (
    ctypes.c_long.in_dll(LIBRARY, name) if COUNTED else ctypes.c_long()
    for name in ("allocations_until_failure", "live_allocations")
)

# ---- what is called ----------------------------------------------------------------------------------------------

BEST = kernel.name
IS_VALID, FIRST_ERROR, *_, KERNEL = _kernel.entry_points()[BEST]
MACHINE = plan().oracle.machine
SINK = 8
PARTS = (tuple(bytes([byte]) for byte in range(40)),) * 2
JUDGED = (PARTS, IS_VALID, bytes(8), b"\0", 0, 0, 2000, 0)
ORACLE = proving.packed_automaton().with_certificate()
POLICY = bytes(512 + 4 * 256 + 3)


def foreign(index):
    rows = (BAD, GOOD, b"x" * 40)
    ends = [0, *(sum(map(len, rows[: at + 1])) for at in range(len(rows)))]
    offsets, values = (ctypes.c_int32 * 4)(*ends), ctypes.create_string_buffer(b"".join(rows))
    strings = Foreign("z", [None, offsets, values], 3)
    return strings if index is None else Foreign("c", [None, (ctypes.c_int8 * 4)(*index)], 4, dictionary=strings)


def column(index=None, chunks=None):
    """Strings of our own, which take no Python code to be read: in one piece or in chunks, or with a dictionary."""
    made = ForeignStream([foreign(index) for _ in range(chunks)]) if chunks else foreign(index)
    return _arrow.replace(KERNEL, made, lambda row: row)


def made_again(module):
    """Make another module of an extension, as a subinterpreter does; return how many types are in it."""
    made = _imp.create_dynamic(module.__spec__)
    _imp.exec_dynamic(made)
    return sum(isinstance(each, type) for each in vars(made).values())


def by_python(call, *arguments):
    """Call it with the kernel "python", which asks modules in Python."""
    _kernel.use("python")
    try:
        return call(*arguments)
    finally:
        _kernel.use(BEST)


def kinds(*made):
    return [type(each).__name__ for each in made]


def judged(function, *arguments):
    made = function(KERNEL, *arguments)
    return type(made).__name__, len(made)


validator, cut = IncrementalValidator(), IncrementalValidator()
validator.feed(b"\xff")
cut.feed(b"\xe4\xbd")
plain, indexed, chunked = column(), column((0, 1, 2, 0)), column((0, 1, 2, 0), 2)
WORK = {
    **{f"import {each.__name__}": lambda each=each: made_again(each) for each in (_kernel, _suite, _arrow)},
    "first_error": lambda: first_error(BAD),
    "errors_from": lambda: _kernel.errors_from(BAD, 0, 9),
    "large": lambda: _kernel.errors_from(LARGE, 0, 9),
    "are_valid": lambda: are_valid([GOOD, BAD, GOOD]),
    "count": lambda: _kernel.count_by_code(BAD),
    "available": _kernel.available,
    "entry_points": _kernel.entry_points,
    "new": lambda: kinds(IncrementalValidator()),
    "feed": lambda: IncrementalValidator().feed(BAD),
    "cut": lambda: cut.pending,
    "getstate": lambda: (validator.getstate(), cut.getstate(), validator.__reduce__()),
    "summary, faults": lambda: _kernel.summarize(BAD * 99),
    "summary, counts": lambda: _kernel.count_well_formed(GOOD * 99),
    "repair": lambda: _kernel.repair(BAD * 99, True, POLICY),
    "repair, none": lambda: _kernel.repair(GOOD, True, POLICY),
    "stretch": lambda: _kernel.stretch(b"a" * 400 + BAD, 0, 405, 9),
    "python, feed": lambda: by_python(IncrementalValidator().feed, BAD),
    "python, is_valid": lambda: by_python(are_valid, [GOOD, b"a" * 300 + BAD]),
    "python, repair": lambda: by_python(_kernel.repair, BAD * 99, True, POLICY),
    "python, errors_from": lambda: by_python(_kernel.errors_from, BAD, 0, 9),
    "prove": lambda: _suite.positions(IS_VALID, FIRST_ERROR, ORACLE, b"a", b"\xff", 1, 6, 6, 2),
    "prove, fault": lambda: _suite.text(proving.kernels()[0].lanes, 8, bytes(len(ORACLE)), b"a\xffaaaaaaaaa"),
    "frames": lambda: _suite.frames(*MACHINE, PARTS, 0),
    "judge": lambda: _suite.judge(*MACHINE, *JUDGED),
    "judge, failures": lambda: _suite.judge(MACHINE[0], bytes(len(MACHINE[1])), MACHINE[2], *JUDGED),
    "answers": lambda: _suite.answers(*MACHINE, SINK, "p", struct.pack("<I", 5) + BAD),
    "column, is_valid": lambda: judged(_arrow.is_valid, plain),
    "column, chunks": lambda: judged(_arrow.is_valid, chunked),
    "column, first_error": lambda: judged(_arrow.first_error, plain),
    "column, dictionary": lambda: judged(_arrow.first_error, indexed),
    "column, replace": lambda: judged(_arrow.is_valid, _arrow.replace(KERNEL, plain, bytes)),
    "column, replace by index": lambda: judged(_arrow.is_valid, _arrow.replace(KERNEL, indexed, bytes)),
    "column, summary": lambda: _arrow.summary(KERNEL, chunked),
    "column, schema": lambda: kinds(indexed.__arrow_c_schema__()),
    "column, array": lambda: kinds(*_arrow.first_error(KERNEL, indexed).__arrow_c_array__(requested_schema=None)),
    "column, stream": lambda: kinds(_arrow.first_error(KERNEL, chunked).__arrow_c_stream__(requested_schema=None)),
}
if COUNTED:  # AddressSanitizer keeps two blocks of each import
    chosen = "column" if "libasan" in os.environ.get("LD_PRELOAD", "") else ("column", "import utf8_abnf.files")
    WORK = {name: call for name, call in WORK.items() if name.startswith(chosen)}


# ---- and what comes of it ----------------------------------------------------------------------------------------


def let_libc_fail(number, _):
    COUNTDOWN.value = number + 1


def refused(name, call, expected, fail=set_nomemory):
    """Let each allocation of *call* fail, and return how many did."""
    found = unset = 0
    held = LIVE.value
    is_import = name.startswith("import")
    may_be_unset = expected if is_import else 0  # CPython 3.11 sets no exception for one allocation of each type
    for number in range(3 * MAX_ALLOCATIONS if is_import else MAX_ALLOCATIONS):
        result, error = expected, None
        fail(number, number + 1)  # the one after *number*
        try:
            result = call()
        except BaseException as raised:
            error = type(raised)
        remove_mem_hooks()
        COUNTDOWN.value = 0
        unset += error is SystemError
        assert error in {None, MemoryError, SystemError}, (name, number, error)
        assert unset <= may_be_unset, (name, number)
        assert result == expected, (name, number, result)
        found += error is not None
        assert LIVE.value == held, (name, number, "keeps memory of libc's", LIVE.value - held)
    return found


def no_addresses_left():
    """Let libc's allocations fail, as far as they need a page that the process does not have."""
    frames = struct.pack("<II", (1 << 23) + 4, 1 << 21) + bytes(1 << 23)  # 2^21 chunks of no bytes
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (1, hard))
    try:
        _suite.answers(*MACHINE, SINK, "s", frames)
    except MemoryError:
        return
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    raise AssertionError("answers had memory")


def grown(name, call, expected):
    """Return how many blocks of memory *call*, refused, keeps each time."""
    gc.collect()
    blocks = sys.getallocatedblocks()
    assert refused(name, call, expected) > 0, name
    gc.collect()
    return sys.getallocatedblocks() - blocks - 1  # the number itself


def main():
    expected = {name: call() for name, call in WORK.items()}
    failures = 0
    for name, call in WORK.items():
        failures += COUNTED and refused(name, call, expected[name], let_libc_fail)
        assert any(grown(name, call, expected[name]) <= 0 for _ in range(MAX_ROUNDS)), f"{name} leaks"
        assert call() == expected[name], name
    if not COUNTED:
        no_addresses_left()
    print("every failure is a MemoryError", failures)


if __name__ == "__main__":
    main()
