"""Write ``docs/tour.ipynb`` and run it: ``python3 tools/docs/notebook.py [--check]``.

With ``--check`` nothing is written: the notebook is run again in a fresh kernel, and the status is 1 where an output
is not the one that is committed. Only a report's seconds and its version of Python may differ.
Needs nbclient and ipykernel.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "docs" / "tour.ipynb"

CELLS = (
    """\
# UTF-8's grammar, seen at work

After `%load_ext utf8_abnf.drawing` a notebook shows values of `utf8_abnf` as pictures: grammars as railroad diagrams,
automata as machines, decoders beside what they should be.
This page is written and run by `tools/docs/notebook.py`, and the tests run it again.
""",
    """\
## The grammar

RFC 3629 section 4 in nine lines of ABNF.
Follow a track from the dot to the ring: rounded boxes are bytes, square ones are other rules.
""",
    ["%load_ext utf8_abnf.drawing", "from utf8_abnf.grammar import Grammar\n\nutf8 = Grammar.load('utf8')\nutf8"],
    """\
## The automaton

The smallest machine that accepts the same bytes.
Its columns are the bytes that are still missing, and `E0`, `ED`, `F0` and `F4` have states of their own: after them not
every tail is allowed.
""",
    [
        "from utf8_abnf.automaton import compile_grammar\n\nautomaton = compile_grammar(utf8)\nautomaton",
        "print(automaton.to_table())",
    ],
    """\
## A parse tree, and the bits

The tree knows where each rule stands; with the bytes beside it, it can be printed.
The flow of the bits is RFC 3629 section 3.
""",
    [
        "from utf8_abnf.parsers import parse_tree\n\ndata = 'é€'.encode()\ntree = parse_tree(utf8, data)\ntree",
        "print(tree.to_text(data))",
        "from utf8_abnf.codec.steps import decode_steps\n\ndecode_steps('€'.encode())",
    ],
    """\
## What is wrong

The fast validator says where, why and by which rule.
""",
    [r"from utf8_abnf import first_error" + "\n\n" + r"first_error(b'ab\xed\xa0\x80c')"],
    """\
## A decoder that is too kind

It lets surrogates through.
The conformance suite finds that, and the learner writes down what the decoder really accepts: dashed is what it takes
and the grammar does not.
""",
    [
        "from utf8_abnf.conformance import run\n\n\n"
        "def kind(data: bytes) -> bool:\n    data.decode('utf-8', 'surrogatepass')\n    return True\n\n\n"
        "run(kind, level='L0')",
        "from utf8_abnf.conformance.learning import Model, learn\n\n\n"
        "def accepts(data: bytes) -> bool:\n    try:\n        return kind(data)\n"
        "    except UnicodeDecodeError:\n        return False\n\n\n"
        "learned = learn(lambda words: [accepts(word) for word in words], automaton)\n"
        "model = Model('a kind decoder', 'utf8', automaton, learned)\nmodel",
        "model.difference",
    ],
    """\
## Any other grammar

The same for URNs, dates, or a file of your own.
Where there is no room for a picture there is text.
""",
    [
        "from utf8_abnf.drawing.railroad_text import railroad_text\n\nprint(railroad_text(Grammar.load('urn'), 'NSS'))",
        "compile_grammar(Grammar.load('date-time'), 'time-offset')",
    ],
)


def main() -> int:
    """Run the notebook, write or check it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; compare the outputs")
    args = parser.parse_args()
    made = executed()
    if args.check:
        there = json.loads(PATH.read_text(encoding="utf-8"))
        stale = [number for number, same in enumerate(map(equal, there["cells"], made["cells"])) if not same]
        if len(there["cells"]) != len(made["cells"]) or stale:
            print(f"docs/tour.ipynb is stale in cells {stale}; run: python3 tools/docs/notebook.py", file=sys.stderr)
            return 1
        return 0
    PATH.write_text(json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    return 0


def executed() -> dict[str, Any]:
    """Return the notebook, its cells run in a kernel of this Python, without what depends on the machine."""
    notebook = nbformat.v4.new_notebook()
    for each in CELLS:
        if isinstance(each, str):
            notebook.cells.append(nbformat.v4.new_markdown_cell(each))
        else:
            notebook.cells += [nbformat.v4.new_code_cell(source) for source in each]
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
    os.environ["LANGUAGE"] = "en"  # which the kernel inherits
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    plain: dict[str, Any] = json.loads(nbformat.writes(notebook))
    return plain


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two cells have the same source and, but for seconds, the same outputs."""
    return all(_timeless(one.get(key)) == _timeless(other.get(key)) for key in ("source", "outputs"))


def _timeless(value: Any) -> str:
    """Return *value* as text without seconds and the version of Python, which a report has."""
    return re.sub(r"\b\d+\.\d+ s\b|seconds=[\d.e-]+|\b3\.\d+\.\d+\w*", "", json.dumps(value, sort_keys=True))


if __name__ == "__main__":
    sys.exit(main())
