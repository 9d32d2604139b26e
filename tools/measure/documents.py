"""Count the rules of documents that can be used: ``tools/measure/documents.py FILE...``; each FILE holds ABNF in text.

Prints a row of a Markdown table for each document: its rules, those from which input can be parsed as they are, those
for which prose that names a class is read as the class, and those with ``--prose nothing --http-lists``.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))

from utf8_abnf.errors import GrammarError  # noqa: E402
from utf8_abnf.grammar import Grammar  # noqa: E402
from utf8_abnf.grammar.analysis import productive_rules  # noqa: E402
from utf8_abnf.grammar.extract import extract  # noqa: E402
from utf8_abnf.grammar.prose import with_classes, with_lists_written_out  # noqa: E402

HEAD = "| document | rules | usable | with classes | with `--prose nothing --http-lists` |\n|---|--:|--:|--:|--:|"


def parsed(grammar: Grammar) -> int:
    """Return the number of rules of *grammar* from which bytes can be parsed."""
    return sum(usable(grammar, rule.name) for rule in grammar.rules.values() if not rule.core)


def usable(grammar: Grammar, start: str) -> bool:
    """Return whether *grammar* can parse from the rule *start*."""
    try:
        grammar.check(start)
    except GrammarError:
        return False
    return True


def counts(path: Path) -> list[int] | None:
    """Return the four numbers of the document *path*; None if no rule is in it."""
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        plain = Grammar.parse(extract(text).text)
        lists = with_lists_written_out(Grammar.parse(extract(text, lists=True).text, lists=True))
    except GrammarError:
        return None
    kept = productive_rules(with_classes(lists))
    derive = sum(rule.name.lower() in kept for rule in lists.rules.values() if not rule.core)
    return [sum(not rule.core for rule in plain.rules.values()), parsed(plain), parsed(with_classes(plain)), derive]


def main() -> int:
    """Print the table and its sum."""
    print(HEAD)
    total = [0] * 4
    for path in map(Path, sys.argv[1:]):
        if (row := counts(path)) is None:
            print(f"{path.name}: no rule is in it", file=sys.stderr)
            continue
        total = [a + b for a, b in zip(total, row, strict=True)]
        print(f"| {path.stem} |", " | ".join(map(str, row)), "|")
    print("| all |", " | ".join(map(str, total)), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
