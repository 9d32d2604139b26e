"""Feedback of ``grade`` to a student, the reasons for the points, to translate from.

The texts stand as they are printed in English, and facts come in as named fields. What the ABNF reader says of a text
that it cannot read stands in ``syntax_errors``.
"""

from utf8_abnf.language.catalogue import Counted

EQUAL = "accepts exactly the bytes of the reference"
EXTRA = "accepts {word}; the reference does not"
MISSING = "rejects {word}; the reference accepts it"
PLACE = "{bytes} at offset {offset}"
ONE_CHARACTER = "describes one character, not a sequence of characters"
RIGHT_RULE = "your rule {rule} is right, but the first rule is taken as the start, and it is another one"
BETTER_START = "graded from the rule {rule}, which has fewer mistakes; the first rule is taken as the start"
SEQUENCE = "the mistake is in how the first rule makes texts of characters; {rule} describes a character"
ENDLESS = "the rule {rule} never ends: each way through it uses it again; give it an alternative that ends"
FIRST_RULE = "the first rule: {mistake}"
HINT_EXTRA = "accepts an input of {length} that the reference rejects"
HINT_MISSING = "rejects an input of {length} that the reference accepts"
AT = "at offset {offset}"
EACH = "each mistake takes {points} points"
EACH_OTHER = "each other mistake takes {points} points"
NAMED = "{name}: {points} points off"
NO_POINTS_LEFT = "{number} mistakes leave no points; there may be more"
NOTHING_RIGHT = "no points: it accepts nothing of what the reference accepts, except perhaps the empty input"
BINARY = "binary data"
NOT_TEXT = "this file is {format}, not the text of a grammar; save the grammar as plain text"
EMPTY_FILE = "the file is empty"
OTHER_ENCODING = "the file is in {encoding} and was read as such; ABNF files are ASCII or UTF-8"
PERSON = "a person has to look at this grammar"
OF_HTML = "the text was taken out of HTML"
SLIP = "line {line}, column {column}: {what}"
SLIPS = Counted(
    "a slip of syntax was put right, and the rest is graded",
    "{number} slips of syntax were put right, and the rest is graded",
)
MORE = Counted("and {number} more", "and {number} more")
AMBIGUOUS = "the grammar is ambiguous: {word} has two parse trees"
NOT_DECIDED = "whether the grammar is ambiguous was not decided; a person has to look at this grammar"
NOT_RIGHT_LINEAR = "{rule} is not right-linear: each alternative has values, and after them at most one name of a rule"
MANY_RULES = "{number} rules, and {most} are allowed"
FORBIDDEN = "{rule} is used, and may not be"
TASK_NUMBER = "the numbers from 0 to {last} in decimal digits, without needless zeros"
TASK_TEXT = "all texts in UTF-8 with the characters U+0000 to U+{last}"
TASK_DECODER = "which encoding this program accepts: {dialect}"
DOCUMENT = "the rules were taken out of the document around them; hand in the grammar alone"
TIMEOUT = "grading took longer than {seconds} seconds and was stopped; a person has to look at this grammar"
MEMORY = "grading needed more than {most} MB of memory and was stopped; a person has to look at this grammar"
DIED = "grading this file broke the process that did it; a person has to look at this grammar"
LINK = "a symbolic link, which is not followed; hand in the file itself"
NOT_A_FILE = "neither a file nor a folder"
NOTHING_HANDED_IN = "there is no file in this folder"
NEEDS_A_PERSON = "a person has to grade: {files}"
GRADED = "{equal} of {total} equal to the reference"
LENGTH = Counted("{number} byte", "{number} bytes")
EMPTY_INPUT = "the empty input"
EXTRA_LABEL = "extra"
MISSING_LABEL = "missing"
LONG_FILE = "the file has more than {most} bytes"
