"""``utf8-abnf learn``: find out what a decoder accepts, write it as ABNF, and compare it with the RFC's grammar."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammars import add_values, load, regular
from utf8_abnf.cli.output import add_output, add_svg, opened
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.rows import add_target, add_timeout, target_of, timeouts
from utf8_abnf.cli.status import ILL_FORMED, OK

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.learning import Model, NotLearnableError

EXAMPLE = """\
exit status:
  0  no deviation was seen: in all the words of --k, if that is given, and of --check
  1  the decoder deviates from the grammar, or answers one input in two ways
  2  usage or I/O error
  3  the decoder could not be started, crashed, or stopped answering

examples:
  utf8-abnf learn known:perl-utf8-decode
  utf8-abnf learn stream:./my-decoder --k 1 --check L2 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``learn``."""
    parser.description = (
        "Ask a decoder questions until its smallest automaton is known. Print how it differs from the grammar, the "
        "name of its dialect if it is a known one, its own grammar as ABNF, and what was checked. Of a decoder that "
        "looks at lengths, print the length at which its answers change."
    )
    parser.epilog = EXAMPLE
    add_target(parser)
    parser.add_argument(
        "--k", type=int, choices=(0, 1), default=0,
        help="ask all words that are K bytes longer than the W method needs: 1 rules out one extra state, and takes "
        "millions of questions (default 0)",
    )  # fmt: skip
    parser.add_argument("--check", choices=("L1", "L2"), default="", help=(
        "also ask the inputs of a level of the conformance suites (L2: nine million), and compare with the model"
    ))  # fmt: skip
    parser.add_argument(
        "--grammar", default="utf8", metavar="NAME", help="the grammar that the decoder should follow (default utf8)"
    )
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the grammar's first)")
    add_values(parser)
    parser.add_argument("--format", choices=("text", "json", "abnf", "mermaid", "dot", "svg"), default="text",
        help="svg is a picture of the difference (default: text)")  # fmt: skip
    add_timeout(parser)
    add_svg(parser)
    add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Learn, print, and return 0 if the decoder accepts exactly the words of the grammar, 1 if not."""
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.harness.session import Session
    from utf8_abnf.harness.worker import Limits
    from utf8_abnf.learning import Model, NotLearnableError, SessionBox, dialects, learn
    from utf8_abnf.learning.teacher import shown

    grammar = load(args.grammar, args)
    with regular():
        expected = compile_grammar(grammar, args.start)
    target = target_of(args, None if args.grammar == "utf8" else grammar)
    session = Session(target.start, Limits(*timeouts(args)))
    box = SessionBox(session, expected)
    progress = Progress("questions", quiet=args.quiet)
    name = session.hello.name or args.target
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
    except NotLearnableError as error:
        progress.clear()
        return _not_learned(name, error, args)
    finally:
        session.close()
        progress.clear()
    model = Model(name, args.grammar, expected, learned)
    text = _formatted(model, args.format)
    with opened(args.output) as stream:
        stream.write(text + "\n")
    if box.unjudged is not None:
        note = (
            f"\nThe decoder could not judge {box.refused:,} inputs, such as {shown(box.unjudged)}: "
            "for these the model's verdict was taken."
        )
        print(note, file=sys.stdout if args.format == "text" and not args.output else sys.stderr)
    return OK if model.conforms else ILL_FORMED


def _not_learned(name: str, error: NotLearnableError, args: argparse.Namespace) -> int:
    """Say why there is no model. A decoder that follows the grammar has one, so this decoder deviates."""
    from utf8_abnf.learning import UnsteadyError

    unsteady = isinstance(error, UnsteadyError)
    verdict = f"{name} {'is unsteady' if unsteady else 'deviates, and cannot be learned'}: {error}"
    facts = {"decoder": name, "grammar": args.grammar, "verdict": verdict, "conforms": False, "unsteady": unsteady}
    if args.format in {"text", "json"}:
        with opened(args.output) as stream:
            stream.write((json.dumps(facts, indent=2) if args.format == "json" else verdict) + "\n")
    else:
        print(verdict, file=sys.stderr)
    return ILL_FORMED


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
