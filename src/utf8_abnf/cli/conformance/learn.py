"""``utf8-abnf learn``: find out what a decoder accepts, write it as ABNF, and compare it with the RFC's grammar."""

from __future__ import annotations

import json
import sys
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.cli.conformance.targets import add_target, add_timeout, target_of, timeouts
from utf8_abnf.cli.grammar.grammars import load, regular
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK, TARGET
from utf8_abnf.conformance.harness.box import SessionBox, deadline
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.harness.driving.worker import Limits
from utf8_abnf.conformance.learning import (
    Model,
    NotLearnableError,
    OutOfQuestionsError,
    UnsteadyError,
    dialects,
    learn,
)
from utf8_abnf.conformance.learning.teacher import shown
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

EXAMPLE = """\
exit status:
  0  no deviation was seen: in all the words of --k, if that is given, and of --check
  1  the decoder deviates from the grammar, or answers one input in two ways
  2  usage or I/O error
  3  the decoder could not be started, crashed or stopped answering, or the time was over

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
        "--k", type=int, choices=(0, 1), default=0, help="1 rules out one extra state: millions of questions"
    )
    parser.add_argument(
        "--check", choices=("L1", "L2"), default="", help="also compare the model on a level of the suites"
    )
    parser.add_argument(
        "--grammar", default="utf8", metavar="NAME", help="what the decoder should follow (default utf8)"
    )
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the first)")
    parser.add_argument("--format", choices=("text", "json", "abnf", "dot", "svg"), default="text",
        help="svg draws the automaton (default: text)")  # fmt: skip
    add_timeout(parser)
    parser.add_argument("--max-time", type=float, default=600.0, metavar="S",
        help="stop after S seconds (default 600; 0: never)")  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Learn, print, and return 0 if the decoder accepts exactly the words of the grammar, 1 if not."""
    grammar = load(args.grammar, args.start)
    with regular():
        expected = compile_grammar(grammar, args.start)
    target = target_of(args, None if args.grammar == "utf8" else grammar)
    progress = Progress("questions", quiet=args.quiet)
    overdue = deadline(args.max_time)
    with closing(Session(target.start, Limits(*timeouts(args)), overdue)) as session:
        box = SessionBox(session, expected, overdue)
        name = box.name or args.target
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
        except (NotLearnableError, OutOfQuestionsError) as error:
            progress.clear()
            return _not_learned(name, error, args, box.refused)
        finally:
            progress.clear()
    model = Model(name, args.grammar, expected, learned, box.refused, box.unjudged)
    _write(_formatted(model, args.format), args)
    if model.not_judged and args.format not in {"text", "json"}:
        print(model.not_judged, file=sys.stderr)
    return OK if model.conforms else ILL_FORMED


def _write(text: str, args: argparse.Namespace) -> None:
    with open(args.output, "w", encoding="utf-8", newline="") if args.output else nullcontext(sys.stdout) as stream:
        stream.write(f"{text}\n")


def _not_learned(
    name: str, error: NotLearnableError | OutOfQuestionsError, args: argparse.Namespace, refused: int
) -> int:
    """Say why there is no model, and return the exit status; *refused* inputs could not be judged.

    A decoder that follows the grammar has a model, so one that cannot be learned deviates.
    """
    facts: dict[str, object] = {"decoder": name, "grammar": args.grammar, "verdict": "", "conforms": False}
    facts["unsteady"] = isinstance(error, UnsteadyError)
    if isinstance(error, OutOfQuestionsError):
        facts["verdict"] = "\n".join(_seen_in_time(name, error, args, error.questions - refused))
        facts["conforms"] = None if error.word is None else False
        facts["counterexample"] = None if error.word is None else hex_bytes(error.word)
        facts["questions"], facts["refused"] = error.questions, refused
    else:
        facts["verdict"] = (
            f"{name} {'is unsteady' if facts['unsteady'] else 'deviates, and cannot be learned'}: {error}"
        )
    if args.format in {"text", "json"}:
        _write(json.dumps(facts, indent=2) if args.format == "json" else str(facts["verdict"]), args)
    else:
        print(facts["verdict"], file=sys.stderr)
    return TARGET if isinstance(error, OutOfQuestionsError) else ILL_FORMED


def _seen_in_time(name: str, error: OutOfQuestionsError, args: argparse.Namespace, judged: int) -> Iterator[str]:
    """Yield what was seen until the time was over, a sentence for each line; *judged* questions were answered."""
    answered = f"{judged:,} question{'s' * (judged != 1)}"
    yield f"{name} was not learned in {args.max_time:g} s: it answered {answered}. --max-time allows more time."
    if error.word is not None:
        verb, derives = ("accepts", "does not derive") if error.accepted else ("rejects", "derives")
        yield f"It deviates: it {verb} {shown(error.word)}, which {args.grammar} {derives}."


def _formatted(model: Model, form: str) -> str:
    match form:
        case "json":
            return json.dumps(model.to_json(), indent=2)
        case "abnf":
            return model.abnf.rstrip("\n")
        case "dot":
            return model.automaton.to_dot().rstrip("\n")
        case "svg":
            from utf8_abnf.drawing.automaton_svg import automaton_svg

            return automaton_svg(model.automaton, title=f"Automaton of {model.name}").rstrip("\n")
        case _:
            return str(model)
