"""Messages of ``check``, ``repair`` and failures: in English, with facts as named fields (``{got}``, ``{offset}``)."""

# The first line of a diagnostic, after file, line, column and code.
CANNOT_FOLLOW = "byte {got} at offset {offset} cannot follow {before}"
CANNOT_START = "byte {got} at offset {offset} cannot start a character"
ENDS_AFTER = "input ends at offset {offset}, after {before}"
EXPECTED = "expected {expected}"


# What the file is. A conversion of all of it stands only where all of it was seen, and has no well-formed character of
# several bytes; its first bytes show how it begins, and no more.
PACKED = (
    "this is not text but a file of the format {format}; -z (--unpack) checks what is in it, --exclude leaves such "
    "files out"
)
NOT_TEXT = "this is not text but a file of the format {format}; --exclude leaves such files out"
DATA = "this is not text: control characters and ill-formed sequences stand everywhere; the rest was not counted"
CONVERT = "utf8-abnf repair --from {name}"
OTHER_ENCODING = "this begins as text in {encoding}; `{command} --dry-run` shows it as UTF-8 and changes nothing"
LINES_ARE_WIDE = (
    "well-formed, but from line {line} on this is {encoding}, with NULs; "
    "`{command} --dry-run` shows it as UTF-8 and changes nothing"
)
MARK_WITHIN = (
    "well-formed, but U+FEFF, a byte order mark, stands within the text, in line {line} at offset {offset}: probably "
    "files were joined that each began with one"
)
HAS_CONTROLS = "there are control characters such as NUL: probably this is not text, so no conversion is proposed"
UNKNOWN_LINE = "line {lines} is not UTF-8, and nothing proves in which encoding it is"
UNKNOWN_LINES = "lines {lines} are not UTF-8, and nothing proves in which encoding they are"
AND_MORE = "and {number} more"
CONVERT_LINES = (
    "if you know it, `utf8-abnf repair --from NAME --dry-run` shows what such a line becomes as a whole, and keeps all "
    "others; if not, a guesser such as chardet may help"
)
CONVERT_BYTES = (
    "if you know it, `utf8-abnf repair --from NAME --unit bytes --dry-run` shows what the ill-formed bytes become, and "
    "keeps all well-formed characters; if these came about by chance in such a line, leave out --unit bytes: then the "
    "line is converted as a whole. If you do not know it, a guesser such as chardet may help"
)
WAS_TWICE = (
    "well-formed, but probably encoded twice: {number} of {runs} runs of characters that are not ASCII are UTF-8 that "
    'was read as Windows-1252, as "{old}" for "{new}"; ftfy, a library with a command of its own, undoes that'
)
# What breaks a text: for some causes the encoding that the bytes are in, and the command that repairs it.
REPAIRS = {
    "CESU8": ("CESU-8", "utf8-abnf repair --cesu8"),
    "JAVA": ("modified UTF-8", "utf8-abnf repair --cesu8 --overlong shortest"),
    "SURROGATES": ("", "utf8-abnf repair --to fffd:surrogate-as-one"),
    "LONGER": ("", "utf8-abnf repair --overlong shortest"),
    "LARGER": ("", "utf8-abnf repair --to fffd"),
}
CAUSES = {
    "CESU8": "this is CESU-8, pairs of surrogates of three bytes each; to join the pairs and keep all the rest: "
    "{command}",
    "JAVA": "this is the modified UTF-8 of Java, with C0 80 for NUL; if a Java program wrote it: {command}",
    "SURROGATES": "these are surrogates without their partners, which are not characters; to replace each by U+FFFD: "
    "{command}",
    "LONGER": "these may be overlong forms, characters in more bytes than they need, which attackers use to deceive "
    "filters; if you know the program that wrote them: {command}",
    "LARGER": "these may be code points above U+10FFFF, in UTF-8 as it was before 2003, which are not characters; to "
    "replace each byte by U+FFFD: {command}",
    "WIDE": "text in {encoding} stands among UTF-8; `{command} --dry-run` shows it as UTF-8 and changes nothing",
    "CUT": "all errors stand at multiples of {size} bytes: a program cut the text into pieces of this size, also "
    "inside of characters. A reader in pieces has to keep an unfinished character for the next piece: "
    "IncrementalValidator.feed checks pieces so, codecs.getincrementaldecoder decodes them",
    "SPLIT": "line ends stand inside of characters: a program broke the lines after a number of bytes. With each of "
    "these characters joined again, the text is well-formed: lines have to be broken between characters",
}

# What `repair` says.
NO_POLICY = "{name} is neither a policy nor a codec of Python; the policies are {policies}"
POLICY_NOT_LAST = "{name} takes every byte: it can only be the last part of a policy"
NO_TEXT_CODEC = "{name} is not an encoding of text"
NO_UNIT = "{name} is no unit of a repair: it is bytes or line"
WRONG_LOG = "the log does not belong to this data: it says that offset {offset} has the bytes {new}, which is not so"

# Where an error in a columnar file stands.
CELL = "column {column}, row {row}, byte {byte}"

# Command lines that cannot be carried out, and other failures.
BYTES_ONCE = "give the bytes once: as arguments, or with --text or --file"
CODES_AND_BYTES = "error codes and bytes cannot be explained together: give one of the two"
NO_SUCH_CODE = "unknown error code; the error codes are {codes}"
