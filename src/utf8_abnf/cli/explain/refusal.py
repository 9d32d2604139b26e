"""``utf8-abnf explain PROFILE-…``: a code in; which profiles refuse such characters, why, and what to do out."""

from __future__ import annotations

from utf8_abnf.language import explanations
from utf8_abnf.language.catalogue import columns, padded, say, wrapped
from utf8_abnf.language.refusals import REFUSALS, SOURCES, TITLES

_WIDTH = 100


def text(code: str) -> str:
    """Return what there is to say of *code*, as lines."""
    lines = [f"{code}: {say(TITLES[code])}"]
    labels = [say(label) for label in (explanations.WHY, explanations.FIX, explanations.READ)]
    indent = max(map(columns, labels)) + 2
    for name, rows in REFUSALS.items():
        for row in rows:
            if row.code != code:
                continue
            lines += ["", f"  --profile {name}" if name else "  --profile FILE"]
            for label, message in zip(labels, (say(row.why), say(row.fix), _source(name)), strict=True):
                if message:
                    first, *rest = wrapped(message, _WIDTH - indent - 4)
                    lines += [f"    {padded(label, indent)}{first}", *(f"    {'':{indent}}{line}" for line in rest)]
    return "\n".join(lines)


def _source(name: str) -> str:
    return say(SOURCES[name]) if SOURCES[name] else ""
