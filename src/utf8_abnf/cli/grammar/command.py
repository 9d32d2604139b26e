"""``utf8-abnf grammar``: any ABNF grammar in; its automaton, regular expression, pictures, lint, comparison out."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.diff import run_diff
from utf8_abnf.cli.grammar.documents import add_document, run_check, run_extract
from utf8_abnf.cli.grammar.grammars import add_depth, add_values, content, load, loaded, print_json, regular
from utf8_abnf.cli.grammar.writing import run_convert, run_generate
from utf8_abnf.cli.output import add_output, add_svg, opened
from utf8_abnf.cli.sources import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.grammar import Grammar
from utf8_abnf.language import grammars
from utf8_abnf.language.catalogue import say, told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator


DESCRIPTION = """\
Compile, draw, lint and compare ABNF grammars (RFC 5234, RFC 7405): UTF-8's by default, another one that comes with this
package, or any file. A regular grammar compiles to the smallest automaton over bytes; for one that is not regular, the
command says why."""

EPILOG = """\
`utf8-abnf grammar ACTION --help` tells more about each action.

grammars that come with this package:
  {names}

exit status:
  0  done; lint has no warning, diff no difference, extract no problem, check no failure
  1  lint has a warning, diff a difference, extract left something out, or an example fails
  2  usage or I/O error, or the grammar cannot be used

examples:
  utf8-abnf grammar automaton
  utf8-abnf grammar diff mine.abnf utf8
  utf8-abnf grammar lint urn --start NID"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions of ``grammar`` and their arguments."""
    from utf8_abnf.grammar.files import shipped_grammars

    parser.description = DESCRIPTION
    parser.epilog = EPILOG.format(names=", ".join(shipped_grammars()))
    actions = parser.add_subparsers(metavar="ACTION", required=True, title="actions")

    def action(name: str, run: Callable[[argparse.Namespace], int], what: str, example: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=what)
        made.description = f"{what[0].upper()}{what[1:]}."
        made.epilog = f"example:\n  utf8-abnf grammar {example}"
        made.set_defaults(action=run)
        return made

    made = _subject(
        action("automaton", _automaton, "print the smallest automaton over bytes", "automaton --format dot")
    )
    made.add_argument("--format", choices=("text", "json", "mermaid", "dot", "svg"), default="text",
        help="json adds the rules of each move, svg is a picture (default: text)")  # fmt: skip
    add_svg(made)
    add_output(made)
    made = action("railroad", _railroad, "draw rules as railroad diagrams", "railroad --rule UTF8-3")
    made.add_argument("grammar", metavar="GRAMMAR", nargs="?", default="utf8",
        help="the name of a grammar that comes with this package, or a file (default: utf8)")  # fmt: skip
    made.add_argument("--rule", metavar="RULE", help="draw this rule only (default: all of them)")
    made.add_argument("--format", choices=("text", "svg"), default="text", help="default: text")
    add_svg(made)
    add_output(made)
    made = _subject(
        action("regex", _regex, "print a regular expression that matches the same bytes", "regex urn --start NID")
    )
    made.add_argument("--flavour", choices=("python", "ecmascript"), default="python",
        help="for Python's re on bytes, or for JavaScript on latin-1 strings (default: python)")  # fmt: skip
    _subject(action("lark", _lark, "print the same grammar for the parser generator Lark, over bytes", "lark utf8"))
    made = _subject(
        action(
            "convert",
            run_convert,
            "write the rules that a grammar uses as one file, in ABNF or another notation",
            "convert uri --start host --to ebnf",
        )
    )
    made.add_argument("--to", choices=("abnf", "ebnf", "lark", "regex"), default="abnf",
        help="ebnf is the notation of XML 1.0 and other documents of W3C (default: abnf)")  # fmt: skip
    made = _subject(
        action(
            "generate",
            run_generate,
            "write inputs that a grammar derives, or wrong ones",
            "generate json --cover alternatives",
        )
    )
    made.add_argument("-n", type=int, metavar="N", dest="count",
        help="write N inputs (default: 20, or as many as --cover needs)")  # fmt: skip
    made.add_argument("--cover", choices=("rules", "alternatives", "edges"), help=(
        "use every rule; also every alternative, option and repetition in each way; or also every alternative of a "
        "rule at each place where the rule is used, and both ends of each range"
    ))  # fmt: skip
    made.add_argument("--wrong", action="store_true",
        help="write inputs that the grammar does not derive, each one edit away from one that it does")  # fmt: skip
    made.add_argument("--seed", type=int, default=0, metavar="N", help="other inputs for another number (default: 0)")
    made.add_argument("--format", choices=("text", "json"), default="text",
        help="text has an input on each line, with \\xHH for bytes that cannot be shown (default: text)")  # fmt: skip
    made = _subject(action("lint", _lint, "report mistakes and traps in a grammar", "lint mine.abnf"))
    made.add_argument("--fast", action="store_true",
        help="look less long for ambiguity and alternatives that hide others, for hooks and editors")  # fmt: skip
    made.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    made = action("diff", run_diff, "compare two grammars by the bytes that they accept", "diff dialects/wtf8 utf8")
    made.add_argument("left", metavar="A", help="the name of a grammar that comes with this package, or a file")
    made.add_argument(
        "right", metavar="B", nargs="?", default="utf8", help="the grammar to compare it with (default: utf8)"
    )
    made.add_argument("--start", metavar="RULE", help="the rule to compare, in A and B (default: the first of each)")
    made.add_argument("--start-b", metavar="RULE", help="the rule of B, where it has another name there")
    add_values(made)
    add_depth(made)
    made.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    made = action("coverage", _coverage, "show which rules, alternatives and bytes the files use", "coverage *.txt")
    made.add_argument("files", metavar="FILE", nargs="+", help="an input; - is standard input")
    made.add_argument("--lines", action="store_true", help="each line, without its line end, is an input")
    made.add_argument("--grammar", metavar="NAME|FILE", default="utf8", help="default: utf8")
    made.add_argument("--start", metavar="RULE", help="the rule to derive from (default: the grammar's first)")
    add_values(made)
    made.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    made = action(
        "extract",
        run_extract,
        "extract the ABNF from an RFC, RFC XML or Markdown, and name what could not be taken",
        "extract rfc3629.txt --section 4 > utf8.abnf",
    )
    add_document(made)
    made = action(
        "check",
        run_check,
        "check that the examples in a document parse by its grammar, and the counterexamples do not",
        "check draft.md --start message",
    )
    add_document(made)
    made.add_argument("--examples", metavar="FILE", help=(
        "take the examples from this document (default: the same one): blocks whose word in Markdown, or type in RFC "
        "XML, is abnf-example or abnf-counterexample and then a rule; with s at the end, each line is one"
    ))  # fmt: skip
    made.add_argument("--start", metavar="RULE", help="the rule of examples that name none (default: the first)")
    add_values(made)
    made.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _subject(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the arguments for grammar and rule, which all actions on one grammar share."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("grammar", metavar="GRAMMAR", nargs="?", default="utf8",
        help="the name of a grammar that comes with this package, or a file (default: utf8)")  # fmt: skip
    which.add_argument("--grammar", metavar="GRAMMAR", dest="named", help="the same, as in other commands")
    parser.add_argument("--start", metavar="RULE", help="the rule to start from (default: the grammar's first)")
    add_values(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do what *args* ask and return the exit status."""
    with regular():
        return int(args.action(args))


def _automaton(args: argparse.Namespace) -> int:
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.automaton.annotate import annotated

    grammar = loaded(args)
    if args.format == "json":
        with opened(args.output) as stream:
            stream.write(json.dumps(annotated(grammar, args.start)) + "\n")
        return OK
    automaton = compile_grammar(grammar, args.start)
    if args.format == "svg":
        from utf8_abnf.drawing.automaton_svg import automaton_svg

        title = say(grammars.AUTOMATON_OF, rule=grammar[args.start or grammar.start].name, file=grammar.file)
        text = automaton_svg(automaton, title=title)
    else:
        text = {"text": automaton.to_table, "mermaid": automaton.to_mermaid, "dot": automaton.to_dot}[args.format]()
    with opened(args.output) as stream:
        stream.write(text)
    return OK


def _railroad(args: argparse.Namespace) -> int:
    from utf8_abnf.drawing.railroad import railroad_svg
    from utf8_abnf.drawing.railroad_text import railroad_text

    grammar = Grammar.load(args.grammar)
    drawn = railroad_svg(grammar, args.rule) if args.format == "svg" else railroad_text(grammar, args.rule) + "\n"
    with opened(args.output) as stream:
        stream.write(drawn)
    return OK


def _regex(args: argparse.Namespace) -> int:
    from utf8_abnf.automaton.regex import to_regex

    print(to_regex(loaded(args), args.start, flavour=args.flavour))
    return OK


def _lark(args: argparse.Namespace) -> int:
    from utf8_abnf.parsers.lark import to_lark

    sys.stdout.write(to_lark(loaded(args), args.start))
    return OK


def _lint(args: argparse.Namespace) -> int:
    from utf8_abnf.grammar.lint import INFO, lint

    grammar = loaded(args)
    own = Grammar.load(args.named or args.grammar).text.count("\n") + 1  # behind it are the rules of other grammars
    findings = [each for each in lint(grammar, args.start, fast=args.fast) if each.line <= own]
    if args.format == "json":
        print_json([{"file": grammar.file, **asdict(finding)} for finding in findings])
    else:
        for finding in findings:
            place = f"{shown(grammar.file)}:{finding.line}:{finding.column}"
            print(f"{place}: {finding.severity}: {told(finding.message)} [{finding.code}]\n    {told(finding.help)}")
    return ILL_FORMED if any(finding.severity != INFO for finding in findings) else OK


def _coverage(args: argparse.Namespace) -> int:
    from utf8_abnf.parsers.coverage import coverage

    found = coverage(load(args.grammar, args), _inputs(args.files, lines=args.lines), args.start)
    if args.format == "json":
        print_json(found.to_json())
    else:
        sys.stdout.write(found.to_text())
    return OK


def _inputs(files: list[str], *, lines: bool) -> Iterator[bytes]:
    for path in files:
        data = content(path)
        if lines:
            yield from (line.removesuffix(b"\r") for line in data.removesuffix(b"\n").split(b"\n"))
        else:
            yield data
