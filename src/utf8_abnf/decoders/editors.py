"""Editors: what Vim takes for UTF-8 when it opens a file, and what Emacs decodes without raw bytes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from utf8_abnf.decoders.batch import Tool, row
from utf8_abnf.harness.protocol import ACCEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.decoders.decoder import Decoder

VIM = "vim -es -u NONE -i NONE -n --cmd 'set encoding=utf-8 fileencodings=utf-8,latin1'"
VIM_JUDGES = 'for f in argv()|exe "e! ".f|if &fenc==#"utf-8"|call writefile([f],"list","a")|endif|endfor|qa!'

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


class Vim(Tool):
    """Vim opens each file and tells the encoding it settled for, the first of two that fits."""

    def __init__(self) -> None:
        command = ("sh", "-c", f"{VIM} -c '{VIM_JUDGES}' -- \"$@\"; cat list", "sh")
        super().__init__(command, rb"^(\d+)$", ACCEPT)


class Emacs:
    """Emacs reads lines of inputs in hexadecimal: to start it takes half a second."""

    version = ""
    coding = "utf-8"

    def __init__(self) -> None:
        command = ("emacs", "-Q", "--batch", "--eval", EMACS_JUDGES % self.coding)
        self._emacs = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what is decoded without raw bytes."""
        assert self._emacs.stdin
        assert self._emacs.stdout
        self._emacs.stdin.write(" ".join(f"x{case.hex()}" for case in cases).encode() + b"\n")
        self._emacs.stdin.flush()
        return self._emacs.stdout.readline().rstrip(b"\n")


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
