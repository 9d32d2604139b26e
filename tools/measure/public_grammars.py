"""Try public grammars with every command, beside other tools: ``tools/measure/public_grammars.py FOLDER [NAME...]``.

The grammars are those of RFCs that the package ``abnf`` has in ``abnf.grammars``, so their texts need not be kept here,
and those that come with this package; a NAME may also be the path of a grammar. FOLDER is where
``npm install apg-js abnf`` was run. For each grammar, sentences are written, and wrong ones that are one edit away; all
parsers judge them. Prints Markdown tables for docs/measured.md: what each command makes
of a grammar, how many verdicts agree, and the CPU time of each parser for the same sentences.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

import abnf.grammars  # noqa: E402

from utf8_abnf.automaton import compile_grammar  # noqa: E402
from utf8_abnf.automaton.network import called_rules  # noqa: E402
from utf8_abnf.errors import Utf8AbnfError  # noqa: E402
from utf8_abnf.grammar import Grammar  # noqa: E402
from utf8_abnf.grammar.imports import linked  # noqa: E402
from utf8_abnf.grammar.lint import lint, roots  # noqa: E402
from utf8_abnf.parsers import LarkParser, ReferenceParser  # noqa: E402
from utf8_abnf.parsers.linear import TreeParser  # noqa: E402
from utf8_abnf.parsers.sentences import sentences, wrong_sentences  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

OURS = ("cddl", "iri", "json", "ngsi-ld", "urn")  # of those that come with this package, what abnf does not have
WORDS = 20  # sentences of each grammar, and as many wrong ones
MAX_BYTES = 80  # of a sentence: abnf and Lark take quadratic time and more
LARK_WORDS, LARK_BYTES = 8, 24  # Earley in Lark takes seconds for a large grammar
SECONDS = 10  # of CPU time, for one step


class TooSlowError(Exception):
    """A step took more than ``SECONDS``."""


@contextmanager
def limited() -> Iterator[None]:
    """Raise ``TooSlowError`` inside after ``SECONDS`` of CPU time."""

    def stop(*_: object) -> None:
        raise TooSlowError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def names() -> list[str]:
    """Return the names of the grammars."""
    found = [each.name for each in pkgutil.iter_modules(abnf.grammars.__path__) if each.name.startswith("rfc")]
    return [name for name in found if lines_of(importlib.import_module(f"abnf.grammars.{name}"))] + list(OURS)


def text_of(name: str) -> str:
    """Return the text of the grammar *name*, with the rules that it takes from others."""
    if name in OURS or Path(name).is_file():
        return Grammar.load(name).text
    with tempfile.TemporaryDirectory() as folder:
        return whole(name, Path(folder))


def lines_of(module: ModuleType) -> list[str]:
    """Return the rules of *module*; of a rule that it has twice, the last."""
    lines = module.Rule.grammar if isinstance(module.Rule.grammar, list) else []
    return list({line.partition("=")[0].strip().lower(): line for line in lines}.values())


def whole(name: str, folder: Path, *, complete: bool = False) -> str:
    """Return the text of the grammar *name*, and behind it the rules that it takes from others; *folder* has these.

    *complete*: also those that it takes and does not use, because a third grammar takes them from it.
    """
    module = importlib.import_module(f"abnf.grammars.{name}")
    text, defines = "".join(f"{line}\n" for line in lines_of(module)), {}
    grammar = Grammar.parse(text, file=name)
    for rule, other, theirs in re.findall(r'\("([\w-]+)", (\w+)\.Rule\("([\w-]+)"\)\)', inspect.getsource(module)):
        source = folder / f"{other}.abnf"
        if not source.exists():
            source.write_text(whole(other, folder, complete=True), "utf-8")
        if rule.lower() not in grammar.rules:
            defines[rule] = f"{source}:{theirs}"
            text += f"{rule} = <imported>\n" if complete else ""
    return linked(Grammar.parse(text, file=name), [], defines).text


def root_of(grammar: Grammar) -> str:
    """Return the rule that no other uses, and that reaches the most rules."""
    own = [rule for rule in grammar.rules.values() if not rule.core]
    return max(roots(grammar, own) or own, key=lambda rule: len(grammar.reachable(rule.name))).name


def judged(parser: Any, words: list[bytes]) -> tuple[list[bool | None], float]:
    """Return the verdicts of *parser*, None where it has none, and its CPU seconds."""
    verdicts: list[bool | None] = []
    begin = time.process_time()
    for word in words:
        try:
            with limited():
                verdicts.append(parser.accepts(word))
        except (Utf8AbnfError, TooSlowError, RecursionError):
            verdicts.append(None)
    return verdicts, time.process_time() - begin


def others(folder: str, text: str, start: str, words: list[bytes], *, code_points: bool) -> dict[str, Any]:
    """Return what apg-js and node-abnf say: verdicts and CPU seconds, or an error."""
    with tempfile.TemporaryDirectory() as place:
        job = Path(place, "job.json")
        shown = [word.decode("utf-8" if code_points else "latin-1", "replace") for word in words]
        job.write_text(json.dumps({"text": text, "start": start, "words": shown}))
        script = Path(__file__).with_suffix(".mjs")
        command = ["node", str(script), str(Path(folder).resolve()), str(job)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return dict(json.loads(done.stdout))


def kind(grammar: Grammar, start: str) -> str:
    """Return what the automaton of *start* is like."""
    if calls := called_rules(grammar, start):
        return "recursive: " + ", ".join(sorted(grammar[name].name for name in calls)[:2])
    with limited():
        automaton = compile_grammar(grammar, start)
    return f"{len(automaton.table) - len(automaton.dead):,} states"


def said(step: Callable[[], object]) -> Any:
    """Return what *step* returns, or its error as text."""
    try:
        with limited():
            return step()
    except TooSlowError:
        return f"more than {SECONDS} s"
    except Utf8AbnfError as error:
        return str(error).partition(": ")[2] or str(error)


def tried(folder: str, name: str, text: str) -> tuple[list[str], list[str], Counter[str]]:
    """Return the rows of both tables for one grammar, and what adds up."""
    grammar = Grammar.parse(text, file=name)
    start = root_of(grammar)
    begin = time.process_time()
    findings = said(lambda: lint(grammar, start, fast=True))
    seconds = time.process_time() - begin
    counts = Counter(each.severity for each in findings) if isinstance(findings, list) else Counter()
    lints = f"{counts['error']}, {counts['warning']}, {counts['info']} ({seconds:.1f} s)"
    name = Path(name).stem
    first = [name, start, f"{len(grammar.reachable(start))}", grammar.values, str(said(lambda: kind(grammar, start)))]
    right = said(lambda: sentences(grammar, start, count=WORDS))
    if isinstance(right, str):
        return [*first, lints, right], [], Counter(grammars=1)
    words = [word for word in right if len(word) <= MAX_BYTES]
    derived = len(words)
    wrong = said(lambda: wrong_sentences(grammar, tuple(words), start))
    words += wrong if isinstance(wrong, list) else []
    row = [*first, lints, f"{derived} + {len(words) - derived}"]
    parser = said(lambda: TreeParser(grammar, start))
    if isinstance(parser, str):
        return [*row[:-1], parser], [], Counter(grammars=1)
    ours, seconds = judged(parser, words)
    assert ours == [True] * derived + [False] * (len(words) - derived), name
    totals, cells = Counter(grammars=1, with_sentences=1, sentences=len(words)), [f"{seconds * 1000:.0f}"]
    theirs = others(folder, text, start, words, code_points=grammar.values != "bytes")
    made = said(lambda: ReferenceParser(grammar, start))
    theirs["abnf"] = made
    if not isinstance(made, str):
        verdicts, seconds = judged(made, words)
        theirs["abnf"] = {"verdicts": verdicts, "seconds": seconds}
    made = said(lambda: LarkParser(grammar, start))
    few = [number for number, word in enumerate(words) if len(word) <= LARK_BYTES][::3][:LARK_WORDS]
    if not isinstance(made, str):
        verdicts, seconds = judged(made, [words[number] for number in few])
        theirs["lark"] = {"verdicts": verdicts, "seconds": seconds, "of": [ours[number] for number in few]}
    for tool in ("abnf", "lark", "apg-js", "node-abnf"):
        result = theirs.get(tool)
        if not isinstance(result, dict) or "verdicts" not in result:
            cells += ["refused: " + " ".join(str(result)[:60].split())]
            totals[f"{tool} refused"] += 1
            continue
        pairs = list(zip(result["verdicts"], result.get("of", ours), strict=True))
        same, none = sum(a == b for a, b in pairs), sum(a is None for a, _ in pairs)
        totals[f"{tool} same"] += same
        totals[f"{tool} other"] += len(pairs) - same - none
        totals[f"{tool} none"] += none
        cells += [f"{same}/{len(pairs)} in {result['seconds'] * 1000:.0f}" + (f", {none} undecided" if none else "")]
    return row, [name, *cells], totals


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(each.replace("|", "\\|") for each in line) + " |" for line in lines)


def main(folder: str, *chosen: str) -> None:
    """Measure and print."""
    made, speeds, totals = [], [], Counter[str]()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the tables of what is done are worth having
    for name in chosen or names():
        print(name, file=sys.stderr, flush=True)
        try:
            row, speed, counts = tried(folder, name, text_of(name))
        except KeyboardInterrupt:
            break
        except Utf8AbnfError as error:
            row, speed, counts = [name, "", "", "", str(error).partition(": ")[2], "", ""], [], Counter(grammars=1)
        made.append(row)
        speeds += [speed] if speed else []
        totals += counts
    packages = [
        json.loads(Path(folder, "node_modules", each, "package.json").read_text()) for each in ("apg-js", "abnf")
    ]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(
        f"{time.strftime('%Y-%m-%d', time.gmtime())}, {platform.machine()}, CPython {platform.python_version()},"
        f" abnf {version('abnf')}, lark {version('lark')}, apg-js {packages[0]['version']},"
        f" node-abnf {packages[1]['version']}, node {node}\n"
    )
    print(
        table(["grammar", "start", "rules", "values", "automaton", "lint: errors, warnings, infos", "sentences"], made)
    )
    print()
    print(table(["grammar", "ours: ms", "abnf", "lark", "apg-js", "node-abnf"], speeds))
    print()
    for key in sorted(totals):
        print(f"{key}: {totals[key]:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
