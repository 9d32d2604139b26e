"""Print the ABNF of an RFC's text file: ``python3 tools/extract.py --section 4 tests/references/rfc3629.txt``."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.extract import extract

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file", type=Path)
parser.add_argument("--section", help="take this section only, with its subsections: 4, B.1")
args = parser.parse_args()
try:
    found = extract(args.file.read_text("utf-8", "surrogateescape"), args.section, file=str(args.file))
except (GrammarError, OSError) as error:
    sys.exit(f"extract: {error}")
sys.stdout.write(found.text)
sys.exit("\n".join(f"extract: {args.file}:{line}: {message}" for line, message in found.problems) or 0)
