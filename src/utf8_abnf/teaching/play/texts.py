"""The English texts of the play page, each under the key by which its JavaScript asks for it.

Named fields stand for facts, as in the tables of ``language/``; the translations are in the same catalogues.
"""

from __future__ import annotations

TEXTS = {
    "page.title": "UTF-8, byte by byte, through its grammar",
    "page.lead": "Nine lines of ABNF in RFC 3629 define what is UTF-8. Watch how they read your bytes.",
    "page.noscript": "This page needs JavaScript.",
    "page.skip": "Skip to the content",
    "page.language": "Language",
    "page.large": "Projector",
    "page.parts": "Parts of the page",
    "page.keys": "Keys: ← and → step, Home and End jump; on a byte, ↑ and ↓ change it.",
    "page.link": "Link to exactly this state",
    "page.source": "Made from",
    "tab.look": "Step through",
    "tab.exercises": "Exercises",
    "view.input": "Input",
    "view.bytes": "Bytes",
    "view.verdict": "Verdict on the whole input",
    "view.bits": "Bits flowing into the code point",
    "view.next": "What may come next",
    "view.abnf": "The grammar (ABNF)",
    "view.tree": "Parse tree so far",
    "view.track": "Railroad track",
    "view.graph": "Automaton",
    "input.label": "Input",
    "input.kind": "Written as",
    "input.text": "text",
    "input.hex": "bytes in hex",
    "input.escapes": "text with \\x escapes",
    "input.problem.text": "This text cannot be encoded.",
    "input.problem.hex": "Write bytes as pairs of hex digits, such as E2 82 AC.",
    "input.problem.escapes": "After a backslash write xHH, uHHHH, u{H…}, n, t, r, 0 or another backslash.",
    "input.strange.surrogate": (
        "{point} is a surrogate: UTF-16 needs it for its pairs, and UTF-8 has no form for it. Moving its bits would "
        "give {bytes}, which is ill-formed."
    ),
    "input.strange.pair": (
        "{point} and {second} are a surrogate pair: UTF-16 writes {whole} {glyph} with them. UTF-8 writes {whole} "
        "itself; the two halves one by one are CESU-8, which is ill-formed here."
    ),
    "input.strange.large": (
        "{point} is above 10FFFF, the last code point: UTF-16 cannot reach it, so UTF-8 has no form for it. Moving its "
        "bits would give {bytes}, which is ill-formed."
    ),
    "input.strange.step": "Step through {bytes}",
    "input.file": "or a file; it can be dropped anywhere",
    "input.cut": "This page reads only the first {most} of the {total} bytes.",
    "input.examples": "Examples",
    "input.example.good": "well-formed example {bytes}",
    "input.example.bad": "ill-formed example {bytes}: {code}",
    "step.controls": "Stepping",
    "step.first": "To the beginning (Home)",
    "step.back": "One byte back (left arrow)",
    "step.forward": "One byte forward (right arrow)",
    "step.last": "To the end (End)",
    "step.where": "{position} of {total}",
    "step.undo": "Undo the last change of the bytes (Ctrl+Z)",
    "step.redo": "Redo the change (Ctrl+Y)",
    "lit.choose": "Light up in all views",
    "lit.none": "nothing",
    "lit.state": "states",
    "lit.rule": "rules",
    "lit.station": "stations of the track",
    "lit.byte": "{rule}, byte {number}",
    "lit.words": "{name}: {count} of the track's stations, read in the states {states}; bytes {ranges}.",
    "file.reading": "Reading {name}: {done} of {total} bytes …",
    "file.good": "{name}: all {total} bytes are well-formed.",
    "file.bad": "{name}: {count} ill-formed sequences in {total} bytes.",
    "file.window": "Shown here: bytes {first} to {end} of the file.",
    "file.errors": "Ill-formed sequences, by their offset",
    "file.some": "Numbers {first} to {last} of {count}",
    "file.before": "earlier ones",
    "file.more": "later ones",
    "file.back": "Earlier bytes",
    "file.forward": "Later bytes",
    "file.close": "Put the file away",
    "file.failed": "{name} cannot be read.",
    "say.empty": "No bytes: an empty input is well-formed, because *( UTF8-char ) also derives the empty sequence.",
    "say.start": "Press ▶ to read the first of {total} bytes.",
    "say.unread": "This input was not read; the views below are of the one before.",
    "say.read": "Byte {number} of {total}, {byte}: read by {element} in {rule} ({abnf}). State {state}: {words}.",
    "say.next": "Next may come: {next}.",
    "say.end.good": "The input ends here, after a complete character.",
    "say.end.open": "The input ends here, inside a character: {next} would have to follow.",
    "say.wrong": (
        "Byte {number} of {total}, {byte}, cannot be right: in state {before} the grammar expects {expected} {where}."
    ),
    "say.wrong.within": "(within {rule})",
    "say.wrong.first": "(at the start of a character)",
    "say.past": "No byte after it can change that.",
    "rule.alternative": "{rule}, alternative {number}",
    "state.start": "between two characters",
    "state.tail1": "one more byte must follow",
    "state.tail2": "two more bytes must follow",
    "state.tail3": "three more bytes must follow",
    "state.other": "the next byte has to be {next}",
    "state.reject": "rejected: no further byte can change that",
    "status.wrong": "cannot be right",
    "status.now": "just read",
    "status.done": "already read",
    "status.lost": "not read, after the error",
    "status.ahead": "not read yet",
    "bytes.one": "byte {number} of {total}: {byte}, {status}",
    "bytes.bad": "ill-formed",
    "edit.none": "Step to a byte to change it.",
    "edit.title": "Change byte {number} and watch",
    "edit.bit": "bit {number}",
    "edit.less": "one less",
    "edit.more": "one more",
    "edit.mutate": "change this byte to another value",
    "edit.mutate.label": "another value",
    "edit.insert": "insert 80 after this byte",
    "edit.insert.label": "insert",
    "edit.remove": "remove this byte",
    "edit.remove.label": "remove",
    "bits.none": "Step to a byte to see its bits.",
    "bits.words": "Bits {bytes}; {count} bytes read; code point: {result}",
    "bits.legend": "Bits without a letter only say what kind of byte it is; bits a, b, c, d make up the code point.",
    "bits.open": "not complete",
    "abnf.active": "Active: {rule}, alternative {abnf}",
    "abnf.none": "No character is open: any of the dashed elements may begin one.",
    "next.nothing": "Nothing: the input is rejected, whatever follows.",
    "next.end": "end of input",
    "next.end.words": "(the state accepts)",
    "next.put": "continue with {byte}, the first of {range}",
    "tree.wrong": "expected {expected}",
    "track.words": "station {number} of {rule}",
    "track.none": "at a junction: any of the first stations may come next",
    "graph.words": "state {state}: {words}",
    "verdict.good": "well-formed",
    "verdict.good.words": "Every byte ({count}) is derived from UTF8-octets.",
    "verdict.bad": "ill-formed",
    "verdict.byte": "byte {byte} at offset {offset} is the first that cannot be right",
    "verdict.ends": "the input ends at offset {offset}, inside a character",
    "verdict.expected": "expected",
    "verdict.rule": "rule",
    "verdict.why": "why",
    "verdict.fix": "fix",
    "verdict.naive": "a naive decoder",
    "verdict.joined": "joining surrogates",
    "verdict.pieces": "with U+FFFD",
    "naive.none": "cannot read a number either: tails that the first byte announces are missing",
    "naive.character": "only moves bits and reads {bytes} as {point} {glyph}",
    "naive.surrogate": "only moves bits and reads {bytes} as {point}, a surrogate",
    "naive.large": "only moves bits and reads {bytes} as {point}, above U+10FFFF",
    "naive.joined": "reads {bytes} as {point} {glyph}",
    "exercise.predict": "Predict the verdict",
    "exercise.guided": "From naive to right",
    "exercise.write": "Write or repair the ABNF",
    "exercise.code": "Code by hand",
    "exercise.fool": "Fool a decoder",
    "exercise.own": "Any grammar",
    "exercise.words": "Other languages",
    "exercise.level": "level {level}",
    "answer.right": "Right.",
    "answer.wrong": "Not yet.",
    "answer.look": "Step through it",
    "answer.next": "Next question",
    "answer.check": "Check",
    "answer.hint": "Hint",
    "answer.show": "Show the answer",
    "predict.task": (
        "Is it UTF-8? If not, press the first byte that cannot be right, or the end if bytes are missing there."
    ),
    "predict.hint": (
        "Look again: how many bytes does each first byte announce, and which bytes may come second? Then press again."
    ),
    "predict.good": "It is well-formed",
    "predict.end": "end",
    "predict.byte": "byte {number}, {byte}, cannot be right",
    "predict.score": (
        "Questions: {asked}; points: {points}. A right first answer adds one, a wrong one takes one away; "
        "always to say “right” would have earned {always}."
    ),
    "words.task": (
        "Dates, numbers and addresses have grammars as well. Does the rule derive these characters? If not, "
        "press the first that cannot be right, or the end if something is missing there."
    ),
    "words.choice": "Language",
    "words.level": "Level {level}: {name}",
    "words.date-time": "dates and times (RFC 3339)",
    "words.json-number": "numbers of JSON (RFC 8259)",
    "words.uri": "URIs (RFC 3986)",
    "words.question": "Question {number}: does {rule} derive this?",
    "words.accepted": "It is derived",
    "words.grammar": "The rules",
    "words.hint": "After the first {count} bytes these may come: {expected}.",
    "words.again": "Look again, and read the rules from the first byte on. Then press again.",
    "words.good": "The rule {rule} derives all of it.",
    "words.bad": "Byte {number}, {byte}, is the first that cannot be right in {rule}. Expected: {expected}.",
    "words.ends": "Something is missing at the end of {rule}. Expected: {expected}.",
    "code.task": (
        "Turn characters into bytes and bytes into characters, by RFC 3629 section 3: choose the row, fill in"
        " the bits marked x."
    ),
    "code.hint": "Its row of the table is {row}.",
    "code.encode": "Encode {point} {glyph} (binary {binary}): which bytes, in hex or binary?",
    "code.decode": "Decode {bytes} (binary {binary}): which code point, U+… or binary?",
    "code.right": "{point} {glyph} = {bytes}.",
    "code.ill_formed": "These bytes are not UTF-8 at all: {code}.",
    "code.length": "The number of bytes is wrong: for {point} it is {count}.",
    "code.other": "{bytes} is {point}; the first difference is in byte {number}.",
    "code.no_bytes": "Write bytes as pairs of hex digits, such as E2 82 AC, or as groups of eight binary digits.",
    "code.no_point": "Write a code point in hex, such as U+20AC, or in binary, such as 0b10000010101100.",
    "code.no_scalar": "No character has that number: it is a surrogate, or above U+10FFFF.",
    "code.point": "{point} would be {bytes}; you have {wanted}. Leave the marker bits out and join the rest.",
    "own.task": (
        "A sandbox for ABNF: write a grammar, and say what it has to accept and to reject. It is read while you type, "
        "and each example turns green or red."
    ),
    "own.choice": "Begin with",
    "own.file": "or a file",
    "own.sample": "a greeting",
    "own.naive": "the pattern that only counts bytes",
    "own.area": "A grammar in ABNF",
    "own.read": "This is ABNF; it begins with the rule {rule}.",
    "own.no_automaton": "It has no automaton here: examples and tree are found by trying one way after another.",
    "own.yes": "{rule} derives this.",
    "own.no": "{rule} does not derive this.",
    "own.compare": "Compare with UTF-8",
    "own.mine": "Its automaton",
    "own.back": "One byte back",
    "own.forward": "Read one byte",
    "own.after": "after {bytes}",
    "own.accepts": "in the state {state}, and accepts what it has read",
    "own.waits": "in the state {state}, and waits for more",
    "own.dead": "rejected: byte number {number} leads to no state",
    "own.more": "{shown} of {total} states are shown.",
    "own.code_points": (
        "This grammar names the code point {what}, so all its values are code points: each stands for its bytes in "
        "UTF-8. Surrogates have none and are left out."
    ),
    "own.equal": "This grammar accepts exactly the bytes of UTF-8.",
    "own.input": "Input",
    "own.kind": "as",
    "own.hex": "bytes in hex",
    "own.text": "text",
    "own.good": "Examples to accept, one on a line (ε: the empty text)",
    "own.bad": "Examples to reject, one on a line (ε: the empty text)",
    "own.step": "Step to the difference",
    "own.tree": "Parse tree of the whole input",
    "own.no_tree": "There is none: this grammar does not derive the input.",
    "own.no_search": "The search for a parse tree was stopped after {steps} steps.",
    "own.track": "Railroad track of this grammar",
    "fool.task": (
        "Find bytes that this decoder and RFC 3629 judge differently. The decoders' grammars follow their "
        "documentation and what real programs were observed to accept."
    ),
    "fool.hint": "Begin with {byte}.",
    "fool.decoder": "Decoder",
    "fool.bytes": "Your bytes, in hex",
    "fool.verdicts": "RFC 3629 {rfc}, the decoder {decoder}.",
    "fool.accepts": "accepts",
    "fool.rejects": "rejects",
    "fool.same": (
        "Both give the same verdict: look for bytes that the RFC rejects and this decoder accepts, or the "
        "other way round."
    ),
    "fool.shortest": "The shortest such bytes: {bytes}. The decoder's deviations, then its grammar:",
    "forms.extra": "wrongly accepts:",
    "forms.missing": "wrongly rejects:",
    "dialect.mutf8": "Java: modified UTF-8",
    "dialect.mutf8.about": "The strings of class files, JNI and DataOutput.writeUTF.",
    "dialect.java-readutf": "Java: DataInput.readUTF",
    "dialect.java-readutf.about": "What readUTF accepts according to its documentation.",
    "dialect.cesu8": "CESU-8",
    "dialect.cesu8.about": "Databases that encode the two halves of UTF-16 one by one.",
    "dialect.wtf8": "WTF-8",
    "dialect.wtf8.about": "Windows file names in Rust: a surrogate may stand alone, but not in a pair.",
    "dialect.rfc2279": "RFC 2279 (1998)",
    "dialect.rfc2279.about": (
        "UTF-8 as it was until 2003, up to six bytes and 7FFFFFFF; iconv -f UTF-8 -t UTF-8 of glibc 2.36 "
        "still accepts it."
    ),
    "dialect.perl-utf8": "Perl: lax utf8",
    "dialect.perl-utf8.about": "Perl's internal encoding, with surrogates and numbers up to 63 bits.",
    "dialect.perl-strict": "Perl: strict UTF-8",
    "dialect.perl-strict.about": ('What Perl 5.36 decodes as "UTF-8": for some characters it has rules of its own.'),
    "dialect.lua-lax": "Lua: lax utf8",
    "dialect.lua-lax.about": 'The utf8 library of Lua 5.4 when it is called with "lax".',
    "dialect.utf8mb3": "MySQL: utf8mb3",
    "dialect.utf8mb3.about": "The character set that MySQL called utf8 for a long time, as its manual describes it.",
    "write.task": (
        "Write a grammar for exactly the bytes that are UTF-8, or repair one. Any grammar of the same "
        "language is right: automata are compared, not texts."
    ),
    "write.start": "Begin with",
    "write.repair": "a broken grammar, number {number}",
    "write.empty": "an empty page",
    "write.area": "Your ABNF",
    "write.hint": (
        "Look at {byte} at the beginning of a character: may it stand there, how many bytes follow it, and from where "
        "to where does the second one go?"
    ),
    "write.hint.empty": "May the input be empty?",
    "write.right": (
        "Your grammar accepts exactly the bytes that RFC 3629 does; its smallest automaton has {states} "
        "states, the rejecting one included."
    ),
    "abnf.at": "Line {line}, column {column}:",
    "abnf.no_byte": (
        "{what} is larger than FF, the largest byte: this is a grammar of code points, and this exercise asks for one "
        "of bytes. The exercise “Any grammar” shows the bytes of code points."
    ),
    "abnf.too_large": "the automaton is too large for this page.",
    "abnf.empty": "the empty input",
    "abnf.shortest": "The shortest bytes on which the two differ: {bytes}.",
    "abnf.extra": "Yours accepts {bytes}; the RFC does not.",
    "abnf.missing": "Yours rejects {bytes}; the RFC accepts it.",
    "abnf.forms": "All differences as ABNF: + only yours accepts, - only the RFC accepts",
    "guided.task": (
        "The pattern below only counts bytes, so it accepts bytes that are not UTF-8. Make it stricter, step "
        "by step, until it is RFC 3629's grammar."
    ),
    "guided.two": "Two bytes: no overlong forms",
    "guided.two.text": (
        "Two bytes hold 11 bits, up to U+07FF. But U+007F and below have to be one byte.\n"
        "The first that needs two is U+0080 = C2 80. Where does UTF8-2 have to begin?"
    ),
    "guided.three": "Three bytes: no overlong forms",
    "guided.three.text": (
        "Three bytes hold 16 bits, up to U+FFFF. But U+07FF and below take at most two.\n"
        "The first that needs three is U+0800 = E0 A0 80: branch by the first byte, and give E0 a second byte"
        " of its own."
    ),
    "guided.surrogates": "Three bytes: no surrogates",
    "guided.surrogates.text": (
        "U+D800..U+DFFF belong to UTF-16's pairs and are not characters.\n"
        "U+D7FF = ED 9F BF is allowed, U+D800 = ED A0 80 is not, and U+E000 = EE 80 80 is allowed again. What"
        " may follow ED?"
    ),
    "guided.four": "Four bytes: no overlong forms",
    "guided.four.text": (
        "Four bytes hold 21 bits, up to U+1FFFFF. But U+FFFF and below take at most three.\n"
        "The first that needs four is U+10000 = F0 90 80 80. What may follow F0?"
    ),
    "guided.last": "Four bytes: nothing above U+10FFFF",
    "guided.last.text": (
        "The last code point is U+10FFFF = F4 8F BF BF.\n"
        "What may follow F4, and which first bytes must not occur at all?"
    ),
    "guided.end": "This is RFC 3629's grammar: eight states are enough to decide it.",
    "guided.hint": "The rule to change is {rule}.",
    "guided.shown": "In RFC 3629, {rule} is:",
    "guided.onwards": "This step is done.",
    "guided.left": "It still wrongly accepts:",
    "guided.done": "Your grammar is now exactly UTF-8.",
    "guided.restart": "Start again",
}
