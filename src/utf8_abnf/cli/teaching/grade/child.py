"""Grade one file in a child process, with limits of time and memory, so that no file stops the others."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from utf8_abnf.cli.names import reason_of, shown
from utf8_abnf.grammar.model import MAX_BYTES
from utf8_abnf.language import feedback as messages
from utf8_abnf.language.catalogue import say, speaking
from utf8_abnf.teaching.grading.grading import Grade, compiled, grade
from utf8_abnf.teaching.grading.handed_in import read_bytes

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from utf8_abnf.cli.teaching.grade.submissions import Submission
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.teaching.grading.requirements import Requirements
    from utf8_abnf.teaching.grading.rubric import Rubric

MAX_MEMORY = 1 << 30  # bytes that a child takes for one file; where the system can limit that
if sys.platform == "linux":  # a fork costs some milliseconds, and elsewhere it is not safe
    _CONTEXT = multiprocessing.get_context("fork")
else:
    _CONTEXT = multiprocessing.get_context("spawn")


class Task(NamedTuple):
    """How files are graded: against a reference, by a rubric and what else is wanted, told in a language."""

    reference: Grammar
    rubric: Rubric
    wanted: Requirements
    language: str


def graded_alone(submission: Submission, task: Task, timeout: float) -> Grade:
    """Return the grade of *submission*. What lasts *timeout* seconds, or dies, is a problem of that file."""
    path = submission.path
    if submission.problem:
        return _problem(path, submission.problem)
    compiled(task.reference)  # once here, so that no child has to do it again
    receiving, sending = _CONTEXT.Pipe(duplex=False)
    child = _CONTEXT.Process(target=_serve, args=(sending, path, task), daemon=True)
    child.start()
    sending.close()
    try:
        if not receiving.poll(timeout):
            return _problem(path, say(messages.TIMEOUT, seconds=f"{timeout:g}"), person=True)
        found: Grade = receiving.recv()
        return found
    except EOFError:  # it died without an answer
        return _problem(path, say(messages.DIED), person=True)
    finally:
        receiving.close()
        child.kill()
        child.join()
        child.close()


def _problem(path: str, problem: str, *, person: bool = False) -> Grade:
    return Grade(shown(path), 0.0, problem=problem, person=person)


def _serve(answering: Connection, path: str, task: Task) -> None:
    gc.disable()  # the parent's objects are not the child's to look through
    _limit_memory()
    with speaking(task.language):
        try:
            with open(path, "rb") as file:
                handed_in = read_bytes(file.read(MAX_BYTES + 1))
            grading = _problem(path, handed_in.problem)
            if not handed_in.problem:
                grading = grade(
                    handed_in.text, task.reference, file=shown(path), rubric=task.rubric, wanted=task.wanted
                )
                grading = replace(grading, notes=(*handed_in.notes, *grading.notes))
        except MemoryError:
            grading = _problem(path, say(messages.MEMORY, most=MAX_MEMORY >> 20), person=True)
        except RecursionError:
            grading = _problem(path, say(messages.DIED), person=True)
        except OSError as error:
            grading = _problem(path, reason_of(error))
    answering.send(grading)
    answering.close()


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (taken + MAX_MEMORY, hard))
