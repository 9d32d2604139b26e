"""Write the hashes of the families into docs/_static/suites.sha256, or check them.

.venv/bin/python tools/docs/suites.py            # write
.venv/bin/python tools/docs/suites.py --check    # exit status 1 if the file has others
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

FILE = Path(__file__).resolve().parents[2] / "docs/_static/suites.sha256"


def digest(family: Family) -> str:
    """Return the SHA-256 of all frames of *family*, then of all its verdicts, in hex."""
    made, verdicts = hashlib.sha256(), []
    for batch in family.batches():
        made.update(batch.frames)
        verdicts.append(batch.verdicts)
    for part in verdicts:
        made.update(part)
    return made.hexdigest()


def hashes() -> str:
    """Return a line for each family of UTF-8 that is not made in process: its hash and its name."""
    return "".join(f"{digest(family)}  {family.name}\n" for family in families("L2"))


def main() -> int:
    """Run the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if the file is out of date")
    args = parser.parse_args()
    new = hashes()
    if args.check and new != FILE.read_text(encoding="utf-8"):
        print("docs/_static/suites.sha256 is out of date: run tools/docs/suites.py", file=sys.stderr)
        return 1
    if not args.check:
        FILE.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
