"""Write the counts and hashes of the families into docs/suites.md, or check them.

.venv/bin/python tools/docs/suites.py            # write
.venv/bin/python tools/docs/suites.py --check    # exit status 1 if docs/suites.md says anything else
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.suite import families

if TYPE_CHECKING:
    from utf8_abnf.conformance.suite import Family

PAGE = Path(__file__).resolve().parents[2] / "docs" / "suites.md"
BEGIN = "<!-- made by tools/docs/suites.py: do not edit up to the next mark -->"
END = "<!-- end of what tools/docs/suites.py makes -->"


def digest(family: Family) -> str:
    """Return the SHA-256 of all frames of *family*, then of all its verdicts, in hex."""
    made, verdicts = hashlib.sha256(), []
    for batch in family.batches():
        made.update(batch.frames)
        verdicts.append(batch.verdicts)
    for part in verdicts:
        made.update(part)
    return made.hexdigest()


def tables() -> str:
    """Return a table of the families of UTF-8 for each level."""
    parts = []
    for level in ("L0", "L1", "L2", "L3"):
        in_process = level == "L3"
        lines = ["| family | cases | what |", "|---|--:|---|"]
        if not in_process:
            lines = ["| family | cases | what | SHA-256 |", "|---|--:|---|---|"]
        for family in (family for family in families(level) if family.level == level):
            cells = [f"`{family.name}`", f"{family.count:,}", family.about]
            lines.append(f"| {' | '.join(cells if in_process else [*cells, f'`{digest(family)}`'])} |")
        total = sum(family.count for family in families(level))
        added = "" if level == "L0" else " with those of the lower levels"
        parts.append(f"**{level}**, {total:,} cases{added}:\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def page(text: str) -> str:
    """Return the page *text* with the tables of today."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{tables()}\n\n{END}{tail}"


def main() -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if the page is out of date")
    args = parser.parse_args()
    old = PAGE.read_text(encoding="utf-8")
    new = page(old)
    if args.check and new != old:
        print("docs/suites.md is out of date: run tools/docs/suites.py", file=sys.stderr)
        return 1
    if not args.check:
        PAGE.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
