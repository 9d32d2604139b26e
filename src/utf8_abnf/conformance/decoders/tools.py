"""Adapters of programs that read text: ripgrep, gawk, less, shells, njs and nginx.

These rows need code because each tool is told differently to name the inputs it rejects; tools.toml has the rows, and
says which tools are left out.
"""

from __future__ import annotations

import atexit
import socket
import subprocess
import time
from functools import partial
from http.client import parse_headers
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.decoders.batch import SECONDS, Tool, fast_folder, without_nul
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from io import BufferedReader

A_LINE = rb"^(\d+)$"  # the name of a file, alone

# Each prints names of files: ripgrep where every line is text, gawk where one line is not.
RIPGREP = ("rg", "-j1", "--no-config", "--files-without-match", "-axv", "-Enone", ".*")
GAWK = ("gawk", "!/^.*$/{print FILENAME; nextfile}")

# less only decodes for a terminal, so script gives it one, on which all lines have room. It writes a byte as <80>, in
# standout; text that has these characters is not in standout, and a control character of Unicode is <U+0085>.
LESS = """
    script -qec "stty rows 1000 cols 30000; TERM=xterm LESSCHARSET=utf-8 LESS= LESSOPEN= less -FXfNU $1" /dev/null
"""
A_BYTE = rb"^(?:\x1b\[\S*| |\r)*(\d+)\b[^\n]*\x1b\[7m[^\x1b\n]*<[0-9A-F]{2}>"

# Programs for bash, zsh, fish and njs, which print the names of the files in which a byte from 80 on is a character of
# its own, or does not decode. A variable of bash has no NUL, and the reads of the others end at one.
BASH = r"""
    declare -A byte
    for i in {8..9}{0..9} {a..f}{0..9} {8..9}{a..f} {a..f}{a..f}; do printf -v c %b "\\x$i"; byte[$c]=yes; done
    for file; do
        while IFS= read -rN1 c || [[ $c ]]; do
            if [[ ${#c} != 1 || ${byte[$c]} ]]; then printf '%s\n' "$file"; break; fi
        done <"$file"
    done
"""
ZSH = r"""
    byte() { setopt localoptions nomultibyte; [[ $#c = 1 ]] }
    for file; do
        IFS= read -rd '' text <$file
        for c in "${(@s::)text}"; do
            if [[ $c != [[:ascii:]] ]] && byte; then print -r -- $file; break; fi
        done
    done
"""
FISH = r"""
    for file in $argv
        read -z text <$file
        string escape -- $text | string replace -a '\\\\' '' | string match -q '*\X*'; and echo $file
    end
"""
NJS = """
    const fs = require('fs'), options = { fatal: true, ignoreBOM: true };
    process.argv.slice(2).forEach((name) => {
        try { new TextDecoder('utf-8', options).decode(fs.readFileSync(name)); } catch (error) { console.log(name); }
    });
"""


# What is called for each row. ripgrep takes bytes for UTF-8 unless the pattern says otherwise; a dot of GNU awk matches
# a character, never a byte that is not part of one; ``read -N1`` of bash reads a character; what ``read`` of zsh makes
# of a file is split into characters. For the byte 80 outside a character, fish prints \X80, and less prints <80>.
Ripgrep = partial(Tool, RIPGREP, A_LINE, ACCEPT)
Gawk = partial(Tool, GAWK, A_LINE)
Less = partial(
    Tool, ("sh", "-c", LESS, "sh"), A_BYTE, wrap=lambda data: None if b"\n" in data else data, in_lines="lines"
)
Bash = partial(Tool, ("bash", "-c", BASH, "bash"), A_LINE, wrap=without_nul)
ZshRead = partial(Tool, ("zsh", "-fc", ZSH, "zsh"), A_LINE, wrap=without_nul)
Fish = partial(Tool, ("fish", "--no-config", "-c", FISH), A_LINE, wrap=without_nul)
Njs = partial(Tool, ("njs", "-c", NJS), A_LINE)


NGINX = """
    daemon off; master_process off; pid pid; error_log /dev/null; events {}
    http {
        access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4;
        scgi_temp_path t5; charset_map koi8-r utf-8 { E5 D095; } default_type text/plain; keepalive_requests 1000000;
        server { listen unix:%s/socket; root .; source_charset utf-8; charset koi8-r; add_header file $uri; }
    }
"""
NGINX_OK = b"HTTP/1.1 200 OK\r\n"


class Nginx:
    """nginx: it sends a file of UTF-8 in KOI8-R, with ``?`` for what does not decode and ``&#233;`` for the rest."""

    version = ""

    def __init__(self) -> None:
        self._folder = Path(fast_folder())
        (self._folder / "conf").write_text(NGINX % self._folder, encoding="utf-8")
        words = ("nginx", "-p", f"{self._folder}/", "-c", "conf")
        server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
        atexit.register(server.terminate)

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what is sent without a ``?``, and reject what is not sent to its end.

        A ``?`` of the data is an exclamation mark in the file: one that is swallowed must not hide one that is new.
        """
        names = [*map(str, range(len(cases))), "end"]
        for name, data in zip(names, [*cases, b""], strict=True):
            (self._folder / name).write_bytes(data.replace(b"?", b"!"))
        marked: dict[str, bool] = {}
        with self._connected() as connection, connection.makefile("rb") as answers:
            connection.sendall(b"".join(b"GET /%b HTTP/1.1\r\nHost: nginx\r\n\r\n" % name.encode() for name in names))
            for name, body in _responses(answers):
                marked[name] = b"?" in body
                if name == "end":
                    break
        return b"".join(REJECT if marked.get(name, True) else ACCEPT for name in names[:-1])

    def _connected(self) -> socket.socket:
        """Return a connection to its socket, which is there a moment after it starts."""
        for left in reversed(range(10 * SECONDS)):
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(f"{self._folder}/socket")
                break
            except OSError:
                connection.close()
                if not left:
                    raise
                time.sleep(0.1)
        return connection


def _responses(answers: BufferedReader) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the text of each file that nginx sends to its end, in chunks (RFC 9112 section 7.1)."""
    status = answers.readline()
    while status:
        if not status.startswith(NGINX_OK):
            raise RuntimeError(f"nginx says {status!r}")
        name = parse_headers(answers)["file"].removeprefix("/")
        body = b""
        while (line := answers.readline()) not in {NGINX_OK, b"0\r\n"}:
            body += answers.read(int(line, 16))
            answers.readline()
        if line == NGINX_OK:  # the next one begins, and this one has no end
            status = line
            continue
        answers.readline()
        yield name, body
        status = answers.readline()
