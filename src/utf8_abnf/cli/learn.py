"""``utf8-abnf learn``: a decoder's own grammar, written as ABNF beside the RFC's."""

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

SHOWN = 16  # bytes of an input

EXAMPLE = """\
example:
  utf8-abnf learn known:perl-utf8
  utf8-abnf learn stream:./my-decoder --k 1 --check L2 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``learn``."""
    parser.description = (
        "Ask a decoder questions until its smallest automaton is known; print the difference to the grammar, character "
        "form by character form, the name of the dialect if it is a known one, its own ABNF, and what was checked."
    )
    parser.epilog = EXAMPLE
    parser.add_argument("target", help="py:MODULE:NAME, lib:PATH:SYMBOL, stream:COMMAND, exec:COMMAND or known:NAME")
    parser.add_argument(
        "--k", type=int, choices=(0, 1), default=0, help="1 checks more: seconds in process, else minutes (default 0)"
    )
    parser.add_argument("--check", choices=("L1", "L2"), default="", help=(
        "also pose the inputs of a level of the conformance suites, with the model's verdicts: L2 has nine million"
    ))  # fmt: skip
    parser.add_argument("--grammar", default="utf8", metavar="NAME", help="the grammar it should follow (default utf8)")
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the grammar's first)")
    parser.add_argument("--format", choices=("text", "json", "abnf", "mermaid", "dot", "svg"), default="text",
        help="svg is a picture of the difference (default: text)")  # fmt: skip
    add_rows(parser)
    add_svg(parser)
    add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="longest wait for an answer")


def run(args: argparse.Namespace) -> int:
    """Learn, print, and return 0 where the decoder is as the grammar, 1 where it is not."""
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.harness.session import Session
    from utf8_abnf.harness.target import open_target
    from utf8_abnf.harness.worker import Limits
    from utf8_abnf.learning import Model, SessionBox, dialects, learn

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
            thrifty=target.kind == "exec",
            progress=progress.at,
        )
    finally:
        session.close()
        progress.clear()
    model = Model(session.hello.name or args.target, args.grammar, expected, learned)
    drawn = _shown(model, args.format)
    with opened(args.output) as stream:
        stream.write(drawn + "\n")
    if box.unjudged is not None:
        size = f" ({len(box.unjudged):,} bytes)" if len(box.unjudged) > SHOWN else ""
        example = f"{box.unjudged[:SHOWN].hex(' ').upper()}{' …' if size else ''}{size}"
        note = f"\nThe decoder could not judge {box.refused:,} inputs, such as {example}: taken as the model says."
        print(note, file=sys.stdout if args.format == "text" and not args.output else sys.stderr)
    return OK if model.counterexample is None else ILL_FORMED


def _shown(model: object, form: str) -> str:
    from utf8_abnf.learning import Model

    assert isinstance(model, Model)
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
