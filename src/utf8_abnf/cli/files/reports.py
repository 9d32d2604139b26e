"""How ``check`` reports: a class for each format, whose methods are called for every input and every error.

JSON and SARIF are documents that are printed at the end; the others print what they are told at once. ``checking``
imports this when there is something to report, so well-formed input does not wait for it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from utf8_abnf import __version__
from utf8_abnf.cli.files.verdicts import ILL_FORMED, REFUSED, WELL_FORMED, WRONG_MARK
from utf8_abnf.cli.names import STDIN, shown
from utf8_abnf.explain.diagnostic import github_of, record_of, sentence_of, text_of
from utf8_abnf.explain.located import NO_ADVICE
from utf8_abnf.explain.locating import NOTHING
from utf8_abnf.language import codes, refusals
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import counted, hex_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from utf8_abnf.cli.files.verdicts import Totals
    from utf8_abnf.explain.located import Advice, Located
    from utf8_abnf.explain.locating import Rest

STDIN_URI = b"stdin"


def reporter_of(args: argparse.Namespace) -> Reporter:
    """Return the reporter that *args* ask for. Explanations are in the user's language, but in English for programs."""
    if args.quiet:
        return Reporter()
    if args.list or args.null:
        return NameReporter(b"\0" if args.null else b"\n")
    return FORMATS[args.format]()


class Reporter:
    """Reports nothing but problems: ``--quiet``. Its subclasses report what their format has a place for."""

    all_shown_by = "--max-errors 0 shows all"

    def error(self, path: str, located: Located, head: bytes) -> None:
        """Report one ill-formed sequence; *head* are the input's first bytes."""

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        """Report the end of one input: its verdict, how many errors it has and how many of them were not shown.

        *advice* is for the input as a whole.
        """

    def problem(self, path: str, reason: str) -> None:
        """Report that an input could not be checked: always on standard error, as grep does even with -q."""
        print(f"utf8-abnf: {shown(path)}: {reason}", file=sys.stderr)

    def finish(self, totals: Totals) -> None:
        """Report the totals."""


class NameReporter(Reporter):
    """``--list``: the names of the inputs that are not well-formed, as bytes, each ended by *end*."""

    def __init__(self, end: bytes) -> None:
        self._end = end

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        if verdict in {ILL_FORMED, WRONG_MARK, REFUSED}:
            is_read_by_people = path == STDIN or (self._end == b"\n" and sys.stdout.isatty())
            sys.stdout.buffer.write((shown(path).encode() if is_read_by_people else _raw(path)) + self._end)


class TextReporter(Reporter):
    """For people: the diagnostic of every error, then the number of those that are not shown, then the totals."""

    def __init__(self) -> None:
        is_plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self._bold, self._red, self._end = ("", "", "") if is_plain else ("\x1b[1m", "\x1b[31;1m", "\x1b[0m")

    def error(self, path: str, located: Located, head: bytes) -> None:
        first, second, third, *more = text_of(shown(path), located, head)
        place, code, message = first.partition(located.error.code)
        before, caret, expected = third.partition("^^")
        print(f"{self._bold}{place}{self._end}{self._red}{code}{self._end}{message}", second, sep="\n")
        print(f"{before}{self._red}{caret}{self._end}{expected}", *more, "", sep="\n")

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        if any(unshown):
            print(f"{shown(path)}: {_more(unshown)} ({self.all_shown_by})\n")
        if advice.text:
            print(*(f"{shown(path)}: {each}\n" for each in advice.text.split("\n\n")), sep="\n")

    def finish(self, totals: Totals) -> None:
        files, least = counted(totals.checked, "file"), "" if totals.complete else "at least "
        sums = []
        if totals.ill_formed:
            sequences = counted(totals.errors, "ill-formed sequence")
            sums.append(f"{least}{sequences} in {totals.ill_formed:,} of {files}")
        if totals.refused:
            characters = counted(totals.refused, "refused character")
            sums.append(f"{least}{characters} in {totals.refused_inputs:,} of {files}")
        if sums:
            print("; ".join(sums) + _aside(totals))
        elif totals.binary or totals.marks or sys.stderr.isatty():
            verdict = "well-formed" if totals.checked else "nothing was checked"
            print(f"{files}: {verdict}{_aside(totals)}", file=sys.stderr)


class GitHubReporter(Reporter):
    """Workflow commands, which GitHub shows at the lines of a pull request."""

    def error(self, path: str, located: Located, head: bytes) -> None:
        # GitHub knows names as in the repository: without the "./" that comes from the folder "."
        print(github_of("" if path == STDIN else shown(path).removeprefix("./"), located))

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        if any(unshown):
            print(f"::notice::{shown(path)}: {_more(unshown)}")
        if verdict == WRONG_MARK:
            place = f"file={shown(path).removeprefix('./')},line=1,col=1"
            print(f"::error {place},title=UTF8-BOM::{advice.text}")
        elif verdict == WELL_FORMED and advice.text:
            print(f"::notice::{shown(path)}: {advice.text}")


class JsonLinesReporter(Reporter):
    """One JSON object on each line, by ``type``: error, file, problem, and summary at the end."""

    def error(self, path: str, located: Located, head: bytes) -> None:
        print(json.dumps({"type": "error", **_name(path), **record_of(located, head)}))

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        record = {"type": "file", **_name(path), "verdict": verdict, "errors": errors, "not_shown": sum(unshown)}
        print(json.dumps(record | _facts(advice)))

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        print(json.dumps({"type": "problem", **_name(path), "reason": reason}))

    def finish(self, totals: Totals) -> None:
        print(json.dumps({"type": "summary", **totals.record}))


class JsonReporter(Reporter):
    """One JSON document, at the end: files with their errors, problems, summary."""

    def __init__(self) -> None:
        self._files: list[dict[str, Any]] = []
        self._errors: list[dict[str, Any]] = []  # of the present file
        self._problems: list[dict[str, Any]] = []

    def error(self, path: str, located: Located, head: bytes) -> None:
        self._errors.append(record_of(located, head))

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        record = {"verdict": verdict, "errors_total": errors, "not_shown": sum(unshown), **_facts(advice)}
        self._files.append(_name(path) | {"errors": self._errors} | record)
        self._errors = []

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        if self._errors:  # it broke off in the middle of this file
            self.outcome(path, ILL_FORMED, len(self._errors), NOTHING)
        self._problems.append({**_name(path), "reason": reason})

    def finish(self, totals: Totals) -> None:
        document = {"version": 1, "files": self._files, "problems": self._problems, "summary": totals.record}
        print(json.dumps(document, indent=1))


class SarifReporter(Reporter):
    """SARIF 2.1.0, for code scanning. Columns count characters, offsets bytes."""

    def __init__(self) -> None:
        self._results: list[dict[str, Any]] = []
        self._notifications: list[dict[str, Any]] = []

    def error(self, path: str, located: Located, head: bytes) -> None:
        region = {"startLine": located.line, "startColumn": located.column}
        region |= {"byteOffset": located.error.start, "byteLength": located.error.length}
        self._result(path, sentence_of(located, head), region, {"ruleId": located.error.code})

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: Advice = NO_ADVICE) -> None:
        if verdict == WRONG_MARK:
            self._result(path, advice.text, {"startLine": 1, "startColumn": 1}, {})

    def _result(self, path: str, text: str, region: dict[str, int], rule: dict[str, str]) -> None:
        place = {"level": "error", "message": {"text": text}, "locations": [_sarif_location(path, region)]}
        self._results.append(rule | place)

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        text = {"message": {"text": reason}, "level": "error", "locations": [_sarif_location(path, None)]}
        self._notifications.append(text)

    def finish(self, totals: Totals) -> None:
        titles = {code: entry.title for code, entry in codes.ENTRIES.items()} | refusals.TITLES
        rules = [{"id": code, "shortDescription": {"text": say(title)}} for code, title in titles.items()]
        ended = {"executionSuccessful": not self._notifications, "toolExecutionNotifications": self._notifications}
        run = {
            "tool": {"driver": {"name": "utf8-abnf", "version": __version__, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": self._results,
            "invocations": [ended],
        }
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        print(json.dumps({"version": "2.1.0", "$schema": schema, "runs": [run]}, indent=1))


FORMATS: dict[str, Callable[[], Reporter]] = {
    "text": TextReporter,
    "json": JsonReporter,
    "jsonl": JsonLinesReporter,
    "github": GitHubReporter,
    "sarif": SarifReporter,
}


def _sarif_location(path: str, region: dict[str, int] | None) -> dict[str, Any]:
    name = STDIN_URI if path == STDIN else _raw(path).removeprefix(b"./")
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(name, safe="/!")}}
    return {"physicalLocation": place | ({"region": region} if region else {})}


def _raw(path: str) -> bytes:
    """Return a name as bytes: a file's own; a member's in UTF-8 where the encoding of the system lacks it."""
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")


def _name(path: str) -> dict[str, Any]:
    """Return the path for JSON, and also its bytes where they are not Unicode, which JSON cannot write."""
    if path == STDIN:
        return {"path": None}
    raw = _raw(path)
    try:
        return {"path": raw.decode()}
    except UnicodeDecodeError:
        return {"path": shown(path), "path_bytes": hex_bytes(raw)}


def _facts(advice: Advice) -> dict[str, str]:
    found = {"advice": advice.text, "encoding": advice.encoding, "command": advice.command}
    return {name: text for name, text in found.items() if text}


def _more(unshown: Rest) -> str:
    kinds = zip(("more ill-formed sequence", "more refused character"), unshown, strict=True)
    return ", ".join(counted(number, kind) for kind, number in kinds if number)


def _aside(totals: Totals) -> str:
    special = counted(totals.passed_over, "pipe, socket or device", "pipes, sockets or devices")
    notes = [
        (totals.binary, counted(totals.binary, "binary file") + " skipped"),
        (totals.unreadable - totals.broken_off, f"{totals.unreadable - totals.broken_off:,} could not be read"),
        (totals.broken_off, f"{totals.broken_off:,} could not be read to the end"),
        (totals.passed_over, f"{special} skipped"),
        (totals.marks, f"{totals.marks:,} {'does' if totals.marks == 1 else 'do'} not follow --bom"),
    ]
    told = [text for number, text in notes if number]
    return f" ({', '.join(told)})" if told else ""
