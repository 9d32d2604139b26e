"""``utf8-abnf learn``: find out what a decoder accepts, write it as ABNF, and compare it with the RFC's grammar."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.cli.conformance.targets import add_max_time, add_target, add_timeout, limits_of, target_of
from utf8_abnf.cli.grammar.grammars import add_start, load
from utf8_abnf.cli.progress import Progress
from utf8_abnf.cli.status import ILL_FORMED, OK, TARGET
from utf8_abnf.conformance.harness.box import SessionBox, deadline
from utf8_abnf.conformance.harness.driving.session import Session
from utf8_abnf.conformance.learning import (
    Model,
    NotLearnableError,
    OutOfQuestionsError,
    UnsteadyError,
    learn,
)
from utf8_abnf.conformance.naming.naming import shown
from utf8_abnf.language.notation import counted, hex_bytes

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Query a decoder until its smallest automaton is known. Print how it differs from the grammar, the name of its dialect if
it is a known one, its own grammar as ABNF, and what was checked. Of a decoder that looks at lengths, print the length
at which its answers change."""

EPILOG = """\
exit status:
  0  no deviation was seen
  1  the decoder deviates from the grammar, or answers one input in two ways
  2  usage or I/O error
  3  the decoder could not be started, crashed or stopped answering, or the time was over

examples:
  utf8-abnf learn known:perl-utf8-decode
  utf8-abnf learn stream:./my-decoder --format json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``learn``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    add_target(parser)
    add = parser.add_argument
    add("--grammar", default="utf8", metavar="NAME|FILE", help="what the decoder should follow (default: utf8)")
    add_start(parser)
    add("--format", choices=("text", "json", "abnf"), default="text", help="default: text; abnf for other commands")
    add_timeout(parser)
    add_max_time(parser)
    add("-q", "--quiet", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Learn, print, and return 0 if the decoder accepts exactly the words of the grammar, 1 if not."""
    grammar = load(args.grammar, args.start)
    expected = compile_grammar(grammar, args.start)
    target = target_of(args, None if args.grammar == "utf8" else grammar)
    progress = Progress("questions", quiet=args.quiet)
    overdue = deadline(args.max_time)
    with closing(Session(target.start, limits_of(args), overdue)) as session:
        box = SessionBox(session, expected, overdue)
        name = box.name or args.target
        try:
            learned = learn(box, expected, expensive=target.expensive, progress=progress.at)
        except (NotLearnableError, OutOfQuestionsError) as error:
            progress.clear()
            return _print_failure(name, error, args, box.refused)
        finally:
            progress.clear()
    model = Model(name, args.grammar, expected, learned, box.refused, box.unjudged)
    if args.format == "json":
        print(json.dumps(model.to_json(), indent=2))
    elif args.format == "abnf":
        print(model.abnf, end="")
        if model.not_judged:
            print(model.not_judged, file=sys.stderr)
    else:
        print(model)
    return OK if model.conforms else ILL_FORMED


def _print_failure(
    name: str, error: NotLearnableError | OutOfQuestionsError, args: argparse.Namespace, refused: int
) -> int:
    """Print why there is no model, and return the exit status; *refused* inputs could not be judged.

    A decoder that follows the grammar has a model, so one that cannot be learned deviates.
    """
    facts: dict[str, Any] = {"decoder": name, "grammar": args.grammar, "verdict": "", "conforms": False}
    facts["unsteady"] = isinstance(error, UnsteadyError)
    if isinstance(error, OutOfQuestionsError):
        answered = f"it answered {counted(error.questions - refused, 'question')}. --max-time allows more time."
        facts["verdict"] = f"{name} was not learned in {args.max_time:g} s: {answered}"
        facts |= {"conforms": None, "counterexample": None, "questions": error.questions, "refused": refused}
        if error.word is not None:
            facts |= {"conforms": False, "counterexample": hex_bytes(error.word)}
            verb, derives = ("accepts", "does not derive") if error.accepted else ("rejects", "derives")
            facts["verdict"] += f"\nIt deviates: it {verb} {shown(error.word)}, which {args.grammar} {derives}."
    else:
        why = "is unsteady" if facts["unsteady"] else "deviates, and cannot be learned"
        facts["verdict"] = f"{name} {why}: {error}"
    is_wanted = args.format != "abnf"
    text = json.dumps(facts, indent=2) if args.format == "json" else facts["verdict"]
    print(text, file=sys.stdout if is_wanted else sys.stderr)
    return TARGET if isinstance(error, OutOfQuestionsError) else ILL_FORMED
