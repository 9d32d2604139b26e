"""The Python inside the larger play page: Pyodide's files and pure-Python packages, as elements of the page."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.errors import UsageError
from utf8_abnf.grammar.files import grammar_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = {
    "mjs": "pyodide.mjs",
    "asm": "pyodide.asm.mjs",
    "wasm": "pyodide.asm.wasm",
    "stdlib": "python_stdlib.zip",
    "lock": "pyodide-lock.json",
}
PACKAGES = ("utf8_abnf", "abnf", "lark", "interegular")
# From here on Pyodide's version numbers follow Python's: 314 is Python 3.14. Before, pyodide.asm.mjs was not a module.
OLDEST = 314
GET = f"npm pack pyodide@{OLDEST} && tar xzf pyodide-{OLDEST}.*.tgz, then --with-python package"
LEFT_OUT = {"__pycache__", "play", "decoders", "adapters", "abnf"}  # no program is started in a page
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class WithPython:
    """Pyodide in the folder *pyodide*: the npm package of that name, version 314 or newer, unpacked."""

    pyodide: Path

    # Pyodide compiles WebAssembly, evaluates code and loads its modules from blobs; it requests nothing from outside.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval' blob:;"
        " worker-src blob:; connect-src blob:; img-src data:"
    )

    def elements(self) -> str:
        """Return the parts as elements that browsers do not run; ``UsageError`` where the folder is not Pyodide's."""
        contents = {name: self._read(file) for name, file in PARTS.items()} | {"packages": packages()}
        program = (files("utf8_abnf") / "play" / "page" / "check.py").read_text("utf-8")
        made = [f'<script type="text/plain" id="python-program">{program}</script>']
        for name, content in contents.items():
            packed = base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")
            made.append(f'<script type="text/plain" id="python-{name}">{packed}</script>')
        return "\n".join([*made, ""])

    def _read(self, name: str) -> bytes:
        try:
            return (self.pyodide / name).read_bytes()
        except OSError as error:
            raise UsageError(f"{self._what_is_there()} (no {name}); get it with: {GET}") from error

    def _what_is_there(self) -> str:
        if not self.pyodide.is_dir():
            return f"{self.pyodide} is not a folder; it has to be the npm package pyodide, unpacked"
        try:
            package = json.loads((self.pyodide / "package.json").read_bytes())
            if package["name"] == "pyodide":
                return f"{self.pyodide} is Pyodide {package['version']}; the page needs {OLDEST} or newer, complete"
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return f"{self.pyodide} is not the npm package pyodide, unpacked"


def packages() -> bytes:
    """Return the installed packages that the page's Python needs as a zip archive, the same to the byte each time."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
        for name, content in sorted(_sources()):
            packed.writestr(zipfile.ZipInfo(name, _DATE), content)
    return archive.getvalue()


def _sources() -> Iterator[tuple[str, bytes]]:
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise UsageError(f"the package {name} is not installed: pip install utf8-abnf brings it")
        folder = Path(spec.submodule_search_locations[0])
        yield from _tree(folder, name)
    yield from _tree(grammar_folder(), "utf8_abnf/grammar/abnf")


def _tree(folder: Path, name: str) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        wanted = path.suffix in {".py", ".abnf", ".lark", ".json", ".mo"} and not LEFT_OUT.intersection(inside.parts)
        if wanted and path.is_file():
            yield f"{name}/{inside.as_posix()}", path.read_bytes()
