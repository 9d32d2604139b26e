"""What the linter of grammars finds, and what to do: in English, with facts as named fields."""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """What is said of a finding, and what to do."""

    message: str
    help: str


_IN_PARTS = "lint parts of the grammar, each with its start rule"

# By the code of the finding.
FINDINGS = {
    "undefined-rule": Wording("rule {name} is not defined", "define {name}, or correct the name"),
    "prose": Wording(
        "<{text}> is prose, which no program can follow",
        "write it as ABNF, or copy the rule from the document that defines it",
    ),
    "beyond-byte": Wording(
        "value {value} does not fit in a byte",
        "with --values utf-8, values are code points; or write it as bytes, as grammar/utf8.abnf does",
    ),
    "beyond-unicode": Wording(
        "value {value} is no code point", "10FFFF is the greatest code point (RFC 3629 section 3)"
    ),
    "surrogates": Wording(
        "{values} has surrogates, D800 to DFFF, which UTF-8 cannot encode: they are left out",
        "leave them out of the grammar: end a range at D7FF, and begin another one at E000",
    ),
    "bytes-or-code-points": Wording(
        "{values} are bytes here; some documents mean the code points {first} to U+00FF",
        "if this one does, use --values utf-8",
    ),
    "endless-rule": Wording(
        "rule {name} derives no sentence: it never ends", "write a way through it that uses no such rule"
    ),
    "left-recursion": Wording(
        "left recursion: {circle}", "write it as a repetition, *( … ): top-down parsers do not terminate here"
    ),
    "recursion": Wording(
        "recursion: {circle}; ambiguity is examined only in the rules without it", "none if nesting is intended"
    ),
    "ambiguity": Wording(
        "{rule} derives {word} in two ways; they part here, in {place}",
        "parsers may return different trees; change the rule so that one way remains",
    ),
    "ambiguity-undecided": Wording("from here on, ambiguity is not examined: {reason}", _IN_PARTS),
    "unreachable-alternative": Wording(
        "unreachable: the alternatives before it match all that {alternative} matches",
        "remove it, or move it before them",
    ),
    "shadowed-alternative": Wording(
        "a first-match parser stops short: alternative {number}, {alternative}, takes {part} of {whole}",
        "put the longer alternative first for parsers that take the first match (PEG); others are not affected",
    ),
    "alternatives-undecided": Wording("from here on, alternatives are not compared: {reason}", _IN_PARTS),
    "core-rule-redefined": Wording(
        "{name} is a core rule, {core}, and its definition here is another one", "give the rule another name"
    ),
    "core-rule-repeated": Wording(
        "{name} is a core rule, and its definition here is that of RFC 5234",
        "remove it: core rules need no definition",
    ),
    "unused-rule": Wording("rule {name} is unused: {why}", "remove it, or pass it as the start rule"),
    "any-case": Wording(
        '"{text}" also matches "{other}"{more}', 'write %s"{text}" (RFC 7405) if only this case is meant'
    ),
    "non-ascii-comment": Wording(
        "{character} in a comment: RFC 5234 allows only printable ASCII",
        "write comments in ASCII if other tools have to read the file; this package reads any character there",
    ),
    "no-final-newline": Wording("the last line has no line end", "add one: RFC 5234 requires it"),
    "no-crlf": Wording(
        "lines end in LF; RFC 5234 requires CRLF",
        "write CRLF if strict tools have to read the file; this package and most tools accept LF",
    ),
}

# Parts of these.
UNUSED_BY = "{start} does not use it"
UNUSED = "no other rule uses it"
MORE_STRINGS = " (and {count} more strings in {name})"
EMPTY = "the empty string"
