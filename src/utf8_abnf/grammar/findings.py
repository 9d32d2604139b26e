"""List the kinds of the linter's findings: for each code its severity, its message and its help."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"  # the grammar cannot be used, or only in part
WARNING = "warning"  # the grammar can be used, and may not mean what its author thinks
INFO = "info"  # worth knowing


class Kind(NamedTuple):
    """A kind of finding; facts stand in *message* and *help* as named fields."""

    severity: str
    message: str
    help: str


_IN_PARTS = "lint parts of the grammar, each with its start rule"

KINDS = {
    "undefined-rule": Kind(ERROR, "rule {name} is not defined", "define {name}, or correct the name"),
    "prose": Kind(
        ERROR,
        "<{text}> is prose, which no program can follow",
        "write it as ABNF, or copy the rule from the document that defines it",
    ),
    "beyond-byte": Kind(
        ERROR,
        "value {value} does not fit in a byte",
        "let the rule to start from use it, then values are code points; or write it as bytes",
    ),
    "beyond-unicode": Kind(
        ERROR, "value {value} is no code point", "10FFFF is the greatest code point (RFC 3629 section 3)"
    ),
    "surrogates": Kind(
        WARNING,
        "{values} has surrogates, D800 to DFFF, which UTF-8 cannot encode: they are left out",
        "leave them out of the grammar: end a range at D7FF, and begin another one at E000",
    ),
    "bytes-or-code-points": Kind(
        INFO,
        "{values} are bytes here; some documents mean the code points {first} to U+00FF",
        "if this one does, `grammar convert --values utf-8` writes their bytes",
    ),
    "endless-rule": Kind(
        WARNING, "rule {name} derives no sentence: it never ends", "write a way through it that uses no such rule"
    ),
    "left-recursion": Kind(
        WARNING,
        "left recursion: {circle}; ambiguity is looked for up to {depth} uses of a rule within itself",
        "write it as a repetition, *( … ): top-down parsers do not terminate here",
    ),
    "recursion": Kind(
        INFO,
        "recursion: {circle}; ambiguity is looked for up to {depth} uses of a rule within itself",
        "none if nesting is intended",
    ),
    "ambiguity": Kind(
        WARNING,
        "{rule} derives {word} in two ways; they part here, in {place}",
        "parsers may return different trees; change the rule so that one way remains",
    ),
    "ambiguity-undecided": Kind(INFO, "from here on, ambiguity is not examined: {reason}", _IN_PARTS),
    "unreachable-alternative": Kind(
        WARNING,
        "unreachable: the alternatives before it match all that {alternative} matches",
        "remove it, or move it before them",
    ),
    "shadowed-alternative": Kind(
        WARNING,
        "a first-match parser stops short: alternative {number}, {alternative}, takes {part} of {whole}",
        "put the longer alternative first for parsers that take the first match (PEG); others are not affected",
    ),
    "alternatives-undecided": Kind(INFO, "from here on, alternatives are not compared: {reason}", _IN_PARTS),
    "precedence": Kind(
        WARNING,
        "/ binds weaker than concatenation: this is {single}, or {sequence}",
        "did you mean {grouped}? If not, put {sequence} in a group (RFC 5234 section 3.10)",
    ),
    "decimal-range": Kind(
        INFO,
        "{values} is one value from {low} to {high}, not the text of a number",
        "for the text {low} to {high} write its digits, as in 1*{digits}DIGIT",
    ),
    "core-rule-redefined": Kind(
        WARNING, "{name} is a core rule, {core}, and its definition here is another one", "give the rule another name"
    ),
    "core-rule-repeated": Kind(
        INFO,
        "{name} is a core rule, and its definition here is that of RFC 5234",
        "remove it: core rules need no definition",
    ),
    "own-name": Kind(
        WARNING,
        "{other} is rule {name} itself: the names of rules are the same in any case",
        "write {name}; if another rule is meant, give one of the two another name",
    ),
    "unused-rule": Kind(INFO, "rule {name} is unused: {why}", "remove it, or pass it as the start rule"),
    "any-case": Kind(
        INFO, '"{text}" also matches "{other}"{more}', 'write %s"{text}" (RFC 7405) if only this case is meant'
    ),
    "non-ascii-comment": Kind(
        WARNING,
        "{character} in a comment: RFC 5234 allows only printable ASCII",
        "write comments in ASCII if other tools have to read the file; this package reads any character there",
    ),
    "no-final-newline": Kind(WARNING, "the last line has no line end", "add one: RFC 5234 requires it"),
    "no-crlf": Kind(
        INFO,
        "lines end in LF; RFC 5234 requires CRLF",
        "write CRLF if strict tools have to read the file; this package and most tools accept LF",
    ),
}
