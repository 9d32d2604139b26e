"""The C extensions of every system, compiled on this one by zig: a target in, the files of its wheel out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

STABLE_ABI = "0x030B0000"
COMPILE = ["-std=c11", "-O2", "-g0", "-DNDEBUG", f"-DPy_LIMITED_API={STABLE_ABI}", "-fno-sanitize=all"]


class Target(NamedTuple):
    """A system: what zig calls it, the tag of its wheel, and how its extensions end and are linked."""

    zig: str
    tag: str
    suffix: str = ".abi3.so"
    link: tuple[str, ...] = ()
    compile: tuple[str, ...] = ("-fPIC",)


MACOS = ("-undefined", "dynamic_lookup")  # CPython's symbols are those of the program that loads the module
MUSL = ("-nostdlib",)  # the program that loads the module has its libc, which has another name on each system
TARGETS = {
    "linux-x86-64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
    "linux-aarch64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64"),
    "musl-x86-64": Target("x86_64-linux-musl", "musllinux_1_2_x86_64", link=MUSL),
    "musl-aarch64": Target("aarch64-linux-musl", "musllinux_1_2_aarch64", link=MUSL),
    "macos-x86-64": Target("x86_64-macos.10.13", "macosx_10_13_x86_64", link=MACOS),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64", link=MACOS),
    "windows-x86-64": Target("x86_64-windows-gnu", "win_amd64", ".pyd", compile=()),
    "windows-arm64": Target("aarch64-windows-gnu", "win_arm64", ".pyd", compile=()),
}


class Extension(NamedTuple):
    """A C extension, as setup.py has it."""

    name: str
    sources: list[str]
    include_dirs: list[str]


# Run by setup.py's own words: what it would build, with the extensions left to us.
EXTENSIONS = """
from distutils.core import run_setup; import json, setuptools
found = run_setup("setup.py", stop_after="init").ext_modules
print(json.dumps([(each.name, each.sources, each.include_dirs) for each in found]))"""
DEFINITIONS = """
from abi3info import DATAS, FUNCTIONS
names = [each.name for each in FUNCTIONS] + [f"{each.name} DATA" for each in DATAS]
print("LIBRARY python3.dll\\nEXPORTS\\n" + "\\n".join(sorted(names)))"""
# What CPython's headers ask of pyconfig.h on 64-bit Windows where an extension uses the stable ABI: the sizes of types,
# and that functions come from a DLL. CPython's own file is not among the headers of a Python for Linux.
PYCONFIG = "".join(
    f"#define {line}\n"
    for line in (
        "MS_WINDOWS", "MS_WIN32", "MS_WIN64", "HAVE_DECLSPEC_DLL", "Py_ENABLE_SHARED", "SIZEOF_SHORT 2", "SIZEOF_INT 4",
        "SIZEOF_LONG 4", "SIZEOF_LONG_LONG 8", "SIZEOF_SIZE_T 8", "SIZEOF_VOID_P 8", "SIZEOF_WCHAR_T 2",
        "SIZEOF_FLOAT 4", "SIZEOF_DOUBLE 8", "HAVE_STDDEF_H 1", "HAVE_SYS_TYPES_H 1",
    )
)  # fmt: skip


class Builder:
    """Builds from *tree*, a copy of what is committed, with the tools in the environment of *python*."""

    def __init__(self, tree: Path, python: Path, work: Path, epoch: int, cache: Path) -> None:
        self.tree, self.python, self.work, self.epoch = tree, python, work, epoch
        self.variables = os.environ | {"SOURCE_DATE_EPOCH": str(epoch), "ZIG_GLOBAL_CACHE_DIR": str(cache)}
        self.zig = self.asked("import ziglang; print(ziglang.__path__[0])") + "/zig"
        self.headers = self.asked("import sysconfig; print(sysconfig.get_path('include'))")
        self.extensions = [Extension(*each) for each in json.loads(self.asked(EXTENSIONS))]

    def asked(self, question: str) -> str:
        """Return what *question*, a program in Python, prints."""
        return self.run(self.python, "-c", question).stdout.strip()

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run *command* in the tree; SystemExit with its words if it fails."""
        done = subprocess.run(command, cwd=self.tree, env=self.variables, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done

    def compiled(self, target: Target) -> dict[str, bytes]:
        """Return the extensions of *target*, by their paths in a wheel."""
        windows = "windows" in target.zig
        headers = self.windows_headers() if windows else self.headers
        extensions = {}
        for extension in self.extensions:
            out = self.work / (extension.name.rpartition(".")[2] + target.suffix)
            includes = [f"-I{each}" for each in (headers, *extension.include_dirs)]
            libraries = [self.import_library(target)] if windows else []
            objects = []
            for source in extension.sources:  # two steps, because without libc zig would take its headers away as well
                objects.append(self.work / (source.replace("/", "-") + ".o"))
                self.run(self.zig, "cc", "-target", target.zig, *COMPILE, *target.compile, *includes, "-c", source,
                         "-o", objects[-1])  # fmt: skip
            # A Mach-O library holds its name, which would be the path of this folder.
            named = ["-install_name", f"@rpath/{out.name}"] if "macos" in target.zig else []
            self.run(self.zig, "cc", "-target", target.zig, "-shared", "-s", *target.link, *named, *objects, *libraries,
                     "-o", out)  # fmt: skip
            extensions[extension.name.replace(".", "/") + target.suffix] = out.read_bytes()
        return extensions

    def windows_headers(self) -> Path:
        """Return a folder with CPython's headers, and with a ``pyconfig.h`` for Windows in place of this machine's."""
        folder = self.work / "windows-headers"
        if not folder.exists():
            shutil.copytree(self.headers, folder)
            (folder / "pyconfig.h").write_text(PYCONFIG)
        return folder

    def import_library(self, target: Target) -> Path:
        """Return an import library of ``python3.dll``, which has the stable ABI on Windows, as abi3info lists it."""
        library = self.work / f"{target.tag}-python3.lib"
        if not library.exists():
            definitions = library.with_suffix(".def")
            definitions.write_text(self.asked(DEFINITIONS) + "\n")
            machine = {"win_amd64": "i386:x86-64", "win_arm64": "arm64"}[target.tag]
            self.run(self.zig, "dlltool", "-D", "python3.dll", "-d", definitions, "-l", library, "-m", machine)
        return library
