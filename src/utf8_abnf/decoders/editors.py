"""Editors: what Vim takes for UTF-8 when it opens a file, and what Emacs decodes without raw bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.decoders.batch import Tool, row
from utf8_abnf.harness.protocol import ACCEPT

if TYPE_CHECKING:
    from utf8_abnf.decoders.decoder import Decoder

VIM = "vim -es -u NONE -i NONE -n --cmd 'set encoding=utf-8 fileencodings=utf-8,latin1'"
VIM_JUDGES = 'for f in argv()|exe "e! ".f|if &fenc==#"utf-8"|call writefile([f],"list","a")|endif|endfor|qa!'

# A byte that is no part of a character is a character of the charset eight-bit.
EMACS_READS = "(set-buffer-multibyte nil) (insert-file-contents-literally %s)"
EMACS_ACCEPTS = "(not (memq 'eight-bit (mapcar 'char-charset (decode-coding-string (buffer-string) '%s-unix))))"
QUOTED_STDIN = r"\"/dev/stdin\""
EMACS_JUDGES = f"""(progn (dolist (name command-line-args-left)
  (with-temp-buffer {EMACS_READS % "name"} (if {EMACS_ACCEPTS} (princ (concat name "\\n"))))) (kill-emacs))"""
EMACS_DIRECT = f"(progn {EMACS_READS % QUOTED_STDIN} (kill-emacs (if {EMACS_ACCEPTS} 0 1)))"


class Vim(Tool):
    """Vim opens each file and tells the encoding it settled for, the first of two that fits."""

    def __init__(self) -> None:
        command = ("sh", "-c", f"{VIM} -c '{VIM_JUDGES}' -- \"$@\"; cat list", "sh")
        super().__init__(command, rb"^(\d+)$", ACCEPT)


class Emacs(Tool):
    """Emacs decodes each file."""

    coding = "utf-8"

    def __init__(self) -> None:
        super().__init__(("emacs", "-Q", "--batch", "--eval", EMACS_JUDGES % self.coding), rb"^(\d+)$", ACCEPT)


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
        f'emacs -Q --batch --eval "{EMACS_DIRECT}"' % coding,
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
