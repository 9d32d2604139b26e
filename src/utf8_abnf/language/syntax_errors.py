"""Messages about text that is not ABNF or not a usable grammar, with remedies, to translate from.

The texts stand as they are printed in English, and facts come in as named fields.
"""

# What cannot be read.
BYTE_ORDER_MARK = "byte order mark: ABNF is ASCII; save the file without a BOM"
UTF16_MARK = "the file begins with the byte order mark of UTF-16; save it in ASCII"
FORM_FEED = "form feed, the page break of an RFC: use `utf8-abnf grammar extract` to take out the rules"
LONE_CR = "CR without LF: lines end in LF or CRLF; save the file with one of these"
NOT_ASCII = "{character} is not allowed: ABNF is printable ASCII; {remedy}"
BYTE = "byte {value}"
EXPECTED_RULE = "expected a rule name, got {got}; {remedy}"
INDENTATION = "unexpected indentation {white}: {why}"
SAME_MARGIN = "every rule begins with the same margin as the first one, {margin}"
CONTINUES_NOTHING = "this line continues no rule; a blank line ends a rule"
NO_WHITE_SPACE = "expected an element right after the repeat {repeat}, without white space, got {got}"
BAD_REPEAT = "bad repeat {repeat}: {least} is more than {most}; swap them"
TOO_DEEP = "groups are nested more than {most} deep; write rules for the inner ones"
OPEN_PROSE = "unterminated prose: expected > before the end of the line"
NO_STRING = 'expected " after {prefix} (RFC 7405)'
OPEN_STRING = 'unterminated string: expected " before the end of the line'
TAB_IN_STRING = "a tab cannot stand in a string: write %x09"
EXPECTED_BASE = "expected x, d, b, s or i after %, got {got}; {remedy}"
EXPECTED_DIGIT = "expected {digit} after %{base}, got {got}"
DIGITS = {"x": "a hexadecimal digit", "d": "a decimal digit", "b": "0 or 1"}
REVERSED = "reversed range: {range} begins above its end; write %{base}{last}-{first}"
MANY_DIGITS = "number with more than {most} digits"

# What was expected at a place, and what stands there.
GOT = "{expected}, got {got}"
GOT_HINT = "{expected}, got {got}; {hint}"
EXPECTED_DEFINED_AS = "expected = or =/ after the rule name {name}"
EXPECTED_END = "expected an element, / or the end of the line"
EXPECTED_WHITE_SPACE = "expected white space, / or the end of the line"
EXPECTED_ELEMENT = "expected an element"
EXPECTED_CLOSING = "expected {closing} for the {opening} at line {line}, column {column}"
END_OF_GRAMMAR = "the end of the grammar"
END_OF_LINE = "the end of the line"
TAB = "a tab"

# What may have cut a rule.
MAY_CONTINUE = "if line {line} continues this rule, indent it"
CUT_BY_BLANK = "the rule ends here because line {line} is empty; remove it"
CUT_BY_MARGIN = "the rule ends here because line {line} is not indented; indent it"

# Remedies: what to write instead of what people paste from other notations and pages.
ALTERNATIVE = "an alternative may not be empty; write [ … ] for an option"
COMMENT = "a comment begins with ;"
DEFINES = "ABNF defines a rule with =, where other notations write ::= or :="
DEFINES_ARROW = "ABNF defines a rule with ="
HTTP_LIST = (
    "the list #item is an extension of HTTP (RFC 9110 section 5.6.1);"
    " `utf8-abnf grammar convert --http-lists` writes it out"
)
FIRST = 'a grammar begins with a rule, as in greeting = "hello"'
INDENT = "a continued line begins with white space"
LIST = "remove the sign of the list"
MARKDOWN = "ABNF has no Markdown in it; `utf8-abnf grammar extract` takes the rules out of its fences"
MARKDOWN_NAME = "ABNF has no Markdown in it; remove the signs around the name"
NO_EXCEPTIONS = "ABNF has no exceptions; write the ranges of values that are left"
NO_NEGATION = "ABNF has no negation; write the ranges of values that are left"
NUMBER = 'a number is %x41, %d65, %b1000001, %x41-5A or %x0D.0A, a string %s"abc" or %i"abc"'
PAGE = "the page of a document; `utf8-abnf grammar extract` takes the rules out"
ONE_RANGE = "write a range with one % and without white space: %x41-5A"
RANGE = "a range is written with numbers: %x61-7A for a to z"
RANGE_HYPHEN = "a range is written with a hyphen, %x41-5A"
RANGE_LIKE = "write a range as %x41-5A"
STRAIGHT = 'write strings between straight quotation marks, "'
STRAIGHT_DOUBLE = 'write strings between straight double quotation marks, "'
DOUBLE = 'write strings in double quotes, as in "abc"'
HYPHEN = "write the hyphen of ASCII, -"
SPACE = "write an ordinary space"
INVISIBLE = "this character is invisible; remove it"
LINE_END = "write an ordinary line end"
OF_ASCII = "write {character} of ASCII"
LETTERS = "the name of a rule has letters of ASCII, and a comment begins with ;"
CODE_POINT = "write %x{hex} for the code point"
CHARACTER = "write %x{hex} for the character"
OTHER_BYTES = "write %x… for other bytes"
NO_BRACKETS = "names of rules have no angle brackets"
NO_NUMBERS = "remove the numbers of the lines"
BEGINS_WITH_LETTER = "the name of a rule begins with a letter"
NO_SIGN = "remove the sign before each line"
NO_PATCH = "remove the signs of the patch"
HTML_PAGE = "this is HTML; paste the text of the page"
HTML_CHARACTER = 'this is HTML; write the character itself, " for &quot; and < for &lt;'
NAME_LETTERS = "rule names consist of letters, digits and hyphens"
EQUALS = "write = after the name of the rule"
ONE_EQUALS = "write one ="
PROSE_COMMENT = "a line of prose is a comment, which begins with ;"
SLASH = "alternatives are separated by /"
NO_ROUND = "no ( is open here"
NO_SQUARE = "no [ is open here"
OPTION = "write [ … ] for an option"
OPTION_OR_REPETITION = "write [ … ] for an option and *item for a repetition"
REPEAT_BETWEEN = "write {low}*{high} before the item"
REPEAT_EXACTLY = "write {low} before the item"
REPEAT_BEFORE = "a repeat stands before its item: *item, 1*item"
REPEAT_ONE = "write one repeat, without white space after it: 2*4item, *item, 3item"
REPEAT_PLUS = "write 1*item for one or more"
REPEAT_HYPHEN = "write a repeat as 1*3item"
NO_SETS = "ABNF has no sets of characters as in [a-z]+; write 1*%x61-7A"
NO_ESCAPES = "ABNF has no escapes; write a character as %x5C"
NO_QUOTE = 'a string ends at the next "; write DQUOTE, or %x22, for the quotation mark itself'
SAME_COLUMN = "a rule begins in the same column as the first rule of the file, and a continued line is indented more"
NO_COMMA = "write the items one after another, with white space between; alternatives are separated by /"
QUOTED = 'strings stand in quotation marks: "{found}"'
EMPTY_STRING = 'write "" for the empty string'
EMPTY_GROUP = 'a group may not be empty; write "" for the empty string'
WHITE_SPACE = "elements are separated by white space"
IN_HEX = "%d is for decimal digits; write %x{digits} for hexadecimal ones"
NO_MIX = "a range cannot stand in a series; write {instead}"
BYTES_OR_CODE_POINT = "write %x{bytes} for its bytes in UTF-8, or %x{hex} and --values utf-8"
NO_SLASH = "remove the /, or write the alternative behind it"

# Why a grammar that can be read cannot be used.
NO_RULES = 'there is no rule; expected at least one, as in greeting = "hello"'
NO_RULE = "there is no rule {name}; {remedy}"
UNKNOWN_RULE = "unknown rule {name}; {remedy}"
WRITE_VALUE = "write %{name} for a value"
DID_YOU_MEAN = "did you mean {name}?"
DEFINE_IT = "define it, or correct the name"
DEFINED_TWICE = "rule {name} is already defined in line {line}; write =/ to add alternatives to it"
DEFINED_IN_ANOTHER_CASE = (
    "rule {name} is already defined in line {line}, as {other}: the names of rules are the same in any case;"
    " write =/ to add alternatives to it, or give it another name"
)
DEFINED_AS_ITSELF = (
    "rule {name} is defined as itself, {other}: the names of rules are the same in any case; give it another name"
)
ADDED_FIRST = "{name} =/ comes before {name} =; write = for the first definition"
PROSE = "<{text}> is prose, which no program can follow: write it as ABNF"
BEYOND_BYTE = (
    "value {value} does not fit in a byte: values are bytes here, 00..FF; write a code point as its bytes in UTF-8"
)
BEYOND_UNICODE = "value {value} is no code point: 10FFFF is the greatest"
ONLY_SURROGATES = "{values} has surrogates only, which UTF-8 cannot encode (RFC 3629 section 3)"
LONG_FILE = "the file has more than {most} bytes, which is too long for a grammar"
LARGE_NFA = "the automaton has more than {most} states; {remedy}"
LARGE_NFA_IN_RULE = "the automaton has more than {most} states, most of them in rule {rule}; {remedy}"
LOWER_REPEATS = "lower the repeat counts"
SMALLER_RULE = "start at a smaller rule"
SMALLER_DEPTH = "use a smaller --depth, or none"
NOT_REGULAR = "not shown to be regular: {circle} uses itself neither only at its end nor only at its beginning"
NOT_REGULAR_WHOLE = NOT_REGULAR + "; a rule that it uses is regular: start at {part}"
