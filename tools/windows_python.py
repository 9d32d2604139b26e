"""Make a CPython 3.11 for Windows that wine runs: ``.venv-release/bin/python tools/windows_python.py FOLDER``.

``python311.dll`` and the modules in C are those of python.org, as the Windows wheel of Panda3D, a package of PyPI, has
them for the programs that are made with it. The modules in Python are those of the CPython 3.11 that runs this. Two
files are made here by zig: ``python3.dll``, which only names where each function of the stable ABI is, and
``python.exe``, which only calls ``Py_Main``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import ziglang
from abi3info import DATAS, FUNCTIONS

from environments import pip, say

ZIG = Path(ziglang.__path__[0]) / "zig"
WHEEL = ("panda3d==1.10.16", "--platform", "win_amd64", "--python-version", "3.11", "--only-binary", ":all:")
# Without the C library of Windows, which zig would compile for minutes.
PROGRAM = """
typedef unsigned short wide;
__declspec(dllimport) int Py_Main(int, wide **);
__declspec(dllimport) wide *GetCommandLineW(void);
__declspec(dllimport) wide **CommandLineToArgvW(wide *, int *);
__declspec(dllimport) void ExitProcess(unsigned);
void start(void) {
    int count;
    wide **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    ExitProcess((unsigned)Py_Main(count, arguments));
}
int DllMainCRTStartup(void *library, unsigned why, void *more) { return 1; }
"""
LIBRARIES = {"python3": ["Py_Main"], "kernel32": ["GetCommandLineW", "ExitProcess"], "shell32": ["CommandLineToArgvW"]}


def main(folder: Path) -> None:
    """Fill *folder*, and print how to start what is in it."""
    if sys.version_info[:2] != (3, 11):
        raise SystemExit("the modules in Python have to be those of CPython 3.11: run this with it")
    folder.mkdir(parents=True)
    pip(Path(sys.executable), "--no-deps", "--target", folder / "wheel", *WHEEL)
    for file in (folder / "wheel" / "deploy_libs").iterdir():
        if not file.name.startswith("api-ms-win"):  # wine has them
            file.rename(folder / file.name)
    others = shutil.ignore_patterns("site-packages", "lib-dynload", "__pycache__", "test")
    shutil.copytree(sysconfig.get_path("stdlib"), folder / "Lib", ignore=others)
    (folder / "start.c").write_text(PROGRAM)
    libraries = [import_library(folder, name, exports) for name, exports in LIBRARIES.items()]
    forwards = [f"{each.name}=python311.{each.name}" for each in FUNCTIONS]
    forwards += [f"{each.name}=python311.{each.name} DATA" for each in DATAS]
    names = definitions(folder / "forwards.def", "python3", forwards)
    compiled(folder, "python.exe", "-e", "start", *libraries)
    compiled(folder, "python3.dll", "-shared", *libraries, names)
    say(f"wine64 {folder.absolute()}/python.exe -V, with WINEPREFIX=FOLDER and WINEDEBUG=-all")


def definitions(path: Path, name: str, exports: list[str]) -> Path:
    """Write a file that says what the library *name* exports, and return its path."""
    path.write_text("\n".join([f"LIBRARY {name}.dll", "EXPORTS", *exports, ""]))
    return path


def import_library(folder: Path, name: str, exports: list[str]) -> Path:
    """Return a library by which a program finds *exports* in *name*."""
    made = folder / f"{name}.lib"
    names = definitions(made.with_suffix(".def"), name, exports)
    subprocess.run([ZIG, "dlltool", "-D", f"{name}.dll", "-d", names, "-l", made, "-m", "i386:x86-64"], check=True)
    return made


def compiled(folder: Path, name: str, *options: str | Path) -> None:
    """Compile and link start.c as *name*."""
    command = [ZIG, "cc", "-target", "x86_64-windows-gnu", "-nostdlib", folder / "start.c", *options]
    subprocess.run([*command, "-o", folder / name], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
