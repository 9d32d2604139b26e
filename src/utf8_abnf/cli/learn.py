"""``utf8-abnf learn``: find out what a decoder accepts, write it as ABNF, and compare it with the RFC's grammar."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.output import add_output, add_svg, opened
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.rows import add_rows
from utf8_abnf.cli.status import ILL_FORMED, OK

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.learning import Model

EXAMPLE = """\
exit status:
  0  the decoder accepts what the grammar accepts
  1  it deviates
  2  usage or I/O error
  3  the decoder could not be started, or kept crashing

examples:
  utf8-abnf learn known:perl-utf8-decode
  utf8-abnf learn stream:./my-decoder --k 1 --check L2 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``learn``."""
    parser.description = (
        "Ask a decoder questions until its smallest automaton is known. Print how it differs from the grammar, the "
        "name of its dialect if it is a known one, its own grammar as ABNF, and what was checked."
    )
    parser.epilog = EXAMPLE
    parser.add_argument("target", help="py:MODULE:NAME, lib:PATH:SYMBOL, stream:COMMAND, exec:COMMAND or known:NAME")
    parser.add_argument(
        "--k", type=int, choices=(0, 1), default=0,
        help="1 rules out one extra state: 256 times the questions, minutes for a stream (default 0)",
    )  # fmt: skip
    parser.add_argument("--check", choices=("L1", "L2"), default="", help=(
        "also ask the inputs of a level of the conformance suites (L2: nine million), and compare with the model"
    ))  # fmt: skip
    parser.add_argument(
        "--grammar", default="utf8", metavar="NAME", help="the grammar that the decoder should follow (default utf8)"
    )
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the grammar's first)")
    parser.add_argument("--format", choices=("text", "json", "abnf", "mermaid", "dot", "svg"), default="text",
        help="svg is a picture of the difference (default: text)")  # fmt: skip
    add_rows(parser)
    add_svg(parser)
    add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="longest wait for an answer")


def run(args: argparse.Namespace) -> int:
    """Learn, print, and return 0 if the decoder accepts exactly the words of the grammar, 1 if not."""
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.harness.opening import open_target
    from utf8_abnf.harness.session import Session
    from utf8_abnf.harness.worker import Limits
    from utf8_abnf.learning import Model, SessionBox, dialects, learn
    from utf8_abnf.learning.teacher import shown

    expected = compile_grammar(Grammar.load(args.grammar), args.start)
    target = open_target(args.target, rows=args.rows)
    session = Session(target.start, Limits(silence=args.timeout))
    box = SessionBox(session, expected)
    progress = Progress("questions", quiet=args.quiet)
    try:
        learned = learn(
            box,
            expected,
            near=dialects().values(),
            k=args.k,
            level=args.check,
            expensive=target.kind == "exec",
            progress=progress.at,
        )
    finally:
        session.close()
        progress.clear()
    model = Model(session.hello.name or args.target, args.grammar, expected, learned)
    text = _formatted(model, args.format)
    with opened(args.output) as stream:
        stream.write(text + "\n")
    if box.unjudged is not None:
        note = (
            f"\nThe decoder could not judge {box.refused:,} inputs, such as {shown(box.unjudged)}: "
            "for these the model's verdict was taken."
        )
        print(note, file=sys.stdout if args.format == "text" and not args.output else sys.stderr)
    return OK if model.counterexample is None else ILL_FORMED


def _formatted(model: Model, form: str) -> str:
    match form:
        case "json":
            return json.dumps(model.to_json(), indent=2)
        case "abnf":
            return model.abnf.rstrip("\n")
        case "mermaid":
            return model.automaton.to_mermaid().rstrip("\n")
        case "dot":
            return model.automaton.to_dot().rstrip("\n")
        case "svg":
            from utf8_abnf.drawing.difference_svg import difference_svg

            names = (model.name, model.grammar)
            return difference_svg(model.automaton, model.expected, names=names).rstrip("\n")
        case _:
            return str(model)
