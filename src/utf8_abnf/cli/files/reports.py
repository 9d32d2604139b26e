"""How ``check`` reports: a class for each format, whose methods are called for every input and every error.

Errors are not collected: a million of them need no more memory than one. The messages are imported only when one is
shown, so well-formed input does not wait for them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from utf8_abnf.cli.sources import STDIN, shown
from utf8_abnf.explain.locating import Rest
from utf8_abnf.language.catalogue import count, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.explain.located import Located

STDIN_URI = b"stdin"
WELL_FORMED, ILL_FORMED, BINARY, WRONG_MARK = "well-formed", "ill-formed", "binary", "wrong-mark"
REFUSED = "refused"  # well-formed, with a character that the profile refuses
KNOWN = "known"  # with errors, all of which the baseline has


class Totals:
    """What has been seen so far, over all inputs.

    *marks*: inputs that do not follow --bom; *known*, *gone*, *taken_out*: errors of the baseline; *refused*: what the
    profile refuses, in characters; *refused_inputs*: inputs that have such characters; *broken_off*: those of the
    unreadable inputs that had errors before the place where reading ended. They are reported where not 0.
    """

    marks = known = gone = taken_out = refused = refused_inputs = broken_off = 0
    profile: str

    def __init__(self, *, complete: bool = True) -> None:
        self.complete = complete  # False where --first stopped at the first error of each input
        self.checked = self.ill_formed = self.errors = 0
        self.binary = self.unreadable = self.passed_over = 0


class Reporter:
    """Reports nothing but problems: ``--quiet``. Its subclasses report what their format has a place for."""

    wants_errors = False
    names_all = False  # whether inputs are named of which there is nothing to say but that they are well-formed
    all_shown_by = "SHOW_ALL"  # the message that says how

    def error(self, path: str, located: Located, head: bytes) -> None:
        """Report one ill-formed sequence; *head* are the input's first bytes."""

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        """Report the end of one input: its verdict, how many errors it has and how many of them were not shown.

        *advice* is for the input as a whole; "" where there is none.
        """

    def problem(self, path: str, reason: str) -> None:
        """Report that an input could not be checked: always on standard error, as grep does even with -q."""
        print(f"utf8-abnf: {shown(path)}: {reason}", file=sys.stderr)

    def finish(self, totals: Totals) -> None:
        """Report the totals."""


class NameReporter(Reporter):
    """``--list`` and ``--invert``: the names of the inputs with one verdict, as bytes, each ended by *end*."""

    def __init__(self, verdict: str, end: bytes) -> None:
        self._verdict = verdict
        self._end = end
        self.names_all = verdict == WELL_FORMED

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        if verdict == self._verdict or (verdict in {WRONG_MARK, REFUSED} and self._verdict == ILL_FORMED):
            name = shown(path).encode() if path == STDIN else _raw(path)
            sys.stdout.buffer.write(name + self._end)


class TextReporter(Reporter):
    """For people: the diagnostic of every error, then the number of those that are not shown, then the totals."""

    wants_errors = True

    def __init__(self) -> None:
        self._paint = _painter()

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import text_of

        first, code, marks, rest = self._parts(text_of(shown(path), located, head), located.error.code)
        print(self._paint("1", first) + self._paint("31;1", code) + marks, *rest, sep="\n")

    def _parts(self, lines: list[str], code: str) -> tuple[str, str, str, list[str]]:
        place, _, message = lines[0].partition(code)
        marks, caret, expected = lines[2].partition("^^")
        return place, code, message, [lines[1], marks + self._paint("31;1", caret) + expected, *lines[3:], ""]

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        if any(unshown):
            from utf8_abnf.language import messages

            how = say(getattr(messages, self.all_shown_by))
            print(f"{shown(path)}: {_more(unshown)} {how}\n")
        if advice:
            print(*(f"{shown(path)}: {each}\n" for each in advice.split("\n\n")), sep="\n")

    def finish(self, totals: Totals) -> None:
        seen = (totals.ill_formed, totals.binary, totals.marks, totals.gone, totals.taken_out, totals.refused)
        if not any(seen) and not sys.stderr.isatty():
            return
        from utf8_abnf.language import messages

        files = count(messages.FILES, totals.checked)
        sums = []
        if totals.ill_formed:
            sequences = count(messages.SEQUENCES if totals.complete else messages.SEQUENCES_AT_LEAST, totals.errors)
            sums.append(say(messages.SUM, sequences=sequences, ill_formed=f"{totals.ill_formed:,}", files=files))
        if totals.refused:
            some = messages.REFUSED_CHARACTERS if totals.complete else messages.REFUSED_AT_LEAST
            facts = {"characters": count(some, totals.refused), "inputs": f"{totals.refused_inputs:,}"}
            sums.append(say(messages.REFUSED_SUM, **facts, files=files))
        if sums:
            print("; ".join(sums) + _aside(totals))
        else:
            verdict = messages.NOTHING_NEW if totals.known else messages.ALL_WELL
            verdict = verdict if totals.checked else messages.NOTHING_CHECKED
            print(say(verdict, files=files) + _aside(totals), file=sys.stderr)


class GitHubReporter(Reporter):
    """Workflow commands, which GitHub shows at the lines of a pull request."""

    wants_errors = True

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import github_of

        # GitHub knows names as in the repository: without the "./" that comes from the folder "."
        print(github_of("" if path == STDIN else shown(path).removeprefix("./"), located))

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        if any(unshown):
            print(f"::notice::{shown(path)}: {_more(unshown)}")
        if verdict == WRONG_MARK:
            print(f"::error file={shown(path).removeprefix('./')},line=1,col=1,title=UTF8-BOM::{advice}")
        elif verdict == WELL_FORMED and advice:
            print(f"::notice::{shown(path)}: {advice}")


class JsonLinesReporter(Reporter):
    """One JSON object on each line, by ``type``: error, file, problem, and summary at the end."""

    wants_errors = names_all = True

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import record_of

        print(_json({"type": "error", **_name(path), **record_of(located, head)}))

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        record = {"type": "file", **_name(path), "verdict": verdict, "errors": errors, "not_shown": sum(unshown)}
        print(_json(record | ({"advice": advice} if advice else {})))

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        print(_json({"type": "problem", **_name(path), "reason": reason}))

    def finish(self, totals: Totals) -> None:
        print(_json({"type": "summary", **vars(totals)}))


class JsonReporter(Reporter):
    """One JSON document, written as it comes: files with their errors, problems, summary."""

    wants_errors = names_all = True

    def __init__(self) -> None:
        self._files = 0
        self._errors = 0  # of the present file
        self._problems: list[dict[str, Any]] = []
        print('{"version": 1, "files": [', end="")

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import record_of

        print(",\n   " if self._errors else self._opening(path), end="")
        self._errors += 1
        print(_json(record_of(located, head)), end="")

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        record = {"verdict": verdict, "errors_total": errors, "not_shown": sum(unshown)}
        end = _json(record | ({"advice": advice} if advice else {}))[1:]
        print(f"{'' if self._errors else self._opening(path)}], {end}", end="")
        self._files += 1
        self._errors = 0

    def _opening(self, path: str) -> str:
        comma = "," if self._files else ""
        return f'{comma}\n  {_json(_name(path))[:-1]}, "errors": ['

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        if self._errors:  # it broke off in the middle of this file
            self.outcome(path, ILL_FORMED, self._errors, Rest())
        self._problems.append({**_name(path), "reason": reason})

    def finish(self, totals: Totals) -> None:
        print(f'\n ], "problems": {_json(self._problems)}, "summary": {_json(vars(totals))}}}')


class SarifReporter(Reporter):
    """SARIF 2.1.0, for code scanning; written as it comes. Columns count characters, offsets bytes."""

    wants_errors = True

    def __init__(self) -> None:
        from utf8_abnf import __version__
        from utf8_abnf.language import codes, refusals

        rules: list[dict[str, Any]] = [
            {
                "id": code,
                "shortDescription": {"text": say(entry.title)},
                "help": {"text": f"{say(entry.meaning)} {say(entry.advice)}"},
            }
            for code, entry in codes.ENTRIES.items()
        ]
        rules += [{"id": code, "shortDescription": {"text": say(text)}} for code, text in refusals.TITLES.items()]
        driver = {"name": "utf8-abnf", "version": __version__, "rules": rules}
        self._comma = ""
        self._notifications: list[dict[str, Any]] = []
        print('{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [{')
        print(f' "tool": {_json({"driver": driver})}, "columnKind": "unicodeCodePoints", "results": [', end="")

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import sentence_of

        region = {"startLine": located.line, "startColumn": located.column}
        region |= {"byteOffset": located.error.start, "byteLength": located.error.length}
        text = sentence_of(located, head)
        result = {"ruleId": located.error.code, "level": "error", "message": {"text": text}}
        print(f"{self._comma}\n  {_json(result | {'locations': [_sarif_location(path, region)]})}", end="")
        self._comma = ","

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        if verdict == WRONG_MARK:
            place = _sarif_location(path, {"startLine": 1, "startColumn": 1})
            result = {"level": "error", "message": {"text": advice}, "locations": [place]}
            print(f"{self._comma}\n  {_json(result)}", end="")
            self._comma = ","

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        text = {"message": {"text": reason}, "level": "error", "locations": [_sarif_location(path, None)]}
        self._notifications.append(text)

    def finish(self, totals: Totals) -> None:
        run = {"executionSuccessful": not self._notifications, "toolExecutionNotifications": self._notifications}
        print(f'\n ], "invocations": {_json([run])}}}]}}')


class JUnitReporter(Reporter):
    """JUnit XML, a test case for each input; kept in a file until their numbers, which stand before them, are known."""

    wants_errors = names_all = True

    def __init__(self) -> None:
        from tempfile import TemporaryFile

        self._case = ""  # the test case that is open
        self._tags: set[str] = set()  # of its elements
        self._numbers = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
        self._cases = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - finish closes it

    def error(self, path: str, located: Located, head: bytes) -> None:
        from utf8_abnf.explain.diagnostic import text_of

        self._open(path)
        lines = text_of(shown(path), located, head)
        self._element("failure", lines[0].removeprefix(f"{shown(path)}:"), "\n".join(lines), located.error.code)

    def outcome(self, path: str, verdict: str, errors: int, unshown: Rest, advice: str = "") -> None:
        from utf8_abnf.language import messages

        self._open(path)
        if verdict == BINARY:
            self._element("skipped", count(messages.BINARY_FILES, 1))
        if any(unshown):
            self._element("failure", _more(unshown))
        if verdict == WRONG_MARK:
            self._element("failure", advice, kind="UTF8-BOM")
        elif advice:
            self._element("system-out", "", advice)
        self._close()

    def problem(self, path: str, reason: str) -> None:
        super().problem(path, reason)
        self._open(path)
        self._element("error", reason)
        self._close()

    def finish(self, totals: Totals) -> None:
        numbers = " ".join(f'{name}="{number}"' for name, number in self._numbers.items())
        print(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {numbers}>')
        print(f'<testsuite name="utf8-abnf check" {numbers}>')
        with self._cases:
            self._cases.seek(0)
            sys.stdout.writelines(self._cases)
        print("</testsuite>\n</testsuites>")

    def _open(self, path: str) -> None:
        if not self._case:
            self._case = shown(path)
            print(f'<testcase classname="utf8-abnf.check" name={_quoted(self._case)}>', file=self._cases)

    def _close(self) -> None:
        outcome = next((tag for tag in ("error", "failure", "skipped") if tag in self._tags), "")
        self._numbers["tests"] += 1
        if outcome:
            self._numbers[outcome if outcome == "skipped" else f"{outcome}s"] += 1
        self._case, self._tags = "", set()
        print("</testcase>", file=self._cases)

    def _element(self, tag: str, message: str, text: str = "", kind: str = "") -> None:
        from xml.sax.saxutils import escape

        attributes = "".join(
            f" {name}={_quoted(value)}" for name, value in (("type", kind), ("message", message)) if value
        )
        self._tags.add(tag)
        print(f"<{tag}{attributes}>{escape(text)}</{tag}>", file=self._cases)


def _quoted(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


def _sarif_location(path: str, region: dict[str, int] | None) -> dict[str, Any]:
    from urllib.parse import quote

    name = STDIN_URI if path == STDIN else _raw(path).removeprefix(b"./")
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(name, safe="/!")}}
    return {"physicalLocation": place | ({"region": region} if region else {})}


def _raw(path: str) -> bytes:
    """Return a name as bytes: a file's own; a member's in UTF-8 where the encoding of the system lacks it."""
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")


def _json(value: object) -> str:
    import json  # 5 ms, which only the JSON formats have to spend

    return json.dumps(value)


def _name(path: str) -> dict[str, Any]:
    """Return the path for JSON, and also its bytes where they are not Unicode, which JSON cannot write."""
    if path == STDIN:
        return {"path": None}
    raw = _raw(path)
    try:
        return {"path": raw.decode()}
    except UnicodeDecodeError:
        from utf8_abnf.language.notation import hex_bytes

        return {"path": shown(path), "path_bytes": hex_bytes(raw)}


def _more(unshown: Rest) -> str:
    from utf8_abnf.language import messages

    kinds = zip((messages.MORE_SEQUENCES, messages.MORE_REFUSED), unshown, strict=True)
    return ", ".join(count(message, number) for message, number in kinds if number)


def _aside(totals: Totals) -> str:
    from utf8_abnf.language import messages

    notes = [
        count(message, number)
        for number, message in (
            (totals.binary, messages.BINARY_FILES),
            (totals.unreadable - totals.broken_off, messages.UNREADABLE),
            (totals.broken_off, messages.BROKEN_OFF),
            (totals.passed_over, messages.PASSED_OVER),
            (totals.marks, messages.WRONG_MARKS),
            (totals.known, messages.KNOWN),
            (totals.gone, messages.GONE),
            (totals.taken_out, messages.TAKEN_OUT),
        )
        if number
    ]
    return f" ({', '.join(notes)})" if notes else ""


def _painter() -> Callable[[str, str], str]:
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lambda style, text: text
    return lambda style, text: f"\x1b[{style}m{text}\x1b[0m"
