"""Every kernel that runs here gives CPython's verdict and positions, and its tables are those of the grammar."""

from __future__ import annotations

import itertools
import mmap
import os
import platform
import re
import subprocess
import sys

import pytest

from utf8_abnf import first_error, is_valid, kernel
from utf8_abnf.validator import _python


@pytest.fixture(params=kernel.available)
def each(request):
    before = kernel.name
    kernel.use(request.param)
    yield request.param
    kernel.use(before)


def by_cpython(data: bytes) -> tuple[int, int] | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start, error.end
    return None


def assert_as_cpython(data: bytes) -> None:
    error = first_error(data)
    found = None if error is None else (error.start, error.end)
    assert found == by_cpython(data), data.hex(" ")
    assert is_valid(data) == (found is None), data.hex(" ")


# ---- the tables, from the grammar --------------------------------------------------------------------------------


def rows(root) -> list[list[range]]:
    """Read the alternatives of UTF8-1 to UTF8-4 off the grammar file: for each, the range of every byte."""
    text = re.sub(r";.*", "", (root / "grammar" / "utf8.abnf").read_text())
    text = re.sub(r"\b(\d)\( UTF8-tail \)", lambda found: " UTF8-tail" * int(found[1]), text)
    rules = dict(re.findall(r"^(UTF8-\w+)\s*=((?:.|\n )*)", text, re.MULTILINE))

    def ranges(word: str) -> range:
        low, high = re.fullmatch(
            r"%x(\w\w)(?:-(\w\w))?", rules["UTF8-tail"].strip() if word == "UTF8-tail" else word
        ).groups()
        return range(int(low, 16), int(high or low, 16) + 1)

    alternatives = [line for number in "1234" for line in rules[f"UTF8-{number}"].split("/")]
    return [[ranges(word) for word in line.split()] for line in alternatives]


def tables(root, *files: str) -> tuple[dict[str, int], dict[str, list[int]]]:
    """Read the named bits and the tables off C sources."""
    kernel_folder = root / "src" / "kernel"
    names: dict[str, int] = {}
    found: dict[str, list[int]] = {}
    for file in files:
        text = re.sub(r"/\*(.|\n)*?\*/|#.*", "", (kernel_folder / file).read_text())
        for body in re.findall(r"enum \{([^}]*)\}", text):
            for name, value in re.findall(r"(\w+) = ([^,}]+)", body):
                names[name] = eval(value, {}, names)
        for name, size, body in re.findall(r"static const uint8_t (\w+)\[(\d+)\] = \{([^}]*)\}", text):
            while "TWICE" in body:
                body = re.sub(r"TWICE\(([^()]*)\)", r"*[\1] * 2", body)
            entries = eval(f"[{body}]", {}, names)
            assert len(entries) == int(size)
            found[name] = entries
    return names, found


def expected_bits(p1: int, b0: int, rows: list[list[range]], names: dict[str, int]) -> int:
    """What is wrong with *b0* right after *p1*, by the grammar's ranges alone."""
    tail = rows[-1][-1]
    leads = [row for row in rows if len(row) > 1]
    if b0 not in tail:
        return names["NO_TAIL"] if p1 >= tail.stop else 0
    if p1 in tail:
        return names["TWO_TAILS"]
    if p1 < tail.start:
        return names["LONE_TAIL"]
    if any(p1 in row[0] and b0 in row[1] for row in leads):
        return 0
    if p1 < leads[0][0].start:
        return names["OVERLONG_2"]
    longest = [row for row in leads if len(row) == 4]
    if p1 > longest[-1][0][-1] or p1 == longest[0][0].start:  # above all leads, or F0
        return names["BAD_8X"] if b0 < longest[0][1].start else names["TOO_LARGE"]
    if p1 == longest[-1][0][-1]:  # F4
        return names["TOO_LARGE"]
    row = next(row for row in leads if p1 in row[0])
    return names["OVERLONG_3"] if b0 < row[1].start else names["SURROGATE"]


def test_the_tables_by_half_bytes_are_the_grammars(root):
    names, found = tables(root, "wide.h", "half_bytes.h")
    grammar = rows(root)
    assert len(grammar) == 9
    for p1, b0 in itertools.product(range(256), repeat=2):
        bits = found["after_high"][p1 >> 4] & found["after_low"][p1 & 15] & found["at_high"][b0 >> 4]
        assert bits == expected_bits(p1, b0, grammar, names), f"{p1:02X} {b0:02X}"


def test_the_tables_of_64_entries_are_the_grammars(root):
    names, found = tables(root, "wide.h", "avx512.c")
    grammar = rows(root)
    for p1, b0, next_byte in itertools.product(range(256), range(256), range(4)):
        after = found["after_lead"][p1 & 63] if p1 >= 0xC0 else names["TWO_TAILS"]
        bits = after & found["at_high"][b0 >> 4 | next_byte << 4]
        expected = expected_bits(p1, b0, grammar, names)
        if expected == names["LONE_TAIL"]:  # on purpose: the length test catches it
            expected = names["TWO_TAILS"]
        assert bits == expected, f"{p1:02X} {b0:02X}"


@pytest.mark.parametrize("padding", [0, 100], ids=["short", "in blocks"])
def test_the_edges_of_every_line_of_the_grammar_are_accepted(root, each, padding):
    for row in rows(root):
        for character in itertools.product(*({span[0], span[-1]} for span in row)):
            assert is_valid(b"a" * padding + bytes(character)), bytes(character).hex(" ")


# ---- against CPython's decoder -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1 << 16, 1 << 20])
def test_positions_in_large_texts_are_cpythons(each, size):
    text = bytearray(("a\u00e9\u4f60\U0001f600" * (size // 10)).encode())
    for at in (0, 1, 8191, 8192, 8193, size // 2, len(text) - 3, len(text) - 2, len(text) - 1):
        kept, text[at] = text[at], 0xFF
        assert_as_cpython(bytes(text))
        text[at] = kept


@pytest.mark.parametrize("fault", [b"\xff", b"\xc0", b"\x80", b"\xf0\x9f\x98"], ids=lambda word: word.hex(" "))
def test_a_fault_around_every_early_exit_has_cpythons_position(each, fault):
    text = "\u00e9".encode() * 10000
    for at in (*range(8180, 8350), *range(9100, 9300), *range(16370, 16530)):
        assert_as_cpython(text[: at - at % 2] + b"a" * (at % 2) + fault + text)


@pytest.mark.sampled(2)
def test_an_offset_above_4_gib_is_found(each):
    size = (4 << 30) + 3
    try:
        zeros = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # never written: it takes no memory
    except (OSError, OverflowError) as error:
        pytest.skip(f"needs an address space of 4 GiB, a 64-bit machine: {error}")
    with zeros:
        zeros[size - 1] = 0xC3
        error = first_error(zeros)
        assert error is not None
        assert (error.start, error.truncated) == (size - 1, True)


# ---- the switch --------------------------------------------------------------------------------------------------


def processor_features() -> set[str]:
    try:
        with open("/proc/cpuinfo") as file:
            return set(re.search(r"^(?:flags|Features)\s*:(.*)", file.read(), re.MULTILINE)[1].split())
    except (OSError, TypeError):
        pytest.skip("needs /proc/cpuinfo: run on Linux")


@pytest.mark.parametrize("name", kernel.NAMES)
def test_a_kernel_is_available_exactly_where_the_machine_has_its_instructions(name):
    try:
        from utf8_abnf.validator import _kernel  # noqa: F401
    except ImportError:
        assert kernel.available == ("python",)
        return
    features = processor_features()
    wide = {"avx512f", "avx512bw", "avx512vbmi", "bmi2"}
    needs = {"avx512": wide, "avx2": {"avx2"}, "sse4": {"ssse3", "sse4_1"}, "neon": {"asimd"}, "wasm": {"wasm"}}.get(
        name, set()
    )
    if name == "neon" and platform.machine() != "aarch64":
        assert name not in kernel.available
    else:
        assert (name in kernel.available) == (needs <= features)


def test_the_best_kernel_comes_first_and_python_last():
    assert kernel.available == tuple(name for name in kernel.NAMES if name in kernel.available)
    assert kernel.available[-1] == "python"


def test_use_switches_and_name_tells(each):
    assert kernel.name == each


@pytest.mark.parametrize(
    "name", ["", "avx1024", "AVX2", "scalar\0", "\udcff", "neon" if platform.machine() != "aarch64" else "avx2"]
)
def test_a_kernel_that_does_not_run_here_is_refused_with_the_list(name):
    before = kernel.name
    with pytest.raises(ValueError, match=r"available: .*python") as refusal:
        kernel.use(name)
    assert repr(name) in str(refusal.value)  # repr: nothing that a terminal would act on
    assert kernel.name == before


def python(code: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables, timeout=60)


@pytest.mark.parametrize("name", kernel.available)
def test_the_environment_variable_chooses_the_kernel(name):
    done = python("import utf8_abnf; print(utf8_abnf.kernel.name)", UTF8_ABNF_KERNEL=name)
    assert (done.stdout, done.stderr) == (name + "\n", "")


@pytest.mark.parametrize("name", ["sse9", "\udcff"], ids=ascii)
def test_a_variable_that_names_no_kernel_warns_and_the_best_decides(name):
    done = python("import utf8_abnf; print(utf8_abnf.kernel.name)", UTF8_ABNF_KERNEL=name)
    assert done.stdout == kernel.available[0] + "\n"
    assert f"UTF8_ABNF_KERNEL: the kernel {name!r} does not exist; available: " in done.stderr


def test_without_the_extension_pythons_decoder_decides():
    code = (
        "import sys; sys.modules['utf8_abnf.validator._kernel'] = None\n"
        "import utf8_abnf as u\n"
        "print(u.kernel.name, u.kernel.available, u.is_valid(b'\\xff'), u.first_error(b'a\\xff').start)"
    )
    assert python(code, UTF8_ABNF_KERNEL="").stdout == "python ('python',) False 1\n"


# ---- threads and interpreters ------------------------------------------------------------------------------------


def test_a_subinterpreter_has_the_validator_and_shares_the_kernel_in_use():
    code = f"""
import sys
try:
    import _interpreters as interpreters  # 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
sys.path[:] = {sys.path!r}
import utf8_abnf
utf8_abnf.kernel.use("python")
other = interpreters.create()
failure = interpreters.run_string(other, '''
import sys
sys.path[:] = {sys.path!r}
import utf8_abnf
assert utf8_abnf.kernel.name == "python", utf8_abnf.kernel.name
assert utf8_abnf.first_error(b"a" * 100 + b"\\\\xff").start == 100
utf8_abnf.kernel.use("scalar")
''')
assert failure is None, failure
interpreters.destroy(other)
assert utf8_abnf.kernel.name == "scalar"
print("fine")
"""
    done = python(code, UTF8_ABNF_KERNEL="")
    assert done.stdout == "fine\n", done.stderr


@pytest.mark.thorough
def test_a_subinterpreter_with_a_gil_of_its_own_loads_every_extension(root):
    """From CPython 3.12 on, a module that does not say that it can is refused there."""
    path = [str(root / "tools" / "wheel_parts"), *sys.path]
    code = f"""
try:
    import _interpreters as interpreters  # 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
failure = interpreters.run_string(other, "import sys; sys.path[:] = {path!r}; import check_wheel")
assert failure is None, failure
interpreters.destroy(other)
print("fine")
"""
    done = python(code, UTF8_ABNF_KERNEL="")
    assert done.stdout == "fine\n", done.stderr


def test_every_extension_says_that_it_needs_no_gil(root):
    """Free-threaded CPython turns the GIL on where one does not. Asked of the source: most Pythons have a GIL."""
    files = [path for path in root.glob("src/*/*.c") if "PyMODINIT_FUNC PyInit" in path.read_text(encoding="utf-8")]
    assert [path.name for path in files if "{ return make_module(&" not in path.read_text(encoding="utf-8")] == []
    assert len(files) == 3
    assert "{SLOT_GIL, GIL_NOT_USED}" in (root / "src/kernel/module_made.h").read_text(encoding="utf-8")


def test_the_python_module_has_every_name_that_the_c_module_has():
    try:
        from utf8_abnf.validator import _kernel
    except ImportError:
        pytest.skip("needs the C extension: install a compiler, then pip install")
    ours = {name for name in dir(_kernel) if not name.startswith("_")}
    ours -= {"entry_points", "repair", "stretch"}  # files.repairing has the twins of the last two
    assert ours <= set(dir(_python))
