"""Last words: what a process wrote to stderr before it ended goes in, the line that says what happened comes out."""

from __future__ import annotations

import re

MAX_SHOWN = 200  # characters
# A line that says what happened, in the words of most languages' runtimes; the last one does, for others may chatter.
SAYS = re.compile(
    r"\w(Error|Exception|Fault)\b|\b(error|panic|panicked|fatal|abort(ed|ing)?|assert(ion)?|died)\b.*[:'(]|^Uncaught|"
    r"terminate called|out of (range|bounds|memory)|overflow|\bat .+ line \d+\.$",
    re.IGNORECASE,
)
# Lines that never do: where it happened, how to see more, and which program that was.
NOISE = re.compile(
    r"\s|#*$|note: |stack (backtrace|traceback)|goroutine \d|Node\.js v|exit status \d|main\.\w+\(|Traceback|"
    r"Stack trace|#\d|=+$|\^|[^\s:]+:\d+$|==\d+==ABORTING|CallStack|thread '.*' has overflowed"
)
NUMBER = re.compile(r"(?<=') \(\d+\)(?= panicked)|^==\d+==")  # of a thread or process, which is another one each time
GOES_ON = re.compile(r".*(:|std::[\w:]+'|panicked at .*)$")  # what happened stands in the next line


def what_happened(stderr: str) -> str:
    r"""Return the line of *stderr* that says what happened, "" where it is empty.

    >>> what_happened("thread 'main' panicked at a.rs:1:2:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`")
    "thread 'main' panicked at a.rs:1:2: index out of bounds"
    >>> what_happened("a.js:3\n    throw new E()\n    ^\nRangeError: too far\n    at f (a.js:3:1)\n\nNode.js v20")
    'RangeError: too far'
    """
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip()]
    said = [number for number, line in enumerate(lines) if SAYS.search(line) and not NOISE.match(line)]
    plain = [number for number, line in enumerate(lines) if not NOISE.match(line)]
    chosen = (said or plain or [len(lines) - 1])[-1]
    if chosen < 0:
        return ""
    if chosen and GOES_ON.fullmatch(lines[chosen - 1]) and chosen - 1 in said:
        chosen -= 1
    words = lines[chosen].strip()
    following = "".join(lines[chosen + 1 : chosen + 2]).strip()
    if GOES_ON.fullmatch(words) and not NOISE.match(following):
        words = f"{words} {following}"
    return NUMBER.sub("", words)[:MAX_SHOWN]
