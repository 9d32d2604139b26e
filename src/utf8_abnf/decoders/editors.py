"""Editors: what Vim takes for UTF-8 when it opens a file, and what Emacs decodes without raw bytes."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.decoders.batch import row, short_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.decoders.decoder import Decoder

VIM = "vim -es -u NONE -i NONE -n --cmd 'set encoding=utf-8 fileencodings=utf-8,latin1'"
# In silent Ex mode, what :print says goes to the standard output.
VIM_JUDGES = (
    'let v=""|for n in range(%d)|exe "e! %s/".n|let v.=&fenc==#"utf-8"|endfor'
    "|silent! %%bwipeout!|call setline(1, v)|1print\n"
)

# A byte that is no part of a character is a character of the charset eight-bit.
EMACS_ACCEPTS = "(not (memq 'eight-bit (mapcar 'char-charset (decode-coding-string %s '%s-unix))))"
EMACS_BYTES = """(let (bytes (at 1)) (while (< at (length word))
  (push (string-to-number (substring word at (+ at 2)) 16) bytes) (setq at (+ at 2)))
  (apply 'unibyte-string (nreverse bytes)))"""
EMACS_JUDGES = f"""(let (line) (while (setq line (ignore-errors (read-from-minibuffer "")))
  (princ (concat (mapconcat (lambda (word) (if {EMACS_ACCEPTS % (EMACS_BYTES, "%s")} "1" "0")) (split-string line) "")
  "\n"))))"""
EMACS_DIRECT = f"""emacs -Q --batch --eval "(progn (set-buffer-multibyte nil)
(insert-file-contents-literally \\"/dev/stdin\\")
(kill-emacs (if {EMACS_ACCEPTS % ("(buffer-string)", "%s")} 0 1)))\""""


class Living:
    """An editor that stays for all inputs: to start one takes long. It answers each line with a line of verdicts."""

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
    """Vim opens each input as a file and tells the encoding it settled for, the first of two that fits."""

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

    coding = "utf-8"

    def __init__(self) -> None:
        super().__init__("emacs", "-Q", "--batch", "--eval", EMACS_JUDGES % self.coding)

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what is decoded without raw bytes."""
        return self._ask(" ".join(f"x{case.hex()}" for case in cases) + "\n")


class EmacsOwn(Emacs):
    """The coding of Emacs' own characters."""

    coding = "utf-8-emacs"


def _emacs(coding: str, batch: str, claim: str) -> Decoder:
    return row(
        f"emacs-{coding}",
        f"decode-coding-string with {coding}-unix: are there raw bytes in it?",
        batch,
        "emacs --version",
        "apt:emacs-nox",
        EMACS_DIRECT % coding,
        claim=claim,
        version=("emacs", "--version"),
    )


DECODERS = (
    row(
        "vim",
        "fileencodings=utf-8,latin1: does it open the file as UTF-8?",
        "editors:Vim",
        "vim --version",
        "apt:vim",
        f"{VIM} -c 'e /dev/stdin' -c 'if &fenc!=#\"utf-8\"|cquit|endif' -c 'qa!'",
        claim="31-bit UTF-8 of ISO/IEC 10646-1 (:help encoding-values)",
        version=("vim", "--version"),
    ),
    _emacs("utf-8", "editors:Emacs", "UTF-8"),
    _emacs("utf-8-emacs", "editors:EmacsOwn", "UTF-8 and Emacs' own characters (its manual, Coding Systems)"),
)
