"""Explains an error code: its causes, its history, attacks and advice, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.explain.bytes import naive_texts
from utf8_abnf.explain.diagnostic import rule_line
from utf8_abnf.explain.steps import explain_bytes
from utf8_abnf.language import explanations
from utf8_abnf.language.catalogue import columns, padded, say, wrapped
from utf8_abnf.language.codes import ENTRIES
from utf8_abnf.language.refusals import REFUSALS, SOURCES, TITLES

if TYPE_CHECKING:
    from collections.abc import Iterator

CODES = (*ENTRIES, *TITLES)
_WIDTH = 100


def title_of(code: str) -> str:
    """Return what *code* means in a few words."""
    return say(TITLES[code] if code in TITLES else ENTRIES[code].title)


def entry_of(code: str) -> str:
    """Return the explanation of *code* as lines."""
    about = _of_profiles(code) if code in TITLES else ["", *_of_utf8(code)]
    return "\n".join([f"{code}: {title_of(code)}", *about])


def _of_utf8(code: str) -> Iterator[str]:
    entry = ENTRIES[code]
    data = bytes.fromhex(entry.example)
    piece = next(explain_bytes(data))
    rule = rule_line(piece.error.rule if piece.error else "UTF8-char", data[0])
    return _table([
        (explanations.MEANING, say(entry.meaning)),
        (explanations.BYTES, "; ".join(map(say, entry.ranges))),
        (explanations.RULE, f"{rule.text} ({rule.file}:{rule.line})"),
        (explanations.EXAMPLE, f"{entry.example}  utf8-abnf explain {entry.example}"),
        *((explanations.NAIVE_LABEL, text) for text in naive_texts(piece)),
        (explanations.HISTORY, say(entry.history)),
        (explanations.ATTACK, say(entry.attack)),
        (explanations.FIX, say(entry.advice)),
        (explanations.READ, say(entry.read)),
    ], margin=2)  # fmt: skip


def _of_profiles(code: str) -> Iterator[str]:
    """Yield which profiles refuse such characters, why, and what to do."""
    for name, refusals in REFUSALS.items():
        source = say(SOURCES[name]) if SOURCES[name] else ""
        for refusal in refusals:
            if refusal.code == code:
                yield f"\n  --profile {name or 'FILE'}"
                labels = (explanations.WHY, explanations.FIX, explanations.READ)
                yield from _table([*zip(labels, (say(refusal.why), say(refusal.fix), source), strict=True)], margin=4)


def _table(rows: list[tuple[str, str]], *, margin: int) -> Iterator[str]:
    """Yield the lines of a table of labels and texts; a row without a text is left out."""
    indent = max(columns(say(label)) for label, _ in rows) + 2
    for label, text in rows:
        if text:
            first, *rest = wrapped(text, _WIDTH - indent - margin)
            yield f"{'':{margin}}{padded(say(label), indent)}{first}"
            yield from (f"{'':{margin + indent}}{line}" for line in rest)
