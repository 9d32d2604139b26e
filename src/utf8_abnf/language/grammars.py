"""Why a grammar cannot be used, as data to translate from: errors of all rooms that take one.

As in ``messages``: the texts stand as they are printed in English, and facts come in as named fields. What the ABNF
reader says is in ``syntax_errors``, what the linter says in ``findings``.
"""

# Rules and values.
NO_RULES = 'there is no rule; expected at least one, as in greeting = "hello"'
NO_RULE = "there is no rule {name}; {remedy}"
UNKNOWN_RULE = "unknown rule {name}; {remedy}"
WRITE_VALUE = "write %{name} for a value"
DID_YOU_MEAN = "did you mean {name}?"
DEFINE_IT = "define it, or correct the name"
DEFINED_TWICE = "rule {name} is already defined in line {line}; write =/ to add alternatives to it"
ADDED_FIRST = "{name} =/ comes before {name} =; write = for the first definition"
PROSE = "<{text}> is prose, which no program can follow: write it as ABNF"
BEYOND_BYTE = (
    "value {value} does not fit in a byte: values are bytes here, 00..FF; --values utf-8 reads them as code points"
)
BEYOND_UNICODE = "value {value} is no code point: 10FFFF is the greatest"
ONLY_SURROGATES = "{values} has surrogates only, which UTF-8 cannot encode (RFC 3629 section 3)"

LARGE_RULE = "{name} is too large to be analysed within the limit"

# What the commands print of a grammar.
AUTOMATON_OF = "Automaton of {rule} ({file})"

# Files.
NO_GRAMMAR = "there is no such file, and no grammar of this name comes with utf8-abnf; {remedy}"
THOSE_ARE = "those are {names}"
LONG_FILE = "the file has more than {most} bytes, which is too long for a grammar"
