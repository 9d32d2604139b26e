"""What the commands say of grammars: in English, with facts as named fields.

Why a text is not a grammar that can be used stands in ``syntax_errors``, what the linter says in ``findings``.
"""

# What the commands print of a grammar.
AUTOMATON_OF = "Automaton of {rule} ({file})"

# Files.
NO_GRAMMAR = "there is no such file, and no grammar of this name comes with utf8-abnf; {remedy}"
THOSE_ARE = "those are {names}"

# Size and form.
SMALLER_RULE_AS = "start at a smaller rule, as with --start {rule}"
LARGE_REGEX = "the regular expression has more than {most} characters; start at a smaller rule"
RECURSIVE_REGEX = "{rule} uses itself: the regular expression cannot contain itself; write a repetition, *( … )"
REGULAR_PART = "{error}; a rule that it uses is regular: --start {rule}"
LEFT_RECURSION = "left recursion {circle}: a top-down parser does not terminate; write it as a repetition, *( … )"
EBNF_REPEAT = "{item} repeats more than {most} times, which EBNF cannot count"
MANY_ITEMS = "a sentence needs {count} items here, more than {most}"
LONG_SENTENCE = "a sentence has more than {most} bytes"
NO_SEQUENCES = "{rule} has to derive all sequences of some characters, as in text = *character"
MANY_REFUSED = "more than {most} ranges of characters are refused"

# What cannot be decided.
NESTS_DEEPER = "{rule} of {file} nests more than {most} levels deeper in {other}"
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

# Rules of other grammars.
NAMES_NO_GRAMMAR = "{name}={rule} does not name a grammar and a rule; write it as in token=http:token"
UNUSED_DEFINITION = "--define {name}: the grammar has no use of a rule {name} without a definition, and no such prose"
HAS_DEFINITION = "rule {name} has a definition; --define is for rules without one"
MIXED_VALUES = "the values of {file} are {theirs}, here they are {ours}"
VALUES = {"bytes": "bytes", "utf-8": "code points"}

# Grammars and examples in documents.
NO_SECTION = "there is no section {section}; a heading begins in the first column, as in  4.  Syntax"
BAD_XML = "not well-formed XML: {reason}"
OPEN_FENCE = "this fence is not closed"
IN_OTHER_FILE = "the text of this element is in another file, {file}, which is not read"
NO_ENTITY = "the entity &{name}; is not defined in this document"
NO_ABNF = "{where} has no ABNF rule: expected lines such as  name = elements"
SECTION = "section {section}"
THIS_TEXT = "this text"
NOT_A_PART = "not a part of a rule: {text}"
RULE_NOT_READ = "rule {name} cannot be read: {why}"
SEVERAL_RULES = "it has several rules"
ADDS_TO_NOTHING = "{name} =/ adds to a rule that this text does not define"
DEFINED_OTHERWISE = "rule {name} is defined in another way in line {line}, which is kept"
NOT_HEX = "this is not bytes in hex"
EXAMPLE_FAILS = "{rule} does not derive {example}: {problem}"
COUNTEREXAMPLE_FAILS = "{rule} derives {example}, which is a counterexample"
NO_EXAMPLE = "{file} has no example; begin a block with ```abnf-example RULE"
EXAMPLE_OK = "ok: an example of {rule}"
COUNTEREXAMPLE_OK = "ok: a counterexample of {rule}"
EXAMPLES_FAIL = "{failed} of {all} examples fail"

# The automaton as a table, and coverage.
STATE = "state"
LEGEND = "{states}, {classes} byte classes; * accepts, . rejects."
ONE_STATE_ONE_SINK = "1 live state and one sink"
ONE_STATE = "1 live state, no sink"
STATES_ONE_SINK = "{count} live states and one sink"
STATES = "{count} live states, no sink"
NOWHERE = "Rejected in every state: {classes}."
COVERED_BYTES = (
    "{rules} of {all_rules} rules, {alternatives} of {all_alternatives} alternatives, {seen} of {values} byte values; "
    "{inputs} inputs, {refused} of them refused"
)
COVERED_CODE_POINTS = (
    "{rules} of {all_rules} rules, {alternatives} of {all_alternatives} alternatives, {seen} of {values} code points; "
    "{inputs} inputs, {refused} of them refused"
)
LINE = "line {line}"
CORE = "core"
MISSING_VALUES = "{item}: missing {values}"

# The comparison of two grammars.
EQUAL = "equal: {left} and {right} accept the same bytes ({size})"
LIVE_STATES = "{count} live states"
TO_DEPTH = "to depth {depth}, which is how often a rule is used within itself"
DIFFERENT = "different: {left} and {right}"
DIFFERENT_TO_DEPTH = "different: {left} and {right} (to depth {depth})"
ACCEPTS_NOTHING = "{one} accepts nothing that {other} rejects"
ACCEPTS = "{one} accepts {word}, the shortest that {other} rejects:"
CHARACTERS = "characters that only {one} accepts (extra), and that only the other accepts (missing):"
EMPTY_INPUT = "the empty input"
EXTRA = "extra"
MISSING = "missing"
SHORTEST = "shortest {example}"
BY_PLACE = "what only {name} accepts, by the place where the other rejects it, with the shortest example:"
MORE_PLACES = "and {count} more places (--format json has all)"

# Notes, and command lines that cannot be carried out.
UNROLLED = "{file}: recursive: the automaton is unrolled to depth {depth} (--depth)"
WITH_RULES = "{file}: with rules of other grammars: {names}"
AND_MORE = "{names} and {count} more"
CORE_RULES = "core rules"
VALUES_ARE_CODE_POINTS = "{file}: {value} exceeds a byte, so values are code points in UTF-8 (--values utf-8)"
NOT_DERIVED = "{file}: {refused} of {all} words are not in {rule}; they are cases that a decoder has to reject: {words}"
WORDS_AND_MORE = "{words}, and {count} more"
GOALS_MET = "{met} of {goals} {cover} are used; without -n, all are"
NO_NEIGHBOUR = "{count} inputs have no wrong neighbour that was found"
DEPTH_FROM_0 = "--depth needs a number from 0 on"
NUMBER_FROM_1 = "-n needs a number from 1 on"
NEED_GRAMMAR = "--corpus and --context need --grammar FILE"
NO_WORD = "{file} has no word; write one on each line"
DEFINE_AS = "--define {name}: write it as in --define token=http:token"
LONG_INPUT = "{path} has more than {most} bytes; split it"
LONG_FOR_TREE = "{path} has more than {most} bytes, too many for one tree"
