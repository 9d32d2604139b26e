"""The subjects of mutation: files of C, and the program or the tests in Python that judge each mutant of them."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from mutants import Mutant, mutants

import utf8_abnf
from utf8_abnf.conformance import proving

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
PACKAGE = Path(utf8_abnf.__file__).parent
CC = os.environ.get("CC", "cc")
FARTHEST = 8192 + 4 * 128  # bytes: STRETCH + 4 * BLOCK of the widest kernel; a mutant is not measured by its own
MOST_MEMORY = 1 << 34  # bytes of addresses: tests map more than 4 GiB
# A write behind memory of Python's or libc's ends its process, and memory is never 0 by chance.
GUARDED = "PYTHONMALLOC=debug MALLOC_PERTURB_=165 MALLOC_CHECK_=3 LD_PRELOAD=libc_malloc_debug.so.0"
TABLES = {"avx2": ("after_high", "after_low", "at_high"), "avx512": ("after_lead", "at_high")}
FLAGS = {
    "sse4": ("-msse4.1",),
    "avx2": ("-mavx2",),
    "avx512": ("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512vbmi", "-mbmi2"),
}


@dataclass(frozen=True)
class Subject:
    """Some files of src/, and what judges their mutants, which may take *seconds* of the processor."""

    name: str
    mutated: tuple[str, ...]
    seconds: int = 20
    runner: tuple[str, ...] = ()  # what runs the judge, such as an emulator

    @property
    def is_here(self) -> bool:
        """Whether it can be judged on this machine."""
        return True

    def prepare(self, folder: Path) -> list[str]:
        """Write what is compiled or read for every mutant to *folder*; return the judge's arguments."""
        raise NotImplementedError

    def build(self, folder: Path, sources: Path, target: Path, file: str = "") -> bool:
        """Make the judge, *target*, of *sources*, where *file* is mutated; False if it cannot be compiled."""
        raise NotImplementedError

    def judged(self, target: Path, arguments: list[str]) -> int:
        """Return the judge's exit status, 0 where no difference is found; one that hangs is ended by its time."""

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))

        try:
            return subprocess.run(
                [*self.runner, target, *arguments],
                cwd=ROOT,
                capture_output=True,
                timeout=15 * self.seconds,
                preexec_fn=limit,
            ).returncode
        except subprocess.TimeoutExpired:  # it waits for what never comes
            return 1

    def mutants(self, folder: Path) -> list[Mutant]:
        """Return all mutants of the sources in *folder*."""
        return [mutant for file in self.mutated for mutant in mutants(file, (folder / file).read_text())]


def copy_sources(folder: Path) -> Path:
    """Copy the C to one folder, and return it: what is judged must not change on the way."""
    for room in ("kernel", "arrow"):
        shutil.copytree(ROOT / "src" / room, folder / "sources", dirs_exist_ok=True)
    return folder / "sources"


# ---- kernels -----------------------------------------------------------------------------------------------------

# In a line of stretches.h that is for these kernels alone; AVX2 has the others.
OF_ITS_OWN = {
    "sse4": re.compile(r"WIDTH (== 16|< 32|!= 32)"),
    "avx512": re.compile(r"WIDTH == 64|precede|size < WIDTH"),
}
NOT_ASKED = re.compile(  # by the harness: tests/validator/twins.c asks it
    r"^size_t utf8_subpart\(.*?^}\n", re.M | re.S
)


@dataclass(frozen=True)
class Kernel(Subject):
    """A kernel, which harness.c compares with the automaton; under an emulator on one place or word in *every*."""

    flags: tuple[str, ...] = ()
    compiler: str = CC
    every: int = 1

    @property
    def is_here(self) -> bool:
        """Whether the kernel runs on this machine."""
        if self.runner:
            return None not in map(shutil.which, (self.compiler, *self.runner))
        return self.name in {kernel.name for kernel in proving.kernels()}

    def mutants(self, folder: Path) -> list[Mutant]:
        """Return those of the other files, and of the lines of stretches.h that this kernel is asked about."""

        def tries(mutant: Mutant) -> bool:
            named = [name for name, lines in OF_ITS_OWN.items() if lines.search(mutant.text)]
            return mutant.file != "stretches.h" or self.name in (named or ["avx2"])

        found = []
        for file in self.mutated:
            source = NOT_ASKED.sub(lambda function: re.sub(r"[^\n]", " ", function[0]), (folder / file).read_text())
            found += filter(tries, mutants(file, source))
        return found

    def prepare(self, folder: Path) -> list[str]:
        """Write the automaton, and compile what is not mutated."""
        oracle = proving.packed_automaton()
        words = oracle.words[:: 29 * self.every if self.runner else 1]
        (folder / "oracle").write_bytes(oracle.with_certificate(self.late(oracle.never)))
        (folder / "words").write_bytes(b"".join(bytes([len(word)]) + word for word in words))
        (folder / "edges").write_bytes(proving.edge_text(oracle.edges))
        sources = copy_sources(folder)
        for source in (ROOT / "src/suite/prove.c", sources / "scalar.c"):
            subprocess.run([self.compiler, "-O2", "-c", source, "-o", folder / f"{source.stem}.o"], check=True)
        if self.name in FLAGS:  # to read this header takes longer than to compile the rest
            header = folder / "wide_includes.h"
            header.write_text("#include <immintrin.h>\n")
            subprocess.run([CC, "-O1", *self.flags, "-x", "c-header", header, "-o", f"{header}.gch"], check=True)
        return [str(folder / each) for each in ("oracle", "words", "edges")]

    def late(self, never: bytes) -> bytes:
        """Return how many lanes later the kernel objects to a byte, by the byte and the one after it: see prove.h."""
        if self.runner:  # NEON objects to all that no text contains in the next lane
            return b"".join(bytes([byte in never]) * 256 for byte in range(256))
        kernel = next(each for each in proving.kernels() if each.name == self.name)
        return proving.certificate(kernel, never) if kernel.width else bytes(1 << 16)

    def build(self, folder: Path, sources: Path, target: Path, file: str = "") -> bool:
        """Compile harness.c around the kernel."""
        wide, width = self.name != "scalar", {"sse4": 16, "neon": 16, "avx2": 32, "avx512": 64}.get(self.name, 0)
        macros = {
            "KERNEL_SOURCE": f'"{sources / self.name}.c"',
            "SAID": f"utf8_{self.name}",
            "IS_VALID": f"utf8_{self.name}.is_valid",
            "FIRST_ERROR": f"utf8_{self.name}.first_error",
            "FAR_TEXT": int(wide and not self.runner),
            "EVERY": self.every,
            "FARTHEST": FARTHEST,
            "BLOCK_WIDTH": width,
            "LANES": f"lanes_{self.name}" if wide else "NULL",
            "SEQUENCE": int(not wide),
            "TABLES": " ".join(f"TABLE({each})" for each in TABLES.get(self.name, ())),
        }
        speed = "-O1" if wide else "-O2"  # wide ones are asked little and compile long, the scalar one is asked much
        command = [self.compiler, speed, "-w", *self.flags, f"-I{sources}"]
        command += [f"-D{name}={macros[name]}" for name in macros]
        command += ["-include", folder / "wide_includes.h"] if self.name in FLAGS else []
        objects = [folder / "prove.o", *([folder / "scalar.o"] if wide else [])]
        command += [HERE / "harness.c", *objects, "-o", target]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


# ---- what is linked ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Linked(Subject):
    """Files that are compiled one by one, and linked with files that stay as they are."""

    linked: tuple[str, ...] = ()  # patterns of all that is linked
    included: str = ""  # a header, of tests/, that comes before each file
    # The judge is a script. As a program, it would be busy while a child of another thread still has it open.
    runner: tuple[str, ...] = ("sh",)

    def compiled(self, source: Path, target: Path) -> bool:
        """Compile one file to *target*."""
        headers = [f"-I{source.parent}", f"-I{ROOT / 'src/kernel'}", "-isystem", sysconfig.get_path("include")]
        headers += ["-include", ROOT / "tests" / self.included] if self.included else []
        command = [CC, "-O2", "-w", "-fPIC", "-DPy_LIMITED_API=0x030B0000", *headers, "-c", source, "-o", target]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def prepare(self, folder: Path) -> list[str]:
        """Compile all files as they are."""
        sources = copy_sources(folder)
        (folder / "linked").mkdir()
        for source in {path for pattern in self.linked for path in sources.glob(pattern)}:
            if not self.compiled(source, folder / "linked" / f"{source.stem}.o"):
                raise SystemExit(f"{source.name} does not compile")
        return []

    def objects(self, folder: Path, sources: Path, target: Path, file: str) -> list[Path]:
        """Return what is to be linked, with *file* as it is in *sources*; nothing where that cannot be compiled."""
        changed = [file] if file.endswith(".c") else [each for each in self.mutated if each.endswith(".c")]
        made = [target.with_name(f"{Path(each).stem}.o") for each in changed]
        if not all(map(self.compiled, (sources / each for each in changed), made)):
            return []
        names = {each.name for each in made}
        return [*made, *(each for each in (folder / "linked").iterdir() if each.name not in names)]


@dataclass(frozen=True)
class Loops(Linked):
    """Loops that programs in C compare with plain twins: each program of tests/, with its argument."""

    programs: tuple[tuple[str, str], ...] = ()

    def prepare(self, folder: Path) -> list[str]:
        """Compile the programs, too."""
        (folder / "programs").mkdir()
        for program, _ in self.programs:
            self.compiled(ROOT / "tests" / f"{program}.c", folder / "programs" / f"{Path(program).name}.o")
        return super().prepare(folder)

    def build(self, folder: Path, sources: Path, target: Path, file: str = "") -> bool:
        """Link each program with the mutant, and make a script that runs one after the other."""
        objects, runs = self.objects(folder, sources, target, file), []
        for program, argument in self.programs:
            judge = target.with_name(f"{target.name}-{Path(program).name}")
            command = [CC, folder / "programs" / f"{Path(program).name}.o", *objects, "-o", judge]
            if not objects or subprocess.run(command, capture_output=True, check=False).returncode:
                return False
            runs.append(f"{judge} {argument}")
        target.write_text(" && ".join(runs) + "\n")
        return True


@dataclass(frozen=True)
class Module(Linked):
    """An extension module, judged by the tests of its room: the package they import has links to all the rest."""

    module: str = ""
    tests: tuple[str, ...] = ()

    def build(self, folder: Path, sources: Path, target: Path, file: str = "") -> bool:
        """Make the module in a package of its own, and a script that runs the tests with it."""
        place, objects = target.with_name(f"{target.name}-package"), self.objects(folder, sources, target, file)
        name = Path(self.module).name
        (built,) = (PACKAGE / self.module).parent.glob(f"{name}.*.so")
        kept = shutil.ignore_patterns(built.name)
        shutil.copytree(PACKAGE, place / "src/utf8_abnf", ignore=kept, copy_function=os.symlink)
        (place / "grammar").symlink_to(ROOT / "grammar")
        linked = [CC, "-shared", *objects, "-o", place / "src/utf8_abnf" / built.relative_to(PACKAGE)]
        if not objects or subprocess.run(linked, capture_output=True, check=False).returncode:
            return False
        tests = " ".join(f"tests/{each}" for each in self.tests)
        pytest = f"{sys.executable} -m pytest -q -x -p no:cacheprovider --hypothesis-seed=3629 {tests}"
        target.write_text(f"PYTHONPATH={place}/src {GUARDED} exec {pytest}\n")
        return True


# ---- all of them -------------------------------------------------------------------------------------------------

WIDE = ("stretches.h", "wide.h")
LIBRARY = ("[!am]*.c", "avx*.c")  # the kernels and their loops, without arrow_*.c and module*.c
TWINS = ("validator/twins", "1")
ALLOCATIONS = "test_an_allocation_that_fails_is_a_memory_error_and_nothing_else"
REPAIRING = (
    "test_c_repairs_as_python_does",
    "test_c_repairs_by_each_policy_as_python_does",
    "test_stretches_are_those_of_cpython",
)
ALL = (
    Kernel("scalar", ("scalar.c",)),
    Kernel("sse4", ("sse4.c", "sixteen.h", "short.h", "stretches.h"), flags=FLAGS["sse4"]),
    Kernel("avx2", ("avx2.c", *WIDE, "half_bytes.h"), flags=FLAGS["avx2"]),
    Kernel("avx512", ("avx512.c", *WIDE), flags=FLAGS["avx512"]),
    Kernel("neon", ("neon.c",), 90, ("qemu-aarch64",), ("-static",), "aarch64-linux-gnu-gcc", 47),
    Loops("faults", ("faults.c",), linked=LIBRARY, programs=(TWINS, ("validator/differential", "61"))),
    Loops("repair", ("repair.c",), linked=LIBRARY, programs=(TWINS, ("files/repairing/laws", "3000"))),
    Loops("summary", ("summary.c", "totals.h"), linked=LIBRARY, programs=(TWINS,)),
    Loops("columns", ("columns.c",), linked=LIBRARY, programs=(("validator/columns", "3000"),)),
    Module(
        "module",
        # module_made.h asks for the version of Python, of which a run has one
        ("module_shared.h", *sorted(path.name for path in (ROOT / "src/kernel").glob("module*.c"))),
        60,
        linked=("module*.c", *LIBRARY),
        module="validator/_kernel",
        tests=(
            *(f"validator/test_{name}.py" for name in ("module", "validator", "summary", "kernel")),
            *(f"files/repairing/test_repairing.py::{name}" for name in REPAIRING),
        ),
    ),
    Module(
        "arrow",
        tuple(sorted(path.name for path in (ROOT / "src/arrow").glob("*.[ch]"))),
        60,
        linked=("arrow_*.c", "columns.c", "faults.c", "scalar.c"),
        module="files/arrow/_arrow",
        tests=("files/arrow/test_arrow.py", f"validator/test_module.py::{ALLOCATIONS}"),
        included="files/arrow/failing.h",
    ),
)
SUBJECTS = {each.name: each for each in ALL}
