"""What a class handed in: files and folders in; each file with the student whose it is, and what cannot be graded, out.

A folder's subfolders are students, as Moodle and GitHub Classroom unpack them. A file directly in the folder is a
student's too, and its name is the student's. Symbolic links in a folder are not followed, so that nobody hands in what
is not theirs: a link is a file that cannot be graded.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.errors import UsageError
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDINGS = (".abnf", ".txt")
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?", re.S)


class Submission(NamedTuple):
    """The file at *path*, which *student* handed in; *key* is the name under which it came. *problem*: not gradable."""

    path: str
    student: str
    key: str
    problem: str = ""

    @property
    def participant(self) -> str:
        """Moodle's identifier of the student, as its grading worksheet has it; "" if the name does not tell it."""
        known = _MOODLE.match(self.key)
        return f"Participant {known['number']}" if known else ""


def submissions(paths: list[str]) -> list[Submission]:
    """Return what is in *paths*: for a folder all that is in it and in its subfolders.

    Files whose names end in one of ``ENDINGS``; of a student who handed in none of these, all files. ``UsageError`` for
    a folder with nothing in it, ``OSError`` for a path that cannot be read.
    """
    files = [path for path in paths if not os.path.isdir(path)]
    together = len({os.path.dirname(path) for path in files}) < 2
    handed_in: list[Submission] = []
    for path in paths:
        if os.path.isdir(path):
            handed_in += _in_folder(path)
        else:
            os.stat(path)  # a file that was named and is not there is the teacher's mistake
            name = os.path.basename(path) if together else os.path.basename(os.path.dirname(path))
            handed_in.append(_submission(path, name, "" if os.path.isfile(path) else say(messages.NOT_A_FILE)))
    return handed_in


def _submission(path: str, name: str, problem: str = "") -> Submission:
    known = _MOODLE.match(name)
    student = known["name"] if known else os.path.splitext(name)[0] if name.lower().endswith(ENDINGS) else name
    return Submission(path, printable(student), known[0].rstrip("_") if known else student, problem)


def _in_folder(top: str) -> Iterator[Submission]:
    here = sorted((entry for entry in os.scandir(top) if not _is_hidden(entry)), key=lambda entry: entry.name)
    folders = [entry for entry in here if entry.is_dir(follow_symlinks=False)]
    files = [entry for entry in here if entry.name.lower().endswith(ENDINGS) and entry not in folders]
    linked = [entry for entry in here if entry.is_symlink() and entry not in files]
    found = [_submission(entry.path, entry.name, _problem(entry)) for entry in [*files, *linked]]
    for folder in folders:
        found += _of_student(folder)
    if not found:
        raise UsageError(f"{printable(top)} has no *.abnf and no *.txt in it")
    yield from sorted(found, key=lambda each: each.path)


def _of_student(folder: os.DirEntry[str]) -> list[Submission]:
    entries = sorted(_all_in(folder.path), key=lambda entry: entry.path)
    chosen = [entry for entry in entries if entry.name.lower().endswith(ENDINGS)] or entries
    if not chosen:
        return [_submission(folder.path, folder.name, say(messages.NOTHING_HANDED_IN))]
    return [_submission(entry.path, folder.name, _problem(entry)) for entry in chosen]


def _all_in(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield what is in *folder* and in its subfolders, but no folders and nothing hidden."""
    todo = [folder]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:  # a folder that may not be read, or is nested too deep, must not stop the others
            continue
        for entry in entries:
            if _is_hidden(entry):
                continue
            if entry.is_dir(follow_symlinks=False):
                todo.append(entry.path)
            else:
                yield entry


def _is_hidden(entry: os.DirEntry[str]) -> bool:
    return entry.name.startswith(".") or entry.name == "__MACOSX"  # which macOS puts into archives


def _problem(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return say(messages.LINK)
    return "" if entry.is_file() else say(messages.NOT_A_FILE)
