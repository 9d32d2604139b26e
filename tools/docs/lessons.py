"""Run what the lessons show: ``python tools/docs/lessons.py [--update] [LESSON ...]``.

The tests compare the outputs with the pages; ``--update`` writes them into the pages.

In the Markdown of ``docs/lessons`` three kinds of blocks are more than text. ``{code-block}`` with a ``:caption:``
is a file of that name, in the folder that the lesson works in. ``console`` holds commands after ``$ `` and what they
print. ``python`` with ``>>>`` is a session, one for the whole lesson. They run in the order of the page.
"""

from __future__ import annotations

import argparse
import doctest
import importlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Iterator

# What utf8_abnf.cli.progress writes every half minute where there is no terminal: a busy machine prints such lines.
_PROGRESS = re.compile(r"utf8-abnf: ( *\d+%  )?[\d,.]+ (of [\d,.]+ )?(GB|tasks|decoders|cases|questions)(,|  |$)")
ROOT = Path(__file__).resolve().parents[2]
LESSONS = ROOT / "docs" / "lessons"
sys.path.insert(0, str(ROOT / "src"))  # the sources beside this tool, whatever is installed

from utf8_abnf.cli import main as utf8_abnf  # noqa: E402

# A command that starts no process and is called as a function, and what a shell does with what it prints.
_CALLED = re.compile(
    r"utf8-abnf (?P<words>(?:check|decode|encode|explain|grade|grammar|parse|repair|suite)\b"
    r"(?:[^|;&<>'\"$`*?~{}\\]|'[^']*')*)(?P<rest>(?:[|;&].*)?)"
)
_BLOCK = re.compile(
    r"^```(?P<kind>\{code-block\} \w+\n:caption: (?P<name>\S+)|console|python)\n(?P<body>.*?)^```$", re.M | re.S
)


class Difference(NamedTuple):
    """The output that a lesson shows after *source*, and the real one."""

    source: str
    shown: str
    real: str


def main() -> int:
    """Return 1 where a lesson shows a wrong output; with ``--update`` write the real output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write what really comes into the lessons")
    parser.add_argument("lessons", nargs="*", type=Path)
    args = parser.parse_args()
    wrong = 0
    for path in args.lessons or sorted(LESSONS.glob("*.md")):
        text, differences = run(path.read_text(encoding="utf-8"))
        wrong += len(differences)
        for each in differences:
            print(f"{path.name}: {each.source}\n--- shown\n{each.shown}--- real\n{each.real}")
        if args.update:
            path.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


def run(text: str) -> tuple[str, list[Difference]]:
    """Return *text* with the real outputs of its blocks, and the places where it shows something else."""
    differences: list[Difference] = []
    done: list[str] = []
    at = 0
    with tempfile.TemporaryDirectory(prefix="lesson-") as temporary:
        folder = Path(temporary, "work")
        session = Session(folder, Path(temporary, "bin"))
        for block in _BLOCK.finditer(text):
            done.append(text[at : block.start("body")])
            at = block.end("body")
            body = block["body"]
            if block["name"]:
                (folder / block["name"]).write_text(body.removeprefix("\n"), encoding="utf-8")
            else:
                steps = session.console(body) if block["kind"] == "console" else session.python(body)
                body = ""
                for source, shown, real in steps:
                    body += source + real
                    if shown != real:
                        differences.append(Difference(source, shown, real))
            done.append(body)
    return "".join(done) + text[at:], differences


class Session:
    """A session in *folder*: a shell with the commands ``utf8-abnf`` and ``python3``, and one Python session."""

    def __init__(self, folder: Path, programs: Path) -> None:
        folder.mkdir()
        programs.mkdir()
        for name, arguments in (("utf8-abnf", "-m utf8_abnf"), ("python3", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments} "$@"\n')
            program.chmod(0o755)
        self._folder = folder
        own = {"LANGUAGE": "en", "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        own["PYTHONUNBUFFERED"] = "1"  # output and errors go to one pipe: as on a terminal, in the order of writing
        self._environment = os.environ | own | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        self._names: dict[str, object] = {}

    def console(self, body: str) -> Iterator[tuple[str, str, str]]:
        """Yield each command with what the page shows after it and what it prints."""
        for piece in re.split(r"^(?=\$ )", body, flags=re.M):
            if not piece:
                continue
            line, _, shown = piece.partition("\n")
            command = line.removeprefix("$ ")
            called = _CALLED.fullmatch(command)
            printed = self._called(called["words"], called["rest"]) if called else self._shell(command)
            lines = printed.decode("utf-8", "replace").splitlines()
            real = "".join(f"{line.rstrip()}\n" for line in lines if not _PROGRESS.match(line))
            yield f"{line}\n", shown, real

    def _called(self, words: str, rest: str) -> bytes:
        """Return what the command *words* prints, and then what a shell makes of it with the *rest* of the line."""
        printed, told = io.BytesIO(), io.BytesIO()
        is_piped = re.match(r"\|(?!\|)", rest)
        with (
            self._within(),
            patch.dict(os.environ, self._environment),
            redirect_stdout(io.TextIOWrapper(printed, "utf-8", write_through=True)) as out,
            redirect_stderr(io.TextIOWrapper(told if is_piped else printed, "utf-8", write_through=True)) as err,
        ):
            status = utf8_abnf(shlex.split(words))
            out.detach(), err.detach()
        if not is_piped:
            return printed.getvalue() + (self._shell(f"(exit {status}) {rest}") if rest else b"")
        return told.getvalue() + self._shell(rest.removeprefix("|"), printed.getvalue())

    def _shell(self, command: str, given: bytes = b"") -> bytes:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env=self._environment,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
            check=False,
        ).stdout

    @contextmanager
    def _within(self) -> Iterator[None]:
        """Be in the folder of the page for a ``with`` block."""
        was = os.getcwd()
        os.chdir(self._folder)
        try:
            yield
        finally:
            os.chdir(was)

    def python(self, body: str) -> Iterator[tuple[str, str, str]]:
        """Yield each statement with what the page shows after it and what it prints, or the error it raises."""
        sys.path.insert(0, str(self._folder))
        importlib.invalidate_caches()
        try:
            for example in doctest.DocTestParser().get_examples(body):
                first, *rest = example.source.rstrip("\n").split("\n")
                source = "".join([f">>> {first}\n", *(f"... {line}".rstrip() + "\n" for line in rest)])
                shown = f"{example.exc_msg}" if example.exc_msg else example.want
                with self._within():
                    real = self._result(example.source)
                yield source, shown, real
        finally:
            sys.path.remove(str(self._folder))
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None) or "").startswith(str(self._folder)):
                    del sys.modules[name]

    def _result(self, source: str) -> str:
        output = io.StringIO()
        with redirect_stdout(output):
            try:
                exec(compile(source, "<lesson>", "single"), self._names)  # noqa: S102  # our own lessons
            except Exception as error:
                return f"{output.getvalue()}{type(error).__name__}: {error}\n"
        return output.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
