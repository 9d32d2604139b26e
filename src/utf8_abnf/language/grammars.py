"""Messages of the commands about grammars: in English, with facts as named fields.

What the ABNF reader says is in ``syntax_errors``.
"""

# Size and form.
SMALLER_RULE_AS = "start at a smaller rule, as with --start {rule}"
LARGE_REGEX = "the regular expression has more than {most} characters; start at a smaller rule"
RECURSIVE_REGEX = "{rule} uses itself: the regular expression cannot contain itself; write a repetition, *( … )"
LEFT_RECURSION = "left recursion {circle}: a top-down parser does not terminate; write it as a repetition, *( … )"
NO_SEQUENCES = "{rule} has to derive all sequences of some characters, as in text = *character"
MANY_REFUSED = "more than {most} ranges of characters are refused"

# What cannot be decided.
NESTS_DEEPER = "{rule} of {file} nests more than {most} levels deeper in {other}"
CIRCULAR = "rule {rule} derives itself alone, and so its trees are endlessly many"
AMBIGUOUS_AND_LONG = "the input is ambiguous, and too long to find the derivation that the reference parser chooses"
LONG_FOR_EARLEY = (
    "{size} bytes are more than the {most} that the Earley parser accepts;"
    " the parser of the automaton, which is the default, has no such limit"
)
LONG_FOR_REFERENCE = (
    "{size} bytes are more than the {most} that the reference parser accepts;"
    " the parser of the automaton, which is the default, has no such limit"
)
DEEP_FOR_REFERENCE = "the input is nested too deep for the reference parser"
STEPS_OF_REFERENCE = "the input takes more steps or memory than the reference parser has"
REPEATS_OF_REFERENCE = "{item} repeats more than the {most} times that the reference parser can follow"

# Where an input goes wrong.

# Grammars and examples in documents.
NOT_HEX = "this is not bytes in hex"
EXAMPLE_FAILS = "{rule} does not derive {example}: {problem}"
COUNTEREXAMPLE_FAILS = "{rule} derives {example}, which is a counterexample"

# The automaton as a table.
STATE = "state"
LEGEND = "{states}, {classes} byte classes; * accepts, . rejects."
ONE_STATE_ONE_SINK = "1 live state and one sink"
ONE_STATE = "1 live state, no sink"
STATES_ONE_SINK = "{count} live states and one sink"
STATES = "{count} live states, no sink"
NOWHERE = "Rejected in every state: {classes}."

# The comparison of two grammars.
