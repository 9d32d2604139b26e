"""``utf8-abnf parse``: bytes in, the tree by which a grammar derives them out, from a parser of your choice."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from utf8_abnf.automaton.explain import explain_failure
from utf8_abnf.cli.grammar.grammars import add_bytes, add_linking, add_start, linked_grammar
from utf8_abnf.cli.grammar.inputs import bytes_of_hex, content
from utf8_abnf.cli.grammar.refused import print_refusal
from utf8_abnf.cli.names import STDIN, shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.errors import ParseError
from utf8_abnf.grammar.values import LAST_ASCII

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.tree import Tree

DESCRIPTION = """\
Print the parse tree of bytes: each use of a rule with its alternative (from 1, where the rule has several), its byte
range (end not included), its bytes and, for UTF-8, the character. Where all values of the grammar are ASCII, and the
input is not given with --hex, it prints text in place of bytes, unless --bytes is given. If the grammar does not
derive the bytes, say where and why."""

EPILOG = """\
There are three parsers: automaton (ours, for any grammar and input; linear time where the grammar allows), reference
(the package abnf) and lark. The last two have limits of size for recursive grammars: use the automaton above them.

If a grammar is ambiguous, the input may have several derivations; then a line on standard error says so, and names the
first byte at which they part. The automaton and the reference print the same one: the first alternative in the order of
the grammar, the longest first item of a sequence, then the longest second one, the fewest items of a repetition. The
tree of lark may be another one.

exit status:
  0  the grammar derives the bytes
  1  it does not
  2  usage or I/O error, or the parser cannot decide

examples:
  utf8-abnf parse --hex 'E2 82 AC'
  utf8-abnf parse --text 'é' --format json
  utf8-abnf parse --text 'é€' --format svg > tree.svg
  utf8-abnf parse --grammar urn --text urn:isbn:0451450523
  utf8-abnf parse --grammar json --text '[1, {"a": []}]'
  printf 'ab\\355\\240\\200' | utf8-abnf parse -"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``parse``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    source = parser.add_mutually_exclusive_group()
    source.add_argument("file", metavar="FILE", nargs="?", help="parse a file; - is standard input, the default")
    source.add_argument("--hex", metavar="BYTES", help='parse bytes in hex, as in "E2 82 AC"')
    source.add_argument("--text", metavar="TEXT", help="parse the UTF-8 bytes of TEXT")
    parser.add_argument("--grammar", metavar="NAME|FILE", default="utf8",
        help="a grammar of the package, or a file (default: utf8)")  # fmt: skip
    add_start(parser)
    add_linking(parser)
    parser.add_argument("--parser", choices=("automaton", "reference", "lark"), default="automaton",
        help="default: automaton")  # fmt: skip
    parser.add_argument("--format", choices=("text", "json", "svg"), default="text", help="default: text")
    add_bytes(parser)


def run(args: argparse.Namespace) -> int:
    """Parse what *args* name, print the tree, and return the exit status."""
    from utf8_abnf.parsers.lark import LarkParser
    from utf8_abnf.parsers.linear import TreeParser
    from utf8_abnf.parsers.reference import ReferenceParser

    grammar = linked_grammar(args)
    name, data = _input(args)
    fork = None
    try:
        if args.parser == "automaton":
            parser = TreeParser(grammar, args.start)
            tree, fork = parser.parse(data), parser.fork
        else:
            tree = (ReferenceParser if args.parser == "reference" else LarkParser)(grammar, args.start).parse(data)
    except ParseError as error:
        return _refused(grammar, args, name, data, error)
    as_text = args.hex is None and not args.as_bytes and grammar.greatest_value(args.start) <= LAST_ASCII
    lines: Iterable[str] = (f"{line}\n" for line in tree.lines(data, as_text=as_text))
    if args.format == "json":
        lines = _json(tree, data)
    elif args.format == "svg":
        from utf8_abnf.drawing.tree_svg import tree_svg

        lines = [tree_svg(tree, data, as_text=as_text)]
    sys.stdout.writelines(lines)
    if fork is not None:
        print(f"ambiguous: another derivation exists; it parts from this one at byte {fork}", file=sys.stderr)
    return OK


def _input(args: argparse.Namespace) -> tuple[str, bytes]:
    if args.hex is not None:
        return "--hex", bytes_of_hex([args.hex])
    if args.text is not None:
        return "--text", os.fsencode(args.text)  # exactly the bytes of the command line, well-formed or not
    path = args.file or STDIN
    return shown(path), content(path)


def _refused(grammar: Grammar, args: argparse.Namespace, name: str, data: bytes, error: ParseError) -> int:
    """Print why *data* has no tree, in the words of the automaton, whatever the parser."""
    refusal = explain_failure(grammar, data, args.start)
    if refusal is None:
        raise error
    if args.format == "json":
        print(json.dumps({"error": str(refusal), "offset": refusal.offset, "expected": refusal.expected}))
    else:
        print(end=f"{name}: ")
        print_refusal(refusal, data, args.start or grammar.start, grammar)
    return ILL_FORMED


def _json(tree: Tree, data: bytes) -> Iterator[str]:
    """Yield the tree as JSON piece by piece: it may be far larger than its input."""
    open_nodes = 0
    for depth, node in tree.walk():
        yield "]}" * (open_nodes - depth)
        yield "," if open_nodes > depth else ""
        yield json.dumps(replace(node, children=()).to_json(data)).removesuffix("]}")
        open_nodes = depth + 1
    yield "]}" * open_nodes + "\n"
