"""Finds the functions that are measured: the validator, kernel by kernel, and the peers that are installed."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

HERE = Path(__file__).parent
# simdutf's kernels as symbols of a C++ library: const methods that never look at `this`.
METHODS = {
    name: f"_ZNK7simdutf{len(name)}{name}14implementation13validate_utf8EPKcm"
    for name in ("icelake", "haswell", "westmere")
}
FLAG = {
    "icelake": "avx512_vbmi2",
    "haswell": "avx2",
    "westmere": "sse4_2",
}  # what the CPU must offer, as Linux spells it
CHOSEN_BY_ITSELF = "_ZN7simdutf13validate_utf8EPKcm"


@dataclass(frozen=True)
class Peer:
    """Something that validates. *python* takes bytes; a C function has an *address* and a *shape*, plain or method."""

    name: str
    python: Callable[[bytes], object]
    address: int = 0
    shape: str = ""
    rejects_by_raising: bool = False

    def accepts(self, data: bytes) -> bool:
        """Return the peer's verdict on *data*."""
        try:
            return bool(self.python(data)) or self.rejects_by_raising
        except ValueError:
            return False


def build_stopwatch() -> ModuleType:
    """Compile timing.c in a scratch folder and import it; needs a C compiler and Python's headers."""
    compiler = os.environ.get("CC", "cc")
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / f"timing{sysconfig.get_config_var('EXT_SUFFIX')}"
        include = sysconfig.get_paths()["include"]
        command = [compiler, "-O2", "-fPIC", "-shared", f"-I{include}", HERE / "timing.c", "-o", target]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"tools/bench needs a C compiler ({compiler}) and the headers of this Python ({include})")
        spec = importlib.util.spec_from_file_location("timing", target)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def simdutf(paths: list[str], stopwatch: ModuleType) -> list[Peer]:
    """Return one peer for each kernel of each libsimdutf in *paths* that this CPU can run."""
    flags = cpu_flags()
    peers = []
    for path in paths:
        library = ctypes.CDLL(path)
        label = re.sub(r"^libsimdutf-?|\.so.*$", "", Path(path).name)
        rows = [(name, symbol, "method") for name, symbol in METHODS.items() if FLAG[name] in flags]
        if not any(hasattr(library, symbol) for _, symbol, _ in rows):  # hidden symbols: the library's own choice
            rows = [("auto", CHOSEN_BY_ITSELF, "plain")]
        for kernel, symbol, shape in rows:
            address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
            assert address is not None
            name = "-".join(filter(None, ("simdutf", kernel, label)))
            peers.append(Peer(name, stopwatch.bind(address, shape), address, shape))
    return peers


def plain_functions(places: list[str], stopwatch: ModuleType) -> list[Peer]:
    """Return the C functions ``bool f(const char *, size_t)`` named by *places*: a path, a colon and the symbol."""
    peers = []
    for place in places:
        path, _, symbol = place.rpartition(":")
        address = ctypes.cast(getattr(ctypes.CDLL(path), symbol), ctypes.c_void_p).value
        assert address is not None
        peers.append(Peer(symbol, stopwatch.bind(address, "plain"), address, "plain"))
    return peers


def cpu_flags() -> frozenset[str]:
    """Return what /proc/cpuinfo says this CPU can do; nothing where there is no such file."""
    try:
        return frozenset(re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())  # type: ignore[index]
    except (OSError, TypeError):
        return frozenset()


def python_peers() -> list[Peer]:
    """Return the peers that are Python functions: this Python's own decoder, and polars if it is installed."""
    peers = [Peer("bytes.decode", bytes.decode, rejects_by_raising=True)]
    if importlib.util.find_spec("polars"):
        import polars

        def cast(data: bytes) -> bool:
            try:
                polars.Series([data], dtype=polars.Binary).cast(polars.String)
            except polars.exceptions.PolarsError:
                return False
            return True

        peers.append(Peer("polars-cast", cast))
    return peers


NODE = """
const {isUtf8} = require('buffer');
const data = require('fs').readFileSync(process.argv[1]), repeats = +process.argv[2];
let yes = 0;
for (let i = 0; i < repeats / 10; i++) yes += isUtf8(data);
const before = process.cpuUsage();
for (let i = 0; i < repeats; i++) yes += isUtf8(data);
const spent = process.cpuUsage(before);
console.log((spent.user + spent.system) * 1000 / repeats);
"""


def node_time(data: bytes, repeats: int) -> float | None:
    """Return the nanoseconds of CPU that Node's buffer.isUtf8 (simdutf inside) takes for *data*; None without Node."""
    if not shutil.which("node"):
        return None
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = subprocess.run(["node", "-e", NODE, file.name, str(repeats)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def versions(simdutf_paths: list[str]) -> list[str]:
    """Return the lines that say what was measured where: machine class, compilers, versions."""
    import utf8_abnf

    cpu = re.search(r"model name\s*:\s*(.*)", _read("/proc/cpuinfo"))
    family = re.search(r"cpu family\s*:\s*(\d+)", _read("/proc/cpuinfo"))
    model = f"{cpu[1] if cpu else 'unknown'}, family {family[1] if family else '?'}"
    lines = [
        f"machine: {model}, {os.cpu_count()} CPUs, {sys.platform}",
        f"utf8-abnf {utf8_abnf.__version__}, built by {compiler_of(utf8_abnf.validator._kernel.__file__)}",  # type: ignore[attr-defined]
        f"CPython {sys.version.split()[0]}",
    ]
    lines += [f"{Path(path).name}: built by {compiler_of(path)}" for path in simdutf_paths]
    if importlib.util.find_spec("polars"):
        lines.append(f"polars {version('polars')}")
    for program in ("node", "isutf8"):
        if shutil.which(program):
            done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
            lines.append(
                f"{program} {(done.stdout + done.stderr).splitlines()[0] if done.returncode == 0 else '(no --version)'}"
            )
    return lines


def compiler_of(binary: str) -> str:
    """Return the compilers that signed the shared library *binary* in its .comment section."""
    found = re.findall(rb"(?:GCC: \([^)]*\) [\d.]+|[Cc]lang version [\d.]+)", Path(binary).read_bytes())
    return ", ".join(sorted({each.decode() for each in found})) or "an unknown compiler"


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
