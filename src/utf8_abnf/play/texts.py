"""The English texts of the play page, each under the key by which its JavaScript asks for it.

Named fields stand for facts, as in ``language/messages.py``; the translations are in the same catalogues.
"""

from __future__ import annotations

TEXTS = {
    "page.title": "UTF-8, byte by byte, through its grammar",
    "page.lead": "Nine lines of ABNF from RFC 3629 decide what is UTF-8. Watch them at work.",
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
    "input.label": "What shall be read?",
    "input.kind": "Written as",
    "input.text": "text",
    "input.hex": "bytes in hex",
    "input.escapes": "text with \\x escapes",
    "input.problem.text": "This text cannot be encoded.",
    "input.problem.hex": "Write bytes as pairs of hex digits, such as E2 82 AC.",
    "input.problem.escapes": "After a backslash write xHH, uHHHH, u{H…}, n, t, r, 0 or another backslash.",
    "input.cut": "Only the first {most} of the {total} bytes are read: this page takes no more.",
    "input.examples": "Examples",
    "input.example.good": "well-formed example {bytes}",
    "input.example.bad": "ill-formed example {bytes}: {code}",
    "step.controls": "Stepping",
    "step.first": "To the beginning (Home)",
    "step.back": "One byte back (left arrow)",
    "step.forward": "One byte forward (right arrow)",
    "step.last": "To the end (End)",
    "step.where": "{position} of {total}",
    "say.empty": "No bytes: an empty input is well-formed, *( UTF8-char ) also derives nothing.",
    "say.start": "No byte is read yet (0 of {total}). State start; may come: {next}.",
    "say.read": "Byte {number} of {total}, {byte}: read by {element} in {rule} ({abnf}). State {state}: {words}.",
    "say.next": "May come next: {next}.",
    "say.end.good": "The input ends here, and here it may end.",
    "say.end.open": "The input ends here, inside a character: {next} would have to follow.",
    "say.wrong": (
        "Byte {number} of {total}, {byte}, cannot be right: in state {before} the grammar expects {expected} {where}."
    ),
    "say.wrong.within": "(within {rule})",
    "say.wrong.first": "(at the start of a character)",
    "say.past": "Nothing after it can repair that.",
    "rule.alternative": "{rule}, alternative {number}",
    "state.start": "between two characters",
    "state.tail1": "one more byte is to come",
    "state.tail2": "two more bytes are to come",
    "state.tail3": "three more bytes are to come",
    "state.other": "the next byte has to be {next}",
    "state.reject": "rejected: nothing can repair it",
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
    "edit.mutate": "change this byte to some other",
    "edit.mutate.label": "surprise",
    "edit.insert": "insert 80 after this byte",
    "edit.insert.label": "insert",
    "edit.remove": "remove this byte",
    "edit.remove.label": "remove",
    "bits.none": "Step to a byte to see its bits.",
    "bits.words": "Bits {bytes}; {count} bytes read; code point: {result}",
    "bits.legend": "Grey bits only say what kind of byte it is; the bits a, b, c, d make up the code point.",
    "bits.open": "not complete",
    "abnf.active": "Active: {rule}, alternative {abnf}",
    "abnf.none": "No character is open: any of the dashed elements may begin one.",
    "next.nothing": "Nothing: the input is rejected, whatever follows.",
    "next.end": "end of input",
    "next.end.words": "(the state accepts)",
    "next.put": "continue with {byte}, the first of {range}",
    "tree.wrong": "expected {expected}",
    "track.words": "station {number} of {rule}",
    "track.none": "at a junction: every first station may come",
    "graph.words": "state {state}: {words}",
    "verdict.good": "well-formed",
    "verdict.good.words": "Every byte ({count}) is derived from UTF8-octets.",
    "verdict.bad": "ill-formed",
    "verdict.byte": "byte {byte} at offset {offset} is the first that cannot be right",
    "verdict.ends": "the input ends at offset {offset}, inside a character",
    "verdict.expected": "expected",
    "verdict.rule": "rule",
    "verdict.why": "why",
    "verdict.do": "what to do",
    "verdict.naive": "a naive decoder",
    "verdict.joined": "joining surrogates",
    "verdict.pieces": "with U+FFFD",
    "naive.none": "has no number for it either: the tails its first byte announces are not there",
    "naive.character": "only moves bits and reads {bytes} as {point} {glyph}",
    "naive.surrogate": "only moves bits and reads {bytes} as {point}, a surrogate",
    "naive.large": "only moves bits and reads {bytes} as {point}, above U+10FFFF",
    "naive.joined": "reads {bytes} as {point} {glyph}",
    "exercise.predict": "Predict the verdict",
    "exercise.guided": "From naive to right",
    "exercise.write": "Write or repair the ABNF",
    "exercise.code": "Code by hand",
    "exercise.fool": "Fool a decoder",
    "answer.right": "Right.",
    "answer.wrong": "Not yet.",
    "answer.look": "Step through it",
    "answer.next": "Next question",
    "answer.check": "Check",
    "answer.show": "Show the answer",
    "predict.task": (
        "Is it UTF-8? If not, press the first byte that cannot be right, or the end if bytes are missing there."
    ),
    "predict.good": "It is well-formed",
    "predict.end": "end",
    "predict.byte": "byte {number}, {byte}, cannot be right",
    "predict.score": "{right} of {asked} right at the first attempt.",
    "code.task": (
        "Turn characters into bytes and bytes into characters, by RFC 3629 section 3: choose the row, fill in"
        " the bits marked x."
    ),
    "code.encode": "Encode {point} {glyph} (binary {binary}): which bytes, in hex?",
    "code.decode": "Decode {bytes} (binary {binary}): which code point, U+…?",
    "code.right": "{point} {glyph} = {bytes}.",
    "code.ill_formed": "These bytes are not UTF-8 at all: {code}.",
    "code.length": "{point} needs another number of bytes: {count}.",
    "code.other": "{bytes} is {point}; the first difference is in byte {number}.",
    "code.no_point": "Write a code point in hex, such as U+20AC.",
    "code.no_scalar": "That number is no character's: a surrogate, or above U+10FFFF.",
    "code.point": "{point} would be {bytes}; you have {wanted}. Leave the marker bits out and join the rest.",
    "fool.task": (
        "Find bytes that this decoder and RFC 3629 judge differently. The decoders' grammars come from their "
        "documentation and from what real programs were seen to accept."
    ),
    "fool.decoder": "Decoder",
    "fool.bytes": "Your bytes, in hex",
    "fool.verdicts": "RFC 3629 {rfc}, the decoder {decoder}.",
    "fool.accepts": "accepts",
    "fool.rejects": "rejects",
    "fool.same": (
        "Both say the same: look for what the RFC shuts out and this decoder does not, or the other way round."
    ),
    "fool.shortest": "The shortest: {bytes}. Its grammar, after the differences:",
    "forms.extra": "accepts too much:",
    "forms.missing": "misses:",
    "dialect.mutf8": "Java: modified UTF-8",
    "dialect.mutf8.about": "The strings of class files, JNI and DataOutput.writeUTF.",
    "dialect.java-readutf": "Java: DataInput.readUTF",
    "dialect.java-readutf.about": "What readUTF accepts by its documentation.",
    "dialect.cesu8": "CESU-8",
    "dialect.cesu8.about": "Databases that encode the two halves of UTF-16 one by one.",
    "dialect.wtf8": "WTF-8",
    "dialect.wtf8.about": "File names of Windows in Rust: a surrogate may stand alone, but not a pair.",
    "dialect.rfc2279": "RFC 2279 (1998)",
    "dialect.rfc2279.about": (
        "UTF-8 as it was until 2003, up to six bytes and 7FFFFFFF; iconv -f UTF-8 -t UTF-8 of glibc 2.36 "
        "still takes it."
    ),
    "dialect.perl-utf8": "Perl: lax utf8",
    "dialect.perl-utf8.about": "Perl's internal encoding, with surrogates and numbers up to 63 bits.",
    "dialect.perl-strict": "Perl: strict UTF-8",
    "dialect.perl-strict.about": (
        'What Perl 5.36 decodes as "UTF-8": it also has its own opinion about some characters.'
    ),
    "dialect.lua-lax": "Lua: lax utf8",
    "dialect.lua-lax.about": 'The utf8 library of Lua 5.4 when it is called with "lax".',
    "dialect.utf8mb3": "MySQL: utf8mb3",
    "dialect.utf8mb3.about": "The character set that MySQL long called utf8, as its manual describes it.",
    "write.task": (
        "Write a grammar for exactly the bytes that are UTF-8, or repair one. Any grammar of the same "
        "language is right: automata are compared, not texts."
    ),
    "write.start": "Begin with",
    "write.repair": "a broken grammar, number {number}",
    "write.empty": "an empty page",
    "write.area": "Your ABNF",
    "write.right": (
        "Your grammar accepts exactly the bytes that RFC 3629 does; its smallest automaton has {states} "
        "states, the rejecting one included."
    ),
    "abnf.at": "Line {line}, column {column}:",
    "abnf.no_rule": "a rule has to begin here, as in: name = elements.",
    "abnf.nothing_to_extend": "{name} =/ extends a rule that is not there yet.",
    "abnf.twice": "{name} is defined twice; =/ adds alternatives.",
    "abnf.unexpected": "{what} cannot stand here.",
    "abnf.ends": 'an element is missing: a rule name, %x…, "…" or a group.',
    "abnf.unclosed": "{what} is missing.",
    "abnf.string": 'a string has to end on its line with ", and holds printable ASCII.',
    "abnf.base": "after % stands x, d, b, s or i.",
    "abnf.digits": "digits are missing.",
    "abnf.no_byte": "{what} is more than a byte, FF.",
    "abnf.order": "{low} is more than {high}.",
    "abnf.too_many": "more than {most} repetitions are too many for this page.",
    "abnf.unknown": "the rule {name} is not defined.",
    "abnf.recursive": "{name} calls itself: no finite automaton can follow that.",
    "abnf.too_large": "the automaton is too large for this page.",
    "abnf.empty": "the empty input",
    "abnf.shortest": "The shortest string on which it differs: {bytes}.",
    "abnf.extra": "Yours accepts {bytes}; the RFC does not.",
    "abnf.missing": "Yours rejects {bytes}; the RFC accepts it.",
    "abnf.forms": "All differences as ABNF: + yours has too much, - it misses",
    "guided.task": (
        "The pattern below only counts bytes. It is too loose: it lets through what is not UTF-8. Tighten it,"
        " step by step, until it is RFC 3629's grammar."
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
        "U+D800..U+DFFF belong to UTF-16's pairs and are no characters.\n"
        "U+D7FF = ED 9F BF is still good, U+D800 = ED A0 80 is not, and U+E000 = EE 80 80 is good again. What"
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
        "What may follow F4, and which first bytes have to go altogether?"
    ),
    "guided.end": "This is RFC 3629's grammar: eight states are enough to decide it.",
    "guided.shown": "In RFC 3629, {rule} is:",
    "guided.onwards": "This step is done.",
    "guided.left": "What is still let through:",
    "guided.done": "Your grammar is now exactly UTF-8.",
    "guided.restart": "Start again",
    "python.loading": "The reference parser in Python is being started …",
    "python.agree": (
        "Cross-checked in Python {version}: the reference parser (abnf), Lark and the validator agree with "
        "this page (answers so far: {count})."
    ),
    "python.differ": "Python {version} does NOT agree with this page: {what}. Please report this.",
    "python.failed": "The Python in this page could not be started ({what}); the page works without it.",
}
