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


def table() -> str:
    """Return the table of all families of UTF-8."""
    lines = ["| level | family | cases | modes | what | SHA-256 |", "|---|---|--:|---|---|---|"]
    for family in families("L3"):
        shown = "in process" if family.in_process else f"`{digest(family)}`"
        cells = (family.level, f"`{family.name}`", f"{family.count:,}", family.modes, family.about, shown)
        lines.append(f"| {' | '.join(cells)} |")
    for level in ("L0", "L1", "L2", "L3"):
        total = sum(family.count for family in families(level))
        lines.append(f"| {level} | all | {total:,} | | | |")
    return "\n".join(lines)


def page(text: str) -> str:
    """Return the page *text* with the table of today."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{table()}\n\n{END}{tail}"


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
