"""The C library by itself: warnings, sanitizers, other machines under qemu, WebAssembly, dispatch."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar

pytestmark = pytest.mark.slow  # the C library knows no Python

WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
# One text in so many is judged: primes, for a stride of 4 would leave out three alignments in four. Before a release
# UTF8_ABNF_EXHAUSTIVE asks several times as many (RELEASING.md).
EXHAUSTIVE = bool(os.environ.get("UTF8_ABNF_EXHAUSTIVE"))
STRIDES = {"gcc": 3, "clang": 7, "qemu": 13} if EXHAUSTIVE else {"gcc": 17, "clang": 37, "qemu": 59}
SANITIZERS = {"gcc": "address,undefined", "clang": "memory"}
LIBRARY = ("dispatch", "scalar", "faults", "columns", "repair", "summary", "avx2", "avx512", "sse4", "neon", "wasm")


def program(name: str, how_to_get_it: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: {how_to_get_it}")
    return found


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Library:
    """The library as one compiler makes it with some options: compiled once, linked with several programs."""

    def __init__(self, root: Path, folder: Path, compiler: str, *options: str) -> None:
        kernel = root / "src" / "kernel"
        self.command = [compiler, "-g", *options, "-D_DEFAULT_SOURCE", *WARNINGS, f"-I{kernel}"]
        self.folder, self.tests = folder, root / "tests"
        self.objects = [folder / f"{name}.o" for name in LIBRARY]
        for name, target in zip(LIBRARY, self.objects, strict=True):
            run(*self.command, "-c", "-o", target, kernel / f"{name}.c")

    def program(self, name: str) -> Path:
        """Return the program that is made of tests/NAME.c and the library."""
        out = self.folder / Path(name).name
        if not out.exists():
            run(*self.command, "-o", out, self.tests / f"{name}.c", *self.objects)
        return out


@pytest.fixture(scope="module")
def plain(root: Path, tmp_path_factory) -> Library:
    """The library without any sanitizer, for which three tests ask."""
    compiler = program("gcc", "apt install gcc")
    return Library(root, tmp_path_factory.mktemp("plain"), compiler, "-O2", "-fno-pie", "-no-pie")


# Clang finds what it warns of before it optimizes; GCC also while it does. At -O0 GCC has macros for some intrinsics.
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("compiler", "level", "chosen"),
    [("gcc", "-O3", "*/*.c"), ("gcc", "-O0", "kernel/*[x0-9].c"), ("clang", "-O0", "*/*.c")],
)
def test_the_c_sources_compile_without_a_warning(
    root: Path, tmp_path: Path, compiler: str, level: str, chosen: str
) -> None:
    program(compiler, f"apt install {compiler}")
    python = sysconfig.get_path("include")
    if not (Path(python) / "Python.h").exists():
        pytest.skip("needs Python.h: apt install python3-dev")
    folders = [f"-I{root / 'src' / 'kernel'}", "-isystem", python, "-DPy_LIMITED_API=0x030B0000"]
    sources = list((root / "src").glob(chosen))
    assert len(sources) >= 2
    for source in sources:
        run(compiler, level, *WARNINGS, *folders, "-c", "-o", tmp_path / "object.o", source)


def test_all_kernels_agree_with_the_scalar_one_between_guard_pages(plain: Library) -> None:
    printed = run(plain.program("validator/differential"))
    assert printed.endswith("all agree\n")
    assert "every length 0..512" in printed


def test_what_names_counts_and_replaces_does_as_its_plain_twin(plain: Library) -> None:
    printed = run(plain.program("validator/twins"))
    assert printed.endswith("texts: every function does as its twin\n")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiler", SANITIZERS)
def test_a_sanitizer_finds_nothing(root: Path, tmp_path: Path, compiler: str) -> None:
    """Nor do the laws fail: of the kernels, of columns and of the loops that repair."""
    program(compiler, f"apt install {compiler}")
    sanitized = Library(
        root, tmp_path, compiler, "-O1", f"-fsanitize={SANITIZERS[compiler]}", "-fno-sanitize-recover=all"
    )
    assert run(sanitized.program("validator/differential"), str(STRIDES[compiler])).endswith("all agree\n")
    assert run(sanitized.program("validator/columns"), "3000") == "3000 columns: all laws hold\n"
    assert run(sanitized.program("files/repairing/laws"), "3000") == "3000 texts: all laws hold\n"


# The compiler, what it is called by Debian, what runs its programs here, and the kernels that they have.
TARGETS = {
    "AArch64": ("aarch64-linux-gnu-gcc", "libc6-dev-arm64-cross", "qemu-aarch64", "neon scalar"),
    "ARM32": ("arm-linux-gnueabihf-gcc", "libc6-dev-armhf-cross", "qemu-arm", "scalar"),
    "RISC-V": ("riscv64-linux-gnu-gcc", "libc6-dev-riscv64-cross", "qemu-riscv64", "scalar"),
    "s390x, big-endian": ("s390x-linux-gnu-gcc", "libc6-dev-s390x-cross", "qemu-s390x", "scalar"),
    "x86 of 32 bits": ("i686-linux-gnu-gcc", "libc6-dev-i386-cross", "qemu-i386", "scalar"),
    "musl": ("musl-gcc", "", "", ""),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", TARGETS)
def test_other_machines_give_the_same_answers(root: Path, tmp_path: Path, name: str, plain: Library) -> None:
    """Under qemu: all kernels and laws; the checksum of the scalar kernel's answers is that of this machine."""
    compiler, library, emulator, kernels = TARGETS[name]
    package = f"gcc-{compiler.removesuffix('-gcc')} {library}" if library else "musl-tools"
    command = [program(emulator, "apt install qemu-user")] if emulator else []
    built = Library(root, tmp_path, program(compiler, f"apt install {package}"), "-O1", "-static")
    stride = str(STRIDES["qemu"])
    printed = run(*command, built.program("validator/differential"), stride)
    if kernels:
        assert printed.startswith(f"kernels: {kernels}\n")
    assert printed.endswith("all agree\n")
    answers = [text for text in printed.splitlines() if text.startswith("answers ")]
    assert answers == [
        text for text in run(plain.program("validator/differential"), stride).splitlines() if text in answers
    ]
    assert run(*command, built.program("validator/columns"), "200") == "200 columns: all laws hold\n"
    assert run(*command, built.program("files/repairing/laws"), "300") == "300 texts: all laws hold\n"


# ---- the scalar kernel's automaton -----------------------------------------------------------------------------------


def test_the_scalar_kernels_table_is_the_grammars_automaton(root: Path, tmp_path: Path) -> None:
    """From START on each byte leads to the state that stands for the automaton's; NONE stands for its sink."""
    compiler = program("gcc", "apt install gcc")
    (tmp_path / "rows.c").write_text(
        '#include "scalar.c"\n#include <stdio.h>\n'
        'int main(void) { for (int i = 0; i < 256; i++) printf("%llx\\n", (unsigned long long)rows[i]); }\n'
    )
    run(compiler, "-w", f"-I{root / 'src/kernel'}", tmp_path / "rows.c", "-o", tmp_path / "rows")
    rows = [int(line, 16) for line in run(tmp_path / "rows").split()]
    start = int(re.search(r"\bSTART = (\d+)", (root / "src/kernel/scalar.c").read_text())[1])
    automaton = compile_grammar(Grammar.load("utf8")).minimal()
    stands_for, open_states = {start: automaton.start, 0: automaton.sink}, [start]
    while open_states:
        state = open_states.pop()
        for byte in range(256):
            after, expected = rows[byte] >> state & 63, automaton.step(stands_for[state], byte)
            if after not in stands_for:
                open_states.append(after)
            assert stands_for.setdefault(after, expected) == expected, f"{state} {byte:02X}"
    assert automaton.accepting == {automaton.start}
    assert len(stands_for) == len(set(stands_for.values())) == len(automaton.table) == 9
    assert all(row & 63 == 0 for row in rows)  # nothing follows NONE


# ---- WebAssembly -----------------------------------------------------------------------------------------------------


def run_wasm(root: Path, kernel: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Compile the kernel of SIMD128 and the scalar one, and compare them in node."""
    clang, node = program("clang", "apt install clang"), program("node", "apt install nodejs")
    program("wasm-ld", "apt install lld")
    folder = root / "tests" / "validator" / "wasm"
    options = ["--target=wasm32", "-msimd128", "-O2", "-ffreestanding", "-nostdlib", "-Wl,--no-entry,--export=room"]
    sources = [folder / "module.c", kernel / "wasm.c", kernel / "scalar.c"]
    run(clang, *options, *WARNINGS, f"-I{folder}", f"-I{kernel}", *sources, "-o", out)
    return subprocess.run([node, folder / "compare.mjs", out], capture_output=True, text=True, timeout=120)


def test_webassembly_agrees_with_the_scalar_kernel_in_node(root: Path, tmp_path: Path) -> None:
    done = run_wasm(root, root / "src" / "kernel", tmp_path / "kernels.wasm")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\d{5,} texts: all agree\n", done.stdout)


# ---- which kernel on which processor ---------------------------------------------------------------------------------

# The bits of Intel's manual (volume 2, CPUID): register and place.
BITS = {
    "ssse3": (0, 9), "sse4.1": (0, 19), "osxsave": (0, 27), "avx": (0, 28),
    "avx2": (1, 5), "bmi2": (1, 8), "avx512f": (1, 16), "avx512bw": (1, 30), "avx512vbmi": (2, 1),
}  # fmt: skip
OLD, AVX = ["ssse3", "sse4.1"], ["ssse3", "sse4.1", "osxsave", "avx"]
AVX2 = [*AVX, "avx2", "bmi2"]
AVX512 = [*AVX2, "avx512f", "avx512bw", "avx512vbmi"]


def without(features: list[str], *missing: str) -> list[str]:
    return [name for name in features if name not in missing]


# XCR0: bit 0 x87, 1 xmm, 2 ymm, 3 and 4 MPX, 5 to 7 AVX-512, 9 protection keys.
MACHINES = [
    ("K10: nothing after SSE4a", [], 0, "scalar"),
    ("Core 2 (Conroe): SSSE3, no SSE4.1", ["ssse3"], 0, "scalar"),
    ("Core 2 (Penryn), Nehalem, Westmere, Silvermont", OLD, 0, "sse4 scalar"),
    ("Westmere with XSAVE in use", [*OLD, "osxsave"], 3, "sse4 scalar"),
    ("Sandy Bridge, Bulldozer, Jaguar: AVX, no AVX2", AVX, 7, "sse4 scalar"),
    ("Haswell, Broadwell, Zen 1 to 3, Alder Lake", AVX2, 7, "avx2 sse4 scalar"),
    ("Skylake with MPX", AVX2, 0x1F, "avx2 sse4 scalar"),
    ("Knights Landing: AVX-512 without BW", [*AVX2, "avx512f"], 0xE7, "avx2 sse4 scalar"),
    ("Skylake-X, Cascade Lake: no VBMI", without(AVX512, "avx512vbmi"), 0x2FF, "avx2 sse4 scalar"),
    ("Ice Lake, Sapphire Rapids, Zen 4, Zen 5", AVX512, 0x2E7, "avx512 avx2 sse4 scalar"),
    ("Zen 4, a hypervisor hides BMI2", without(AVX512, "bmi2"), 0x2E7, "avx2 sse4 scalar"),
    ("Zen 4, a hypervisor hides AVX512BW", without(AVX512, "avx512bw"), 0x2E7, "avx2 sse4 scalar"),
    ("Zen 4, a hypervisor hides AVX512F", without(AVX512, "avx512f"), 0x2E7, "avx2 sse4 scalar"),
    ("Zen 4, a hypervisor hides AVX2", without(AVX512, "avx2"), 0x2E7, "sse4 scalar"),
    ("Zen 4, a hypervisor hides AVX", without(AVX512, "avx"), 0x2E7, "sse4 scalar"),
    ("Zen 4, a hypervisor hides SSE4.1", without(AVX512, "sse4.1"), 0x2E7, "avx512 avx2 scalar"),
    ("Zen 4, a hypervisor hides SSSE3", without(AVX512, "ssse3"), 0x2E7, "avx512 avx2 scalar"),
    ("Zen 4, the system saves no upper zmm16 to 31", AVX512, 0x67, "avx2 sse4 scalar"),
    ("Zen 4, the system saves no upper half of zmm", AVX512, 0xA7, "avx2 sse4 scalar"),
    ("Zen 4, the system saves no mask registers", AVX512, 0xC7, "avx2 sse4 scalar"),
    ("Zen 4, the system saves no ymm", AVX512, 0xE3, "sse4 scalar"),
    ("Zen 4, the system saves no xmm", AVX512, 0xE5, "sse4 scalar"),
    ("Zen 4, Linux started with noxsave: XCR0 does not count", without(AVX512, "osxsave"), 0xE7, "sse4 scalar"),
]


def asking(root: Path, dispatch: Path, out: Path, *options: str) -> Path:
    """Return tests/validator/dispatch.c, compiled with *dispatch*, a version of src/kernel/dispatch.c."""
    command = [program("gcc", "apt install gcc"), *WARNINGS, *options, f"-I{root / 'src/kernel'}"]
    run(*command, root / "tests/validator/dispatch.c", dispatch, "-o", out)
    return out


def chosen(root: Path, dispatch: Path, out: Path) -> list[str]:
    """Return the kernels that *dispatch* runs on each of MACHINES."""
    command, lines = [asking(root, dispatch, out)], []
    for _, features, saved, _ in MACHINES:
        registers = [0, 0, 0]
        for name in features:
            register, place = BITS[name]
            registers[register] |= 1 << place
        lines.append(" ".join(f"{each:x}" for each in (*registers, saved)))
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    return [line.strip() for line in done.stdout.splitlines()]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="x86 only: build on such a machine")
def test_each_processor_gets_its_kernels_and_every_question_counts(root: Path, tmp_path: Path) -> None:
    source = (root / "src/kernel/dispatch.c").read_text()
    expected = [kernels for *_, kernels in MACHINES]
    right = chosen(root, root / "src/kernel/dispatch.c", tmp_path / "right")
    assert {name: kernels for (name, *_), kernels in zip(MACHINES, right, strict=True)} == {
        name: kernels for name, *_, kernels in MACHINES
    }
    start = source.index("bool utf8_kernel_runs_on")
    names = re.findall(r"\b(?:LEAF|XCR0)\w+", source[start : source.index("bool utf8_kernel_runs(")])
    assert len(names) == 11
    for name in names:  # ask for nothing in its place
        body = re.sub(rf"\b{name}\b", "0", source[start:])
        (tmp_path / "dispatch.c").write_text(source[:start] + body)
        assert chosen(root, tmp_path / "dispatch.c", tmp_path / "wrong") != expected, name


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="x86 only: build on such a machine")
def test_the_processor_is_asked_only_what_it_can_answer(root: Path, tmp_path: Path, plain: Library) -> None:
    """Processors as QEMU has them; to read XCR0 on one of the first two, or to use AVX2 on Nehalem, ends a process."""
    emulator = program("qemu-x86_64", "apt install qemu-user")
    built = asking(root, root / "src/kernel/dispatch.c", tmp_path / "here", "-static")
    for model, kernels in (("Conroe", "scalar"), ("Penryn", "sse4 scalar"), ("Haswell", "avx2 sse4 scalar")):
        assert (model, run(emulator, "-cpu", model, built, "here")) == (model, kernels)
    assert run(emulator, "-cpu", "Nehalem", plain.program("validator/twins"), "9973").endswith("as its twin\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs nm: a Unix tool")
def test_the_library_has_one_variable_and_allocates_nothing(plain: Library) -> None:
    nm = program("nm", "apt install binutils")
    variables, calls = set(), set()
    for target in plain.objects:
        for line in run(nm, target).splitlines():
            kind, symbol = line.split()[-2:]
            if kind in "bBdDC":  # not r and R: constants
                variables.add(symbol.split(".")[0])
            elif kind == "U":
                calls.add(symbol)
    assert variables <= {"best"}  # the dispatch pointer
    calls.discard("memcpy")  # repair.c copies
    assert {
        symbol for symbol in calls if not symbol.startswith(("utf8_", "_GLOBAL_OFFSET_TABLE_", "__stack_chk"))
    } == set()
