"""Messages of ``explain`` about bytes, to translate from.

The texts stand as they are printed in English, and facts that depend on the input come in as named fields (``{got}``,
``{offset}``). ``codes`` and ``refusals`` have the texts for error codes.
"""

# Labels at the left of a line.
RULE = "rule"
WHY = "why"
FIX = "fix"
NAIVE_LABEL = "naive"
RISK_LABEL = "risk"
MEANING = "meaning"
BYTES = "bytes"
EXAMPLE = "example"
HISTORY = "history"
ATTACK = "attack"
READ = "read"

# What `explain` prints around the facts.
REST_OF_THE_LAST = "first repair the ill-formed bytes before it: this byte belongs to them"
WELL_FORMED = "well-formed"
NOTHING = "no bytes: an empty input is well-formed, because *( UTF8-char ) also derives the empty sequence"
COLUMNS = ("offset", "byte", "bits", "state", "expects")
WRONG = "cannot be right"
END = "end of input"
REPLACED = "with U+FFFD for each ill-formed sequence (Unicode's recommendation): {text}"
ELIDED = "shows {count} of {total} bytes, from offset {start}"

# What a decoder that only moves bits would make of the bytes: RFC 3629 section 3's table, read without its limits.
NAIVE = "a decoder that only moves bits reads {bytes} as {point}"
NAIVE_SURROGATE = "a decoder that only moves bits reads {bytes} as {point}, a surrogate"
NAIVE_TOO_LARGE = "a decoder that only moves bits reads {bytes} as {point}, above U+10FFFF"
NAIVE_JOINED = "a decoder that also joins surrogates reads {bytes} as {point}"

# What `explain --grammar` and `parse` print.
DERIVES = "{rule} derives these {count} bytes ({file})"
DOES_NOT_DERIVE_BYTE = "{rule} does not derive this: byte {got} at offset {offset}; expected {expected}"
DOES_NOT_DERIVE_VALUE = "{rule} does not derive this: {got} at offset {offset}; expected {expected}"
DOES_NOT_DERIVE_END = "{rule} does not derive this: the input ends at offset {offset}; expected {expected}"
MORE_WANTED = "… and {count} more"

# Where an input goes wrong.
FAILS_AT = "{found} at offset {offset}; expected {expected}"
FAILS_WITHIN = "{found} at offset {offset}; expected {expected} [{within}]"
INPUT_ENDS = "the input ends"
NO_SENTENCE = "nothing: the rule derives no sentence"
THE_END = "the end"
OR_THE_END = "{ranges} or the end"

# What the site says above a page that has no translation.
ONLY_ENGLISH = "This page has not been translated; it is in English."
