"""Texts about the conformance suites, for ``suite`` and reports: in English, with facts as named fields."""

# The families of UTF-8's suites, by name.
ABOUT = {
    "named": "named cases, one fault each, each with its story",
    "stream/first": "faults, characters and BOMs cut in two everywhere, and long text",
    "W/k0": "V·Σ^≤1·W: every move of the automaton, for all 256 bytes",
    "edges": "the outer edges of every alternative, alone and within text",
    "behind": "each short fault behind 1..130 characters",
    "long-inputs": "one long input of each kind, and faults behind it",
    "within": "what some decoders leave out, within a character of each alternative",
    "stream/named": "named cases cut in two everywhere, and byte by byte",
    "W/k1": "V·Σ^≤2·W: the same for decoders with states of their own",
    "A2": "A₂·Σ^≤1·W: every prefix of an alternative, alone and after each alternative",
    "leads": "A₃·Σ^≤1·W: every first byte, with the edges of what follows it",
    "scalars": "every scalar value alone",
    "texts": "every scalar value again, in texts of up to 128 characters",
    "ill-formed": "every overlong form, surrogate and value above U+10FFFF in 2 to 4 bytes",
    "surrogate-pairs": "surrogates in pairs, as CESU-8 writes them",
    "long-forms": "forms of up to 13 bytes that F5..FF once began",
    "inner": "every pair of bytes, and every first byte's tails, within long text",
    "sizes": "well-formed text of every size up to 4,224 and around powers of two",
    "positions": "every single fault at every offset 0..130 of text of each kind",
    "loops": "faults before a run of NUL, and at every eighth offset of a long text",
    "mixed": "every single fault in seeded random text",
    "far-positions": "faults around powers of two up to 2^20, and some between",
    "lanes": "every kind of fault in every lane, in text of 1 and 8 KiB and a bit",
    "starts": "every kind of fault at the offsets 0..260 before a kilobyte",
    "borders": "faults at every offset up to 4224, and a sample up to 65,536",
    "rests": "faults in rests of every length behind the last block of long text",
    "openings": "faults in long text, for each character that begins and ends it",
    "error-runs": "1 to 520 errors of each kind, and tens of thousands",
    "error-pairs": "two and three errors at all distances to 130, and some to 5000",
    "contexts": "ill-formed text where attackers put it",
    "within-any": "characters of two bytes and more within another character",
    "real-texts": "a hundred short texts of many scripts, whole and with one fault",
    "long-runs": "each of these texts and of their characters 5,120 times, and faults behind it",
    "vast": "text and faults beyond 2^20, 2^21 and 2^24 bytes",
    "sessions": "every ordered pair of inputs that could leave something behind",
    "stream/faults": "every single fault, cut in three everywhere",
    "stream/ends": "each alternative's first and last character, cut in three everywhere",
    "stream/sessions": "every ordered pair of streams that could leave something behind",
    "stream/texts": "text with one fault, in pieces of 17 sizes",
    "stream/buffers": "text around the sizes of buffers, in pieces of such sizes",
    "stream/pairs": "every pair of sizes of pieces, in well-formed text",
    "stream/junctions": "a fault across the border of every pair of sizes",
    "stream/empty": "runs of empty pieces, and a BOM where a piece begins",
    "stream/long": "thousands of pieces, and streams of more than 128 KiB",
    "four-bytes": "all strings of four bytes",
    "aligned": "faults at the offsets 0..66, at all 64 alignments",
    "offsets": "faults at every offset up to 65,536",
    "guarded": "W/k0 and faults at the offsets 0..66, where memory ends",
    "huge": "2 and 4 GiB of text that is not all ASCII: where lengths and offsets of 32 bits end",
}

# Those of other grammars.
SAMPLES = "the sample words of {start}"
STATES = "V·{w} of {start}: every state, by a word that leads to it"
MOVES = "V·C·{w} of {start}: every move of the automaton, for one byte of each class"
W_METHOD = "{cases} of {start}"

# What passing a level proves.
PROVES = (
    "If every state of the decoder's own automaton is reached by a word of {before}, then it accepts exactly"
    " {start}. It gave the right verdict on all of {asked}. Assumed, not tested: that its"
    " states are so reached (it has no more than {most} states, say), and that it answers"
    " the same input the same way.{more}"
)
PROVES_TO_DEPTH = (
    "If every state that the decoder's own automaton reaches on inputs of depth {depth} is"
    " reached by a word of {before}, then it accepts of these inputs exactly those of"
    " {start}. Depth: how often a rule is used within itself. It gave the right"
    " verdict on all of {asked}; of these, deeper inputs are judged by the whole grammar. Assumed, not tested:"
    " that the states are so reached, and that it answers the same input the same way."
)
OR_SECOND = "{before}, A₂ or A₃"
AND_SECOND = "{asked}, A₂·Σ^≤1·W and A₃·Σ^≤1·W"
RIGHT_ON_FOUR_BYTES = (
    " Whatever its states, it is right on all strings of up to"
    " four bytes, and on single faults at the offsets 0..130; at the offsets 0..66 at every alignment and at the end of"
    " memory as well."
)
RIGHT_ON_CHARACTERS = (
    " Whatever its states, it is right on each of the 1,112,064 characters alone, on each of the 1,052,800 coded"
    " ill-formed sequences, and on single faults at the offsets 0..130."
)
NOT_ASKED = (
    " Not asked at L1: most characters, most of what can stand around a fault, faults at other offsets than behind"
    " 1..130 characters, long text and its blocks and buffers, many errors in one input, streams in uneven pieces, and"
    " what one input leaves for the next. L2 asks for these."
)
PROVES_NOTHING = "Passing {level} proves nothing beyond its cases.{more}"
FIRST_THAT_PROVES = " {level} is the first level that proves more."
NOT_IN_FULL = "Passing proves nothing beyond the cases that were judged: W/k0 was not judged in full."

# Levels, families and cases that are not there.
NO_LEVEL = "there is no level {level}; the levels are {levels}"
NO_CASES = "no level has cases for {start}: {cases} has {count}, and at most {most} are offered"
NO_CASE_AT = "{level} has no case for {start}; {first} is the first level that has ({count})"
NO_CASE_AT_IN_PROCESS = (
    "{level} has no case for {start}; {first} is the first level that has ({count}, for a function in process)"
)
NO_FAMILY = "{level} has no family {name}; {there}"
IT_HAS = "it has {names}"
NO_CASE = "{level} has no case {id}: ids are listed by `utf8-abnf suite export --family NAME`"
ONLY_IN_PROCESS = "the family {name} has {count} cases and is only judged in process"

# Samples and contexts that cannot be used.
LARGE_CORPUS = "a corpus may have {words} words of {bytes} bytes at most"
