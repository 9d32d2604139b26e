"""W3C's EBNF: read again by Lark, turned into regular expressions of Python, it has the verdicts of our parser."""

import re

import lark
import pytest

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.ebnf import to_ebnf
from utf8_abnf.parsers.linear import TreeParser
from utf8_abnf.parsers.sentences import sentences, wrong_sentences

# The notation of XML 1.0 (fifth edition) section 6, as far as we write it.
NOTATION = lark.Lark(
    r"""
    start: rule+
    rule: HEAD "::=" choice
    choice: sequence ("|" sequence)*
    sequence: item+
    item: atom OPERATOR?
    ?atom: NAME -> name | HEX -> char | CLASS -> class | STRING -> string | "(" choice ")"
    HEAD.2: /[A-Za-z][A-Za-z0-9-]*(?=\s*::=)/
    NAME: /[A-Za-z][A-Za-z0-9-]*(?![A-Za-z0-9-]|\s*::=)/
    HEX: /#x[0-9A-F]+/
    CLASS: /\[[^\]]+\]/
    STRING: /"[^"]*"/
    OPERATOR: /[?*+]/
    COMMENT: /\/\*.*?\*\//s
    %ignore /\s+/
    %ignore COMMENT
    """,
    parser="lalr",
)


def expression(text):
    """Return *text*, whose rules are not recursive, as a regular expression: rules inlined, from the first."""
    rules = {}
    for rule in NOTATION.parse(text).children:
        rules[str(rule.children[0])] = rule.children[1]
    return written(rules, rules[next(iter(rules))])


def written(rules, node):
    inside = [each if isinstance(each, lark.Token) else written(rules, each) for each in node.children]
    match node.data:
        case "choice":
            return f"(?:{'|'.join(inside)})"
        case "sequence" | "item":
            return "".join(inside)
        case "name":
            return written(rules, rules[str(node.children[0])])
        case "char":
            return re.escape(chr(int(inside[0][2:], 16)))
        case "string":
            return f"(?:{re.escape(inside[0][1:-1])})"
        case "class":
            return re.sub("#x([0-9A-F]+)", lambda found: f"\\U{int(found[1], 16):08x}", str(inside[0]))
    raise AssertionError(node.data)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "start"), [("utf8", "UTF8-char"), ("date-time", "date-time"), ("uri", "IPv4address"),
                                             ("iri", "iquery"), ("cddl", "text"), ("urn", "NID")])  # fmt: skip
def test_the_notation_means_the_same_bytes_and_code_points(name, start):
    grammar = Grammar.load(name) if name != "cddl" else Grammar.load(name, values="utf-8")
    pattern = re.compile(expression(to_ebnf(grammar, start)))
    encoding = "utf-8" if grammar.values == "utf-8" else "latin-1"
    good = sentences(grammar, start, cover="edges", count=40).words
    parser = TreeParser(grammar, start)
    wrong = wrong_sentences(grammar, good, start)
    assert len(wrong) > 8
    for word in (*good, *wrong):
        assert bool(pattern.fullmatch(word.decode(encoding))) is parser.accepts(word), word


SHAPES = {
    "a = 2*4%x41": "a ::= #x41 #x41 (#x41 #x41?)?",
    "a = 3*%x41": "a ::= #x41 #x41 #x41+",
    "a = *( *%x41 )": "a ::= (#x41*)*",
    'a = 0"x" "y"': 'a ::= "" [Yy]',
    'a = %s"ab-" %s"c"': 'a ::= "ab-" "c"',
    'a = 2"-b"': 'a ::= ("-" [Bb]) ("-" [Bb])',
    'a = [ "1" ] / ( %x20 / %x22 )': 'a ::= "1"?\n    | (#x20 | #x22)',
    "a = %x5B-5D": "a ::= [#x5B-#x5D]",
    "a = %xD700-E0FF": "a ::= [#xD700-#xD7FF#xE000-#xE0FF]",
    "a = %x80": "/* Values are bytes, not characters. */\na ::= #x80",
    "a = [ 2%x41 ]": "a ::= (#x41 #x41)?",
}


@pytest.mark.parametrize("text", SHAPES)
def test_every_form_of_abnf_has_its_form(text):
    assert to_ebnf(Grammar.parse(text + "\n")) == SHAPES[text] + "\n"


@pytest.mark.parametrize(
    ("text", "message"), [("a = 2000%x41", "cannot count"), ("a = <b>", "is prose"), ("a = b", "b")]
)
def test_what_cannot_be_written_is_an_error(text, message):
    with pytest.raises(GrammarError, match=message):
        to_ebnf(Grammar.parse(text + "\n"))
