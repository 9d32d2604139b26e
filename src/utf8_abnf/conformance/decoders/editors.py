"""Adapters of editors: what Vim reads as UTF-8 when it opens a file, and what Emacs decodes without raw bytes.

These rows need code because one editor answers for all inputs: it takes long to start.
"""

from __future__ import annotations

import shlex
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.decoders.batch import short_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

VIM = "vim -es -u NONE -i NONE -n --cmd 'set encoding=utf-8 fileencodings=utf-8,latin1'"
# In silent Ex mode, what :print says goes to the standard output.
VIM_JUDGES = (
    'let v=""|for n in range(%d)|exe "e! %s/".n|let v.=&fenc==#"utf-8"|endfor'
    "|silent! %%bwipeout!|call setline(1, v)|1print\n"
)


class Living:
    """An editor that is started once for all inputs. It answers each line with a line of verdicts."""

    version = ""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self._editor = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)  # noqa: S603

    def _ask(self, line: str) -> bytes:
        assert self._editor.stdin
        assert self._editor.stdout
        self._editor.stdin.write(line.encode())
        self._editor.stdin.flush()
        return self._editor.stdout.readline().rstrip(b"\n")


class Vim(Living):
    """Vim opens each input as a file, and tells which of two encodings it chose: the first that fits."""

    def __init__(self) -> None:
        super().__init__(*shlex.split(VIM))

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what is not taken for Latin-1."""
        with short_folder() as folder:
            for number, case in enumerate(cases):
                Path(folder, str(number)).write_bytes(case)
            return self._ask(VIM_JUDGES % (len(cases), folder))


class Emacs(Living):
    """Emacs decodes each input, in hexadecimal."""

    def __init__(self) -> None:
        text = (files("utf8_abnf.conformance.decoders") / "sources" / "emacs.el").read_text(encoding="utf-8")
        program = f"(progn {text})"
        super().__init__("emacs", "-Q", "--batch", "--eval", "(setq coding 'utf-8-unix)", "--eval", program)

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what is decoded without raw bytes."""
        return self._ask(" ".join(f"x{case.hex()}" for case in cases) + "\n")
