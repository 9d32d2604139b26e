"""What ``check``, ``repair`` and failures say: in English, with facts as named fields (``{got}``, ``{offset}``)."""

from utf8_abnf.language.catalogue import Counted

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
OTHER_ENCODING = (
    "this begins as text in {encoding}; `utf8-abnf repair --from auto --dry-run` shows it so and changes nothing"
)
EBCDIC = (
    "this begins as text in EBCDIC, whose code pages have the same letters but different signs; nothing shows which "
    "one it is, or that all of it is EBCDIC, so no conversion is proposed: ask where it was written"
)
ONE_ENCODING = "if the text is {encoding} as a whole: iconv -f {name} -t UTF-8"
ONE_CODEC = "if the text is {encoding} as a whole: utf8-abnf repair --from {codec}"
UNKNOWN_ENCODING = "the bytes above 7F seem to be text in one other encoding, but nothing shows which"
GUESSED_BYTES = "the ill-formed bytes may be {encodings} (confidence: {confidence})"
BY_CHANCE = (
    "all of this may be text in {encodings} (confidence: {confidence}), in which these came about by chance: "
    "{characters}; `utf8-abnf repair --from auto --dry-run` shows it so and changes nothing"
)
HAS_CONTROLS = "there are control characters such as NUL: probably this is not text, so no conversion is proposed"
CHARACTERS = Counted(
    "{number} well-formed character of several bytes (or more)",
    "{number} well-formed characters of several bytes (or more)",
)
MIXED = (
    "found: {counts}. Converting the whole file would damage well-formed characters. Convert only the ill-formed "
    "bytes; if they are {encoding}: utf8-abnf repair --from {codec}"
)
MIXED_WORDS = (
    "found: {counts}. Converting the whole file would damage well-formed characters. In {encoding}, a character can "
    "have bytes that are UTF-8 as well: `utf8-abnf repair --from auto --dry-run` shows what can be converted all the "
    "same, and changes nothing"
)
MIXED_UNKNOWN = (
    "found: {counts}. Converting the whole file would damage well-formed characters. Convert only the ill-formed "
    "bytes; nothing shows their encoding: `utf8-abnf repair --from ENCODING --dry-run` tries one and changes nothing"
)
TWICE = (
    "Some well-formed characters look as if they were encoded twice: `utf8-abnf repair --mojibake --dry-run` shows "
    "them and changes nothing"
)
WAS_TWICE = (
    "well-formed, but probably encoded twice: {number} of {runs} runs of characters that are not ASCII are UTF-8 that "
    'was read as Windows-1252, as "{old}" for "{new}"; `utf8-abnf repair --mojibake --dry-run` shows them and changes '
    "nothing"
)
CAUSES = {
    "CESU8": "this is CESU-8, pairs of surrogates of three bytes each; to join the pairs and keep all the rest: "
    "utf8-abnf repair --cesu8",
    "JAVA": "this is the modified UTF-8 of Java, with C0 80 for NUL; if a Java program wrote it: "
    "utf8-abnf repair --cesu8 --overlong shortest",
    "SURROGATES": "these are surrogates without their partners, which are not characters; to replace each by U+FFFD: "
    "utf8-abnf repair --to fffd:surrogate-as-one",
    "LONGER": "these may be overlong forms, characters in more bytes than they need, which attackers use to deceive "
    "filters; if you know the program that wrote them: utf8-abnf repair --overlong shortest",
    "LARGER": "these may be code points above U+10FFFF, in UTF-8 as it was before 2003, which are not characters; to "
    "replace each byte by U+FFFD: utf8-abnf repair --to fffd",
    "UTF16": "from the first error on this may be UTF-16, appended to UTF-8; "
    "`utf8-abnf repair --utf16-in-place --dry-run` shows it so and changes nothing",
    "CUT": "all errors stand at multiples of {size} bytes: a program cut the text into pieces of this size, also "
    "inside of characters. A reader in pieces has to keep an unfinished character for the next piece: "
    "IncrementalValidator.feed checks pieces so, codecs.getincrementaldecoder decodes them",
    "SPLIT": "line ends stand inside of characters: a program broke the lines after a number of bytes. With each of "
    "these characters joined again, the text is well-formed: lines have to be broken between characters",
    "SHORT": "the ill-formed bytes are beginnings of characters such as this text has, each at the end of a word or "
    "field: probably a program cut the text after a number of bytes. The rest is not in this input; to put U+FFFD for "
    "each: utf8-abnf repair --to fffd",
}


# What `parse` prints of an input with several trees.
AMBIGUOUS = (
    "ambiguous: another tree exists; the shortest piece with two is bytes {start}..{end}, {shown}, which {rule} derives"
)
# What a decoder that only moves bits would make of the bytes: RFC 3629 section 3's table, read without its limits.
NAIVE = "a decoder that only moves bits reads {bytes} as {point}"
NAIVE_SURROGATE = "a decoder that only moves bits reads {bytes} as {point}, a surrogate"
NAIVE_TOO_LARGE = "a decoder that only moves bits reads {bytes} as {point}, above U+10FFFF"
NAIVE_JOINED = "a decoder that also joins surrogates reads {bytes} as {point}"

# What `explain` prints around the facts.
WELL_FORMED = "well-formed"
NOTHING = "no bytes: an empty input is well-formed, because *( UTF8-char ) also derives the empty sequence"
COLUMNS = ("offset", "byte", "bits", "state", "expects")
WRONG = "cannot be right"
END = "end of input"
REPLACED = "with U+FFFD for each ill-formed sequence (Unicode's recommendation): {text}"
ELIDED = "shows {count} of {total} bytes, from offset {start}; --offset and --length choose others"

# What `explain --grammar` prints.
DERIVES = "{rule} derives these {count} bytes ({file})"
DOES_NOT_DERIVE_BYTE = "{rule} does not derive this: byte {got} at offset {offset}; expected {expected}"
DOES_NOT_DERIVE_VALUE = "{rule} does not derive this: {got} at offset {offset}; expected {expected}"
DOES_NOT_DERIVE_END = "{rule} does not derive this: the input ends at offset {offset}; expected {expected}"
MORE_WANTED = "… and {count} more; --format json shows all"

# How `check` ends.
SEQUENCES = Counted("{number} ill-formed sequence", "{number} ill-formed sequences")
SEQUENCES_AT_LEAST = Counted("at least {number} ill-formed sequence", "at least {number} ill-formed sequences")
MORE_SEQUENCES = Counted("{number} more ill-formed sequence", "{number} more ill-formed sequences")
SHOW_ALL = "(--max-errors 0 shows all)"
SHOW_ALL_ALONE = "(--max-errors 0, without --ledger and --engine, shows all)"
FILES = Counted("{number} file", "{number} files")
SUM = "{sequences} in {ill_formed} of {files}"
REFUSED_CHARACTERS = Counted("{number} refused character", "{number} refused characters")
REFUSED_AT_LEAST = Counted("at least {number} refused character", "at least {number} refused characters")
MORE_REFUSED = Counted("{number} more refused character", "{number} more refused characters")
REFUSED_SUM = "{characters} in {inputs} of {files}"
ALL_WELL = "{files}: well-formed"
NOTHING_NEW = "{files}: no new errors"
NOTHING_CHECKED = "{files}: nothing was checked"
BINARY_FILES = Counted("{number} binary file skipped", "{number} binary files skipped")
UNREADABLE = Counted("{number} could not be read", "{number} could not be read")
BROKEN_OFF = Counted("{number} could not be read to the end", "{number} could not be read to the end")
PASSED_OVER = Counted("{number} pipe, socket or device skipped", "{number} pipes, sockets or devices skipped")
MARK = {
    "require": "does not begin with the byte order mark EF BB BF (--bom require)",
    "forbid": "begins with the byte order mark EF BB BF (--bom forbid)",
}
WRONG_MARKS = Counted("{number} does not follow --bom", "{number} do not follow --bom")
KNOWN = Counted("{number} known error not reported", "{number} known errors not reported")
GONE = Counted(
    "{number} known error is gone: --update-baseline takes it out",
    "{number} known errors are gone: --update-baseline takes them out",
)
TAKEN_OUT = Counted(
    "{number} known error was gone and is taken out", "{number} known errors were gone and are taken out"
)
NO_BASELINE = "there is no {name}; --update-baseline writes it"
NOT_A_BASELINE = "{name} is not a baseline of `utf8-abnf check`"
NOT_A_NUMBER = "not a whole number from {least} up: {value}"
EMPTY_VALUE = "the value is empty"
NO_PROFILE = "there is no profile {name}; the profiles are {names}; --grammar FILE takes a grammar of your own"
BASELINE_WANTED = "--update-baseline needs --baseline FILE"
NO_TOML = "{file}:{line}: this is not TOML: {reason}"
NO_SETTING = "{file}:{line}: there is no setting {name}; the settings are {known}"
WRONG_SETTING = "{file}:{line}: the setting {name} has to be one of: {wanted}"

# What `repair` says.
BYTES = "bytes"
BEFORE = "before"
AFTER = "after"
CHANGES = Counted("{number} change", "{number} changes")
LEFT_ALONE = Counted("{number} left alone (not UTF-8 text)", "{number} left alone (not UTF-8 text)")
REPAIRED = "{changed} of {files} repaired, {changes}"
WOULD_CHANGE = "{changed} of {files} would be repaired, {changes}"
UNDONE = "{changed} of {files} restored, {changes} undone"
NO_POLICY = "{name} is neither a policy nor a codec of Python; the policies are {policies}"
POLICY_NOT_LAST = "{name} takes every byte: it can only be the last part of a policy"
NO_TEXT_CODEC = "{name} is not an encoding of text"
OTHER_NAMES = Counted(
    "had {number} other name (a hard link), which keeps the old content",
    "had {number} other names (hard links), which keep the old content",
)
OTHER_OWNER = "had another owner or group, which the new file could not be given"
OVERLONG_DANGER = (
    "--overlong shortest is dangerous unless you know the program that wrote this: a check that the text passed before "
    "has not seen the characters that come out"
)
NOTHING_TO_REPAIR = "nothing to repair: give files or folders, or - to type the input here"
NO_PLACE_URL = "--in-place needs files: {url} is a URL; write the result elsewhere with -o"
NO_PLACE = "--in-place needs files: standard input has no place"
WHERE_TO = "for several inputs, say where the result goes: -o FOLDER, --in-place, or --dry-run to look at it first"
NOT_TOGETHER = "{options}: give only one of these"
UNDO_ALONE = "--undo LOG takes no option that says how to repair, no --dry-run and no --log"
SAME_FILE = "is input and output at the same time; use --in-place"
SAME_PLACE = "-o and {option} name the same file: {name}"
OUTPUT_WITHIN = "-o {output} is in the folder {folder}, which is repaired; choose another one"
IS_LOG = "{name} is the log; choose another place for it"
OUTPUT_EXISTS = "{name} exists already; choose another folder"
LOG_EXISTS = "the log {name} exists already; it may be the only way back to a file, so choose another name"
NOT_A_LOG = "{name}:{line}: this is not a line of a log of `utf8-abnf repair`"
LOG_NOT_FILE = "the log {name} is not a regular file; it has to be read more than once"
LOG_CUT = "the log {name} does not have the last change of this file: the log was cut, or the repair did not end"
NOT_REPAIRED_SO = "the log {name} does not belong to this data: this is not, byte for byte, what the repair wrote"
LOG_CHANGED = "the log {name} was changed after the repair: the changes of this file are not those that it sums up"
NOT_IN_LOG = "the log {log} does not say what was changed in {name}"
NOT_TEXT_LEFT = "is left alone: this is not text but a file of the format {format}"
COMPRESSED_LEFT = "is left alone: this is a file of the format {format}; -z (--unpack) repairs what is in it"
ARCHIVE_LEFT = "is left alone: what is in a file of the format {format} is not repaired; unpack it first"
WIDE_LEFT = "is left alone: this begins as text in {encoding}; --from auto converts it"
IS_LINK = "is a symbolic link to {target}; name that file itself"
NOT_REGULAR = "is not a regular file; it cannot be replaced"
HAS_CHANGED = "has changed meanwhile, so it was not replaced"
BACKUP_EXISTS = "was not replaced: its backup {name} exists already; move it away, or use --log"
GUESSED = "--from auto: {encoding}; confidence: {confidence}; source: {source}"
CONFIDENCE = ("low", "fair", "high")
GUESS_MARK = "a byte order mark, and text after it in the first {size} bytes"
GUESS_BYTES = "the ill-formed bytes among the {size} after the first error"
GUESS_WORDS = (
    "all words among the {size} bytes after the first error; characters that are UTF-8 by chance are converted as well"
)
GUESS_PAIRS = "the {size} bytes after the first error, in which all ill-formed bytes are of this kind"
GUESS_PATTERN = "the first {size} bytes, which are text in it; there is no byte order mark"
NO_GUESS = (
    "--from auto: nothing shows one encoding for the ill-formed bytes; look at them (--dry-run) and name it, as in "
    "--from windows-1252"
)
NO_GUESS_NEAR = (
    "--from auto: the ill-formed bytes may be {encodings}, but the confidence is {confidence}; look at them "
    "(--dry-run) and name one, as in --from {codec}"
)
NO_GUESS_BESIDE = (
    "--from auto: the ill-formed bytes may be {encodings} (confidence: {confidence}), but nothing shows where its "
    "characters end beside those of UTF-8; `--from {codec} --dry-run` shows what the ill-formed bytes alone become"
)
WRONG_LOG = "the log does not belong to this data: it says that offset {offset} has the bytes {new}, which is not so"
NEEDS_EXTRA = "this needs {name}: python -m pip install 'utf8-abnf[{extra}]'"

# Why an input cannot be read.
CANNOT_READ = "cannot be read: {reason}"
BECAME_SHORTER = "was truncated while being read, from {before} to {after} bytes"
STDIN_CLOSED = "standard input is closed"
FROM_TERMINAL = "reading from the terminal; end with Ctrl-D on a line of its own"
BROKEN_LINK = "symbolic link to {target}, which does not exist"
IS_FOLDER = "is a folder"
NO_GIT = "git is needed and was not found"
IN_CONFLICT = "has a conflict of a merge; git holds no content of it for the next commit"
GIT_REFUSES = "git cannot tell which files there are: {reason}"
IS_SOCKET = "is a socket; pipe what it sends into: utf8-abnf check"
IS_DEVICE = "is a device, which may never end; pipe a part of it: head -c 1M DEVICE | utf8-abnf check"
WAITING = "a named pipe: waiting for its writer; Ctrl-C stops"
NO_WRITER = "is a named pipe, and nobody opened it for writing within {seconds} seconds"
NO_ANSWER = "its server did not answer in time"
NO_SIZE = "its server does not state its size; download it first"
WRONG_RANGE = "its server sent {got} bytes where {wanted} were asked for"
SENT_MORE = "its server sent more bytes than the {wanted} that it was asked for"
MORE_THAN_STATED = "has more bytes than its server states"
OBJECT_CHANGED = "has changed while being read"
NOT_IN_LEDGER = "{path} is not a part of a ledger that this version can read; move it elsewhere, or take another folder"
NO_SUCH_FILE = "No such file or directory"
NO_PERMISSION = "Permission denied"
IS_DIRECTORY = "Is a directory"
NO_DIRECTORY = "Not a directory"
NO_SPACE = "No space left on device"
LINK_LOOP = "Too many levels of symbolic links"
NAME_TOO_LONG = "File name too long"
READ_ONLY = "Read-only file system"
WHILE_WRITING = "{reason} while writing the output"

# Why a part of a packed file cannot be read (`--unpack`).
CANNOT_UNPACK = "cannot be unpacked: {reason}"
UNPACKED_TRUNCATED = "is truncated: its end is missing"
NOT_COMPRESSED = "has {streams} of {format}, and then bytes that are not {format}: {bytes} at offset {offset}"
UNCLEAR_END = "is truncated, or has bytes after its end that are not gzip"
MORE_AFTER_END = "has bytes after its end that are not gzip"
STREAMS = Counted("{number} complete stream", "{number} complete streams")
TOO_LARGE_UNPACKED = "more than {most} bytes came out of this file; --max-size allows more"
TOO_DENSE = "more than {ratio} bytes came out for each byte, as in attacks (zip bombs); --max-ratio allows more"
HEADER_TOO_LARGE = "has a header of more than {most} bytes, as in attacks"
DIRECTORY_TOO_LARGE = "its directory has more than {most} bytes, as in attacks"
TOO_MUCH_MEMORY = "needs more than {most} bytes of memory, as in attacks"
NOT_FORWARD = "its headers point backwards, as in attacks"
SAVE_IT_FIRST = "comes from a pipe or from another archive and has more than {most} bytes; save it as a file"
LEADS_OUT = "its name leads out of the archive, as in attacks; its content was not read"
NAME_NOT_UTF8 = "its name is not UTF-8, though the archive says so: {bytes}; its content was not read"
DIRECTORY_BROKEN = "{size} bytes of its directory are broken; the files that they name were not checked"
DIRECTORY_LOST = "its directory is missing or in another place; {files} were found by the header before each"
BROKEN_ZIP_HEADER = "no member begins at offset {offset}; nothing was checked from there to the next header"
NO_MEMBER_END = "its end was not found, so it was not checked"
ENCRYPTED = "is encrypted"
WRONG_SIZE = "does not have the size that the archive's directory states"
SPARSE_MEMBER = "is stored as a sparse file; unpack it first"
NO_TAR_END = "the archive ends without its end mark; members may be missing"
BROKEN_TAR_HEADER = "the header of a member is broken"
AFTER_TAR_END = "there is more after the end mark of the archive"
READ_ON = "{reason}; {size} bytes from offset {offset} on were not checked, and then the next header was found"
NOT_READ_ON = "{reason}; {size} bytes from offset {offset} on were not checked, and no header was found in them"
RECORD_LOST = "a record {reason}; the next one was found at offset {offset}"
REST_LOST = "{reason}; what follows record {number} was not checked"
ROWS_UNREAD = "rows {rows}: {reason}; the other rows were checked"
NO_COLUMN = "there is no column {name}; the columns are {names}"
TOO_DEEP = "a file of the format {format} in an archive; --max-depth {depth} opens it"
CELL = "column {column}, row {row}, byte {byte}"

# Command lines that cannot be carried out, and other failures.
NO_COMMAND = "there is no command {name}; `utf8-abnf --help` lists the commands"
DID_YOU_MEAN = "there is no command {name}; did you mean {similar}? `utf8-abnf --help` lists the commands"
NOT_WITH_LEDGER = "{option} cannot be used with --ledger or --engine, which record whole files"
SCHEDULER_ALONE = "--scheduler needs --engine dask"
SCHEDULER_FAILED = "--scheduler {url} failed: {reason}"
NOTHING_TO_CHECK = "nothing to check: give files or folders, or - to type the input here"
BYTES_ONCE = "give the bytes once: as arguments, or with --hex, --text or --file"
NOT_WITHIN = "--offset {offset} is not within the input, which has {size} bytes"
TOO_LONG = "with --grammar, the input may have at most {most} bytes; this one has {size}"
CODES_AND_BYTES = "error codes and bytes cannot be explained together: give one of the two"
NO_SUCH_CODE = "unknown error code; the error codes are {codes}"
INTERRUPTED = "interrupted"
OUT_OF_MEMORY = "out of memory"
NEEDS_MODULE = "this command needs {name}, which is not installed: python -m pip install {name}"
NEEDS_STANDARD_MODULE = "this command needs {name}, without which this Python was built"
INTERNAL = "internal error, please report it ({variable}=1 shows where): {text}"
