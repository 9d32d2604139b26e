"""What a run of ``check`` adds up, and what it can say of one input."""

from __future__ import annotations

from codecs import BOM_UTF8

WELL_FORMED, ILL_FORMED, BINARY, WRONG_MARK = "well-formed", "ill-formed", "binary", "wrong-mark"
REFUSED = "refused"  # well-formed, with a character that the profile refuses
KNOWN = "known"  # with errors, all of which the baseline has


class Totals:
    """What has been seen so far, over all inputs.

    *complete*: whether *errors* are all that there are. *binary*, *unreadable* and *passed_over*: inputs that were not
    checked; *broken_off*: those of the unreadable ones that had errors before the place where reading ended. *marks*:
    inputs that do not follow --bom. *known*, *gone*, *taken_out*: errors of the baseline. *refused*: characters that
    the profile refuses, and *refused_inputs*, in which they are.
    """

    complete = True
    checked = ill_formed = errors = binary = unreadable = passed_over = 0
    marks = known = gone = taken_out = refused = refused_inputs = broken_off = 0

    @property
    def record(self) -> dict[str, int | bool]:
        """The totals by name; those that few runs have are left out where they are 0."""
        always = ("complete", "checked", "ill_formed", "errors", "binary", "unreadable", "passed_over")
        return {name: getattr(self, name) for name in always} | vars(self)


class Mark:
    r"""Looks for the first byte order mark in bytes that come one chunk after the other.

    >>> mark = Mark()
    >>> for chunk in (b"a\n\xef\xbb", b"\xbfb"):
    ...     mark.add(chunk)
    >>> mark.line, mark.offset
    (2, 2)
    """

    line, offset = 1, -1  # of the mark; -1: there is none

    def __init__(self) -> None:
        self._start, self._last = 0, b""  # what was not looked at yet, and its offset

    def add(self, data: bytes | memoryview) -> None:
        """Look at *data*, which comes next."""
        if self.offset >= 0:
            return
        text = self._last + data
        if (at := text.find(BOM_UTF8)) >= 0:
            self.offset = self._start + at
        else:
            at = max(0, len(text) - len(BOM_UTF8) + 1)
        self.line += text.count(b"\n", 0, at)
        self._start, self._last = self._start + at, text[at:]


def wrong_mark(rule: str | None, head: bytes, mark: Mark) -> str:
    """Return how an input that begins with *head* and has *mark* does not follow the *rule* of ``--bom``, or ""."""
    if rule == "require" and head and not head.startswith(BOM_UTF8):
        does = "does not begin with the byte order mark EF BB BF"
    elif rule == "forbid" and mark.offset >= 0:
        place = f"in line {mark.line:,} at offset {mark.offset:,}"
        does = (
            f"has the byte order mark EF BB BF {place}" if mark.offset else "begins with the byte order mark EF BB BF"
        )
    else:
        return ""
    return f"{does} (--bom {rule})"
