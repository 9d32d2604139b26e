"""Mutation of the kernels and of their loops: change one constant, operator or table entry, and see a test fail.

``python tools/proof/mutation`` tries every mutant of every kernel that runs here and prints the survivors; each has
to be explained in survivors.toml. ``--sample N`` tries N mutants of each kernel, for a test run. ``--part I/N --json
FILE`` tries a part of them; ``merge FILE ...`` puts the files of all parts together and prints what one run prints.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

import parts  # noqa: E402

from utf8_abnf.conformance import proving  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "src" / "kernel"
HERE = Path(__file__).resolve().parent
SURVIVORS = HERE / "survivors.toml"
FARTHEST = 8192 + 4 * 128  # bytes: STRETCH + 4 * BLOCK of the widest kernel; a mutant is not measured by its own
SECONDS = 20  # of CPU: a mutant that takes longer hangs; the unspoilt kernels take three, and ten on a busy machine


@dataclass(frozen=True)
class Subject:
    """A kernel as the harness sees it: its file, the files whose text is mutated, its tables."""

    name: str
    mutated: tuple[str, ...]
    tables: tuple[str, ...]
    flags: tuple[str, ...]
    programs: tuple[tuple[str, str], ...] = ()  # tests in C that judge it, with their argument; else harness.c does


SUBJECTS = {
    "scalar": Subject("scalar", ("scalar.c",), (), ()),
    "sse4": Subject("sse4", ("sse4.c", "sixteen.h", "short.h", "stretches.h"), (), ("-msse4.1",)),
    "avx2": Subject(
        "avx2",
        ("avx2.c", "stretches.h", "wide.h", "half_bytes.h"),
        ("after_high", "after_low", "at_high"),
        ("-mavx2",),
    ),
    "avx512": Subject(
        "avx512",
        ("avx512.c", "stretches.h", "wide.h"),
        ("after_lead", "at_high"),
        ("-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512vbmi", "-mbmi2"),
    ),
    "faults": Subject("faults", ("faults.c",), (), (), (("validator/twins", "16"), ("files/repairing/laws", "900"))),
    "repair": Subject("repair", ("repair.c",), (), (), (("validator/twins", "16"), ("files/repairing/laws", "3000"))),
    "summary": Subject("summary", ("summary.c", "totals.h"), (), (), (("validator/twins", "16"),)),
    "columns": Subject("columns", ("columns.c",), (), (), (("validator/columns", "3000"),)),
}


@dataclass(frozen=True)
class Mutant:
    """One change: in *file*, the text from *start* to *end* becomes *new*."""

    file: str
    start: int
    end: int
    new: str
    line: int
    text: str  # the line as it stands
    old: str
    occurrence: int  # which `old` of that line, from 1

    @property
    def key(self) -> str:
        """What names the mutant in survivors.toml: neither moves nor comments change it."""
        which = f" ({self.occurrence})" if self.occurrence > 1 else ""
        change = "left out" if self.new == ";" else f"{self.old}{which} -> {self.new}"
        return f"{self.file}: {re.sub(r' */[*].*?[*]/', '', self.text).strip()}: {change}"


SWAPS = {
    "<=": ("<",), "<": ("<=",), ">=": (">",), ">": (">=",), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "&": ("|",), "|": ("&",), "^": ("|",), "+": ("-",), "-": ("+",), "+=": ("-=",), "++": ("--",), "%": ("+",),
    "!": (" ",), "~": (" ",), "*": (), "<<": (">>",), ">>": ("<<",),
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\\n)*|"(?:[^"\\]|\\.)*"|->)"""
    r"""|(?P<intrinsic>\b_mm\d*_(?P<operation>and|or|xor)_si\d+\b)"""
    r"""|(?P<number>\b(?:0x[0-9A-Fa-f]+|\d+)\b)|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<operator><<=|>>=|<<|>>|\+=|-=|\+\+|--|<=|>=|==|!=|&&|\|\||[<>&|^+\-%!~*])""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


# In a line of stretches.h that is for these kernels alone; AVX2 has the others.
OF_ITS_OWN = {
    "sse4": re.compile(r"WIDTH (== 16|< 32|!= 32)"),
    "avx512": re.compile(r"WIDTH == 64|precede|size < WIDTH"),
}
OPERATIONS = ("and", "or", "xor")
STATEMENT = re.compile(  # a call or an assignment, no declaration, and no second line of something longer
    r"^[ \t]+(?:if \([^\n]*?\) )?"
    r"(?P<statement>(?!return\b|_mm\d+_alignr|_mm\d+_maskz)\w+(?:->\w+)?(?:\([^\n;]*\)| [|+-]?= [^\n;/]*);)",
    re.MULTILINE,
)


NOT_ASKED = re.compile(
    r"^size_t utf8_subpart\(.*?^}\n", re.M | re.S
)  # by the harness: tests/files/repairing/laws.c asks it


def mutants(file: str, source: str) -> list[Mutant]:
    """Return every mutant of *source*: constants up and down, operators swapped, bits and statements left out."""
    source = NOT_ASKED.sub(lambda function: re.sub(r"[^\n]", " ", function[0]), source)
    out = [_mutant(file, source, match.span("statement"), ";", 1) for match in STATEMENT.finditer(source)]
    for match in TOKEN.finditer(source):
        old = match.group()
        if match["number"]:
            value = int(old, 0)
            form = "0x{:02X}" if old.startswith("0x") else "{}"
            news = [form.format(each) for each in (value + 1, value - 1) if each >= 0]
        elif match["operator"]:
            news = list(SWAPS.get(old, ()))
            if old in {"*", "&", "-"} and _unary(source, match.start()):
                news = []
        elif match["intrinsic"]:
            news = [old.replace(match["operation"], each) for each in OPERATIONS if each != match["operation"]]
        elif match["word"] and re.fullmatch(r"[A-Z]+(?:_[A-Z0-9]+)+", old) and old in BITS:
            news = ["0"]
        else:
            continue
        before = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        occurrence = 1 + sum(each.group() == old for each in TOKEN.finditer(before))
        out += [_mutant(file, source, match.span(), new, occurrence) for new in news]
    return out


def mutants_of(subject: Subject, folder: Path) -> list[Mutant]:
    """Return the mutants of *subject*; each of stretches.h is one kernel's."""
    every = [mutant for file in subject.mutated for mutant in mutants(file, (folder / file).read_text())]

    def tries(mutant: Mutant) -> bool:
        named = [name for name, lines in OF_ITS_OWN.items() if lines.search(mutant.text)]
        return mutant.file != "stretches.h" or subject.name in (named or ["avx2"])

    return [each for each in every if tries(each)]


def _mutant(file: str, source: str, span: tuple[int, int], new: str, occurrence: int) -> Mutant:
    line = source.count("\n", 0, span[0]) + 1
    text = source.splitlines()[line - 1]
    return Mutant(file, *span, new, line, text, source[slice(*span)], occurrence)


BITS = frozenset(
    ["NO_TAIL", "LONE_TAIL", "NEVER", "OVERLONG_2", "OVERLONG_3", "SURROGATE", "OVERLONG_4", "TOO_LARGE", "TWO_TAILS"]
)


def _unary(source: str, at: int) -> bool:
    before = source[:at].rstrip()
    return (
        before[-1:] in "(,=&|<>?:{"
        or before.endswith("return")
        or re.search(r"_t$|\bchar$|__m\d+i$|int$|void$", before) is not None
    )


def prepare(subject: Subject, folder: Path) -> list[str]:
    """Write what the harness reads into *folder*; return its arguments."""
    if subject.programs:
        return _prepare_library(subject, folder)
    oracle = proving.packed_automaton()
    kernel = next(each for each in proving.kernels() if each.name == subject.name)
    late = proving.certificate(kernel, oracle.never) if kernel.width else bytes(1 << 16)
    (folder / "oracle").write_bytes(oracle.with_certificate(late))
    (folder / "words").write_bytes(b"".join(bytes([len(word)]) + word for word in oracle.words))
    (folder / "edges").write_bytes(proving.edge_text(oracle.edges))
    shutil.copytree(KERNEL, folder / "kernel")  # what is judged must not change on the way
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-c", ROOT / "src/suite/prove.c", "-o", folder / "prove.o"], check=True)
    subprocess.run([compiler, "-O2", "-c", KERNEL / "scalar.c", "-o", folder / "scalar.o"], check=True)
    if subject.flags:  # to read this header takes longer than to compile the rest
        (folder / "wide_includes.h").write_text("#include <immintrin.h>\n")
        made = folder / "wide_includes.h.gch"
        command = [compiler, "-O1", *subject.flags, "-x", "c-header", folder / "wide_includes.h", "-o", made]
        subprocess.run(command, check=True)
    return [str(folder / each) for each in ("oracle", "words", "edges")]


def _prepare_library(subject: Subject, folder: Path) -> list[str]:
    """Compile what is not mutated: the other files of the kernel, and the programs that judge."""
    shutil.copytree(KERNEL, folder / "kernel")
    others = [
        path for path in KERNEL.glob("*.c") if not path.name.startswith("module") and path.name not in subject.mutated
    ]
    for source in (*others, *(ROOT / "tests" / f"{program}.c" for program, _ in subject.programs)):
        command = [os.environ.get("CC", "cc"), "-O2", "-w", f"-I{KERNEL}", "-c", source]
        subprocess.run([*command, "-o", folder / f"{source.stem}.o"], check=True)
    return []


def _build_programs(subject: Subject, folder: Path, sources: Path, target: Path) -> bool:
    """Link the programs with the mutant, and write a script that runs one after the other to *target*."""
    command, mutated = [os.environ.get("CC", "cc"), "-O2", "-w", f"-I{sources}"], subject.mutated[0]
    judges = [Path(program).name for program, _ in subject.programs]
    library = [path for path in folder.glob("*.o") if path.stem not in judges]
    for judge in judges:
        linked = [*command, sources / mutated, folder / f"{judge}.o", *library, "-o", target.with_name(judge)]
        if subprocess.run(linked, capture_output=True, check=False).returncode:
            return False
    runs = [
        f"{target.with_name(judge)} {argument}" for judge, (_, argument) in zip(judges, subject.programs, strict=True)
    ]
    target.write_text("#!/bin/sh\n" + " && ".join(runs) + "\n")
    target.chmod(0o755)
    return True


def build(subject: Subject, folder: Path, sources: Path, target: Path) -> bool:
    """Compile the harness around the kernel in *sources*; False when the compiler refuses."""
    if subject.programs:
        return _build_programs(subject, folder, sources, target)
    name = subject.name
    wide = name != "scalar"
    width = {"sse4": 16, "avx2": 32, "avx512": 64}.get(name, 0)
    speed = "-O1" if wide else "-O2"  # wide ones are asked little and compile long, the scalar kernel is asked much
    command = [os.environ.get("CC", "cc"), speed, "-w", *subject.flags, f"-I{sources}"]
    command += [
        f'-DKERNEL_SOURCE="{sources / f"{name}.c"}"',
        f"-DSAID=utf8_{name}",
        f"-DIS_VALID=utf8_{name}.is_valid",
        f"-DFIRST_ERROR=utf8_{name}.first_error",
        f"-DFAR_TEXT={int(wide)}",
        f"-DFARTHEST={FARTHEST}",
    ]
    command += [
        f"-DBLOCK_WIDTH={width}",
        f"-DLANES={f'lanes_{name}' if wide else 'NULL'}",
        f"-DSEQUENCE={0 if wide else 1}",
    ]
    command += ["-include", folder / "wide_includes.h"] if wide else []
    command += [f"-DTABLES={' '.join(f'TABLE({each})' for each in subject.tables)}"]
    command += [HERE / "harness.c", folder / "prove.o", *([folder / "scalar.o"] if wide else []), "-o", target]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def survives(subject: Subject, mutant: Mutant, folder: Path, arguments: list[str]) -> bool:
    """Whether *mutant* compiles and shows no difference."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        sources = Path(own)
        shutil.copytree(folder / "kernel", sources, dirs_exist_ok=True)
        source = (sources / mutant.file).read_text()
        (sources / mutant.file).write_text(source[: mutant.start] + mutant.new + source[mutant.end :])
        if not build(subject, folder, sources, sources / "harness"):
            return False
        return judged(sources / "harness", arguments).returncode == 0


def judged(harness: Path, arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run *harness*, and end it when it has used up its time: processor time, for the machine may be busy."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([harness, *arguments], capture_output=True, check=False, preexec_fn=limit)


def explained() -> dict[str, str]:
    """Return the survivors that are known to be the same function, each with the reason."""
    groups = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["same"]
    return {mutant: group["why"] for group in groups for line in group["mutants"] for mutant in _each_bit(line)}


def _each_bit(line: str) -> list[str]:
    """Return the mutants that a line stands for: of tables it names entries from..to, and several bits."""
    if (found := re.fullmatch(r"(.*)\[(\d+)(?:\.\.(\d+))?\] bit ([\d ]+)", line)) is None:
        return [line]
    table, first, last, bits = found.groups()
    entries = range(int(first), int(last or first) + 1)
    return [f"{table}[{entry}] bit {bit}" for entry in entries for bit in bits.split()]


def main() -> int:
    """Try the mutants and print the survivors; 1 when one is not explained."""
    parser = argparse.ArgumentParser(prog="tools/proof/mutation", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "kernels",
        nargs="*",
        metavar="SUBJECT",
        help=f"{', '.join(SUBJECTS)} (default: all that run here); or: merge FILE ..., the parts of a run",
    )
    parser.add_argument("--sample", type=int, help="only so many mutants of each kernel, the same ones every time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (default: processors)")
    parser.add_argument("--no-tables", action="store_true", help="leave out the table entries")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every Nth mutant, beginning with the Ith")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the survivors to FILE as JSON")
    args = parser.parse_args()
    if args.kernels[:1] == ["merge"]:
        found = parts.merged([parts.read(Path(name)) for name in args.kernels[1:]])
    else:
        parts.numbers(args.part)
        found = examined(args)
    if args.json:
        args.json.write_text(found.to_json(), encoding="utf-8")
    known = explained()
    return 1 if sum([report(group, known) for group in found.groups]) else 0


def examined(args: argparse.Namespace) -> parts.Part:
    """Try the mutants that *args* choose, and return what survived."""
    running = [kernel.name for kernel in proving.kernels() if kernel.name in SUBJECTS]
    running += [name for name, subject in SUBJECTS.items() if subject.programs]
    kernels, known = args.kernels or running, explained()
    sources = b"".join(path.read_bytes() for path in sorted(KERNEL.iterdir()))
    run = {
        "command": "mutation",
        "sources": hashlib.sha256(sources + (HERE / "harness.c").read_bytes()).hexdigest(),
        "sample": args.sample,
        "tables": not args.no_tables,
        "known": sorted(known) if args.sample else [],  # of which no sample has one
    }
    groups = []
    for name in kernels:
        groups += examine(SUBJECTS[name], args.sample, known, tables=not args.no_tables, jobs=args.jobs, part=args.part)
    return parts.Part(run, args.part, tuple(groups))


def examine(
    subject: Subject,
    sample: int | None,
    known: dict[str, str],
    *,
    tables: bool,
    jobs: int | None = None,
    part: str = "",
) -> list[parts.Group]:
    """Try *subject*'s mutants, or *part* of them, and the bits of its tables; return what survived of each."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        arguments = prepare(subject, folder)
        if not build(subject, folder, folder / "kernel", folder / "harness"):
            raise SystemExit(f"the harness does not compile around {subject.name}.c")
        if judged(folder / "harness", arguments).returncode:
            raise SystemExit(f"{subject.name} differs from the automaton without any mutation: see utf8-abnf prove")
        every = mutants_of(subject, folder / "kernel")
        if sample is not None:  # not of the explained: whether those live or die, nothing is wrong
            every = [mutant for mutant in every if mutant.key not in known]
            every = random.Random(subject.name).sample(every, min(sample, len(every)))  # noqa: S311
        group, table = parts.Group(subject.name), parts.Group(f"{subject.name}, tables")
        chosen = list(parts.part_of(enumerate(every), part))
        with ThreadPoolExecutor(jobs) as pool:
            verdicts = pool.map(lambda unit: survives(subject, unit[1], folder, arguments), chosen)
            for (number, mutant), alive in zip(chosen, verdicts, strict=True):
                group.done += 1
                if alive:
                    group.found[number] = [mutant.key]
                    print(f"survives: {mutant.key}", file=sys.stderr, flush=True)
        for number in parts.part_of(range(bool(subject.tables and tables)), part):
            command = [folder / "harness", *arguments, "tables"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            table.done, table.found[number] = 1, [f"{subject.name}: {line}" for line in done.stdout.splitlines()]
    return [group, table]


def report(group: parts.Group, known: dict[str, str]) -> int:
    """Print what survived of *group*; return how many of it are not explained."""
    survivors = [key for _, keys in sorted(group.found.items()) for key in keys]
    for key in survivors:
        print(f"{'  known' if key in known else 'NOT EXPLAINED'}  {key}")
    print(f"{group.name}: {group.done} done, {len(survivors)} survive", flush=True)
    return sum(key not in known for key in survivors)


if __name__ == "__main__":
    sys.exit(main())
