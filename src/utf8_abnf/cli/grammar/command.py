"""``utf8-abnf grammar``: any ABNF grammar in; its automaton, pictures, lint, other notations and inputs out."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.diff import run_diff
from utf8_abnf.cli.grammar.documents import run_check, run_extract
from utf8_abnf.cli.grammar.fmt import run_fmt
from utf8_abnf.cli.grammar.grammars import add_bytes, add_depth, add_linking, add_start, load, print_json
from utf8_abnf.cli.grammar.writing import NOTATIONS, run_convert, run_generate
from utf8_abnf.cli.names import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

DESCRIPTION = """\
Compile, draw, lint and compare ABNF grammars (RFC 5234, RFC 7405): UTF-8's by default, another one that comes with this
package, or any file. A regular grammar compiles to the smallest automaton over bytes; for one that is not regular, the
command says why. `grammar convert` makes one file of a grammar that needs rules of others or whose values are code
points up to FF; the other actions take that file."""

EPILOG = """\
`utf8-abnf grammar ACTION --help` tells more about each action.

Grammars that come with this package: {names}.

exit status:
  0  done; lint has no warning, diff no difference, extract no problem, check no failure
  1  lint has a warning, fmt --check a file, diff a difference, extract left something out, or an example fails
  2  usage or I/O error, or the grammar cannot be used

examples:
  utf8-abnf grammar automaton
  utf8-abnf grammar diff mine.abnf utf8
  utf8-abnf grammar lint urn --start NID"""

GRAMMAR = "the name of a grammar that comes with this package, or a file"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions of ``grammar`` and their arguments."""
    parser.description = DESCRIPTION
    parser.epilog = EPILOG.format(names=", ".join(shipped_grammars()))
    actions = parser.add_subparsers(metavar="ACTION", required=True, title="actions")

    def action(name: str, run: Callable[[argparse.Namespace], int], what: str, example: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=what)
        made.description = f"{what[0].upper()}{what[1:]}."
        made.epilog = f"example:\n  utf8-abnf grammar {name} {example}".rstrip()
        made.set_defaults(action=run)
        return made

    made = action("automaton", _automaton, "print the smallest automaton over bytes", "--format dot")
    _add_grammar(made)
    _add_format(made, "text", "json", "mermaid", "dot", "svg")
    add_bytes(made)
    made = action("railroad", _railroad, "draw rules as railroad diagrams", "--rule UTF8-3")
    made.add_argument("grammar", metavar="GRAMMAR", nargs="?", default="utf8", help=f"{GRAMMAR} (default: utf8)")
    made.add_argument("--rule", metavar="RULE", help="draw this rule only (default: all of them)")
    _add_format(made, "text", "svg")
    add_bytes(made)
    made = action("html", _html, "write one page: rules, railroads, examples, what uses what", "uri -o uri.html")
    _add_grammar(made)
    made.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")
    what = "write the rules that a grammar uses as one file, in ABNF or another notation"
    made = action("convert", run_convert, what, "uri --start host --to lark")
    _add_grammar(made)
    add_linking(made)
    made.add_argument("--prose", choices=("nothing",),
        help="let prose and undefined rules derive nothing: leave out what needs them")  # fmt: skip
    made.add_argument("--http-lists", action="store_true", help="read 1#element as RFC 9110 does, and write it out")
    made.add_argument("--to", choices=NOTATIONS, default="abnf",
        help="the notation (default: abnf); regex is Python's")  # fmt: skip
    what = "write inputs that a grammar derives, or wrong ones"
    made = action("generate", run_generate, what, "json -n 3 --wrong")
    _add_grammar(made)
    made.add_argument("-n", type=int, default=20, metavar="N", dest="count", help="write N inputs (default: 20)")
    made.add_argument("--wrong", action="store_true", help="write inputs that are one edit away from right ones")
    made.add_argument("--seed", type=int, default=0, metavar="N", help="other inputs for another number (default: 0)")
    made = action("lint", _lint, "report mistakes and traps in grammars", "mine.abnf")
    made.add_argument("grammars", metavar="GRAMMAR", nargs="*", default=["utf8"], help=f"{GRAMMAR} (default: utf8)")
    add_start(made)
    made.add_argument("--fast", action="store_true", help="look less long for ambiguity, for hooks and editors")
    _add_format(made, "text", "json")
    made = action("fmt", run_fmt, "format files of ABNF in place: aligned =, 72 columns, comments kept", "*.abnf")
    made.add_argument("files", metavar="FILE", nargs="+", help="a file, or - from standard input to standard output")
    made.add_argument("--check", action="store_true", help="change no file, but name those that are not formatted")
    made.add_argument("--line-ends", choices=("lf", "crlf"), help="write these (default: those of the file)")
    made = action("diff", run_diff, "compare two grammars by the bytes that they accept", "dialects/wtf8 utf8")
    made.add_argument("left", metavar="A", help=GRAMMAR)
    made.add_argument("right", metavar="B", nargs="?", default="utf8", help="the other grammar (default: utf8)")
    made.add_argument("--start", metavar="RULE", help="the rule to compare (default: the first of each)")
    made.add_argument("--start-b", metavar="RULE", help="the rule of B, where it has another name there")
    add_depth(made)
    _add_format(made, "text", "json")
    what = "extract the ABNF from an RFC, RFC XML or Markdown, and name what could not be taken"
    made = action("extract", run_extract, what, "rfc3629.txt --section 4 > utf8.abnf")
    _add_document(made)
    made.add_argument("--http-lists", action="store_true", help="take rules with 1#element, lists of RFC 9110")
    what = "check that the examples in a document parse by its grammar, and the counterexamples do not"
    made = action("check", run_check, what, "draft.md --start message")
    _add_document(made)
    made.add_argument("--examples", metavar="FILE", help="take the examples from this document (default: the same)")
    made.add_argument("--start", metavar="RULE", help="the rule of examples without one (default: the first)")
    _add_format(made, "text", "json")


def _add_grammar(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grammar", metavar="GRAMMAR", nargs="?", default="utf8", help=f"{GRAMMAR} (default: utf8)")
    add_start(parser)


def _add_document(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the document: text, RFC XML or Markdown; - is standard input")
    parser.add_argument("--section", metavar="N", help="only from this section, as in 4 or B.1")


def _add_format(parser: argparse.ArgumentParser, *names: str) -> None:
    parser.add_argument("--format", choices=names, default=names[0], help=f"default: {names[0]}")


def run(args: argparse.Namespace) -> int:
    """Do what *args* ask and return the exit status."""
    return int(args.action(args))


def _automaton(args: argparse.Namespace) -> int:
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.automaton.annotate import annotated

    grammar = load(args.grammar, args.start)
    if args.format == "json":
        print_json(annotated(grammar, args.start))
        return OK
    automaton = compile_grammar(grammar, args.start)
    if args.format == "svg":
        from utf8_abnf.drawing.automaton_svg import automaton_svg

        title = f"Automaton of {grammar[args.start or grammar.start].name} ({grammar.file})"
        sys.stdout.write(automaton_svg(automaton, title=title, as_bytes=args.as_bytes))
    else:
        write = {"text": automaton.to_table, "mermaid": automaton.to_mermaid, "dot": automaton.to_dot}[args.format]
        sys.stdout.write(write(as_bytes=args.as_bytes))
    return OK


def _railroad(args: argparse.Namespace) -> int:
    from utf8_abnf.drawing.railroad import railroad_svg, railroad_text

    grammar = load(args.grammar, args.rule)
    draw = railroad_svg if args.format == "svg" else railroad_text
    sys.stdout.write(draw(grammar, args.rule, as_bytes=args.as_bytes).rstrip("\n") + "\n")
    return OK


def _html(args: argparse.Namespace) -> int:
    from utf8_abnf.cli.grammar.page import run_html

    return run_html(args)


def _lint(args: argparse.Namespace) -> int:
    from utf8_abnf.grammar.findings import INFO
    from utf8_abnf.grammar.lint import lint

    findings = []
    for name in args.grammars:
        grammar = load(name, args.start)
        own = Grammar.load(name).text.count("\n") + 1  # behind it are the rules of other grammars
        findings += [(grammar.file, each) for each in lint(grammar, args.start, fast=args.fast) if each.line <= own]
    if args.format == "json":
        print_json([{"file": file, **asdict(finding)} for file, finding in findings])
    else:
        for file, finding in findings:
            print(f"{shown(file)}:{finding}\n    {finding.help}")
    return ILL_FORMED if any(finding.severity != INFO for _, finding in findings) else OK
