"""Report an error (``Located``) as text with a caret, as JSON, or as a line for GitHub.

Rule 1: the rule's text and its line number are read from ``grammar/utf8.abnf`` when they are printed; there is no copy.
Only an error costs this: the commands do not import this module while the input is well-formed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from utf8_abnf.explain import diagnosis
from utf8_abnf.explain.located import NO_ADVICE, Advice, Facts, RuleLine
from utf8_abnf.explain.locating import SAMPLE, count_multibyte
from utf8_abnf.explain.nature import READABLE, nature_of
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.model import walk
from utf8_abnf.grammar.syntax import Range, children, show
from utf8_abnf.language import codes, explanations, messages
from utf8_abnf.language.catalogue import columns, padded, say
from utf8_abnf.language.notation import hex_bytes
from utf8_abnf.validator.functions import is_valid
from utf8_abnf.validator.ill_formed import CODES, LONE_TAIL, MISSING_TAIL, OVERLONG, TOO_LARGE, IllFormed

if TYPE_CHECKING:
    from utf8_abnf.explain.located import Located
    from utf8_abnf.explain.locating import Content
    from utf8_abnf.grammar.syntax import Node

_IN_OTHER_DATA = (LONE_TAIL, MISSING_TAIL, OVERLONG, TOO_LARGE)  # what a program that writes text seldom causes

_MAX_LINES = 5  # whose numbers are shown


@cache
def rule_line(rule: str, first: int) -> RuleLine:
    """Return the line of *rule* in ``grammar/utf8.abnf`` that a character with the first byte *first* has to follow."""
    grammar = _utf8()
    whole = grammar[rule]
    alternatives = whole.alternatives
    number = next((place for place, node in enumerate(alternatives, 1) if _begins(node, first)), 0)
    if len(alternatives) == 1 or not number:
        line, _ = grammar.position(whole.span)
        return RuleLine(whole.name, f"{whole.name} = {show(whole.definition)}", 0, grammar.file, line)
    chosen = alternatives[number - 1]
    line, _ = grammar.position(chosen.span)
    before = "… / " if number > 1 else ""
    after = " / …" if number < len(alternatives) else ""
    return RuleLine(whole.name, f"{whole.name} = {before}{show(chosen)}{after}", number, grammar.file, line)


@cache
def _utf8() -> Grammar:
    return Grammar.load("utf8")


def _begins(node: Node, byte: int) -> bool:
    """Return whether *node* begins with a range that contains *byte*; references to rules are not followed."""
    leaf = next(each for each in walk(node) if not children(each))
    return isinstance(leaf, Range) and leaf.low <= byte <= leaf.high


def headline(error: IllFormed, sequence: bytes) -> str:
    """Return what is wrong, in one sentence; *sequence* are the bytes from the start of the error."""
    before = hex_bytes(sequence[: error.length])
    if error.truncated:
        return say(messages.ENDS_AFTER, offset=error.end, before=before)
    if error.offending == error.start:
        return say(messages.CANNOT_START, got=error.got, offset=error.start)
    return say(messages.CANNOT_FOLLOW, got=error.got, offset=error.offending, before=before)


def reason(error: IllFormed, first: int) -> str:
    """Return why the RFC does not allow the sequence; *first* is its first byte."""
    return say(next(row.text for row in codes.REASONS[error.code] if row.low <= first <= row.high))


def advice(located: Located, head: bytes) -> str:
    """Return how to fix it; *head* are the first bytes of the input, which may show that it is not UTF-8 at all."""
    nature = nature_of(head)
    if nature.format:
        return say(messages.PACKED if nature.format in READABLE else messages.NOT_TEXT, format=nature.format)
    if nature.encoding:
        return in_other_encoding(nature.encoding).text
    if located.follows and located.error.code == LONE_TAIL:
        return say(explanations.REST_OF_THE_LAST)
    if nature.is_data or (located.error.code in _IN_OTHER_DATA and b"\0" in head):
        return say(messages.HAS_CONTROLS)
    return say(codes.ADVICE[located.error.code])


def in_other_encoding(encoding: str) -> Advice:
    """Return the advice for a file that begins as text in *encoding*, which its bytes prove."""
    command = say(messages.CONVERT, name=encoding.lower())
    return Advice(say(messages.OTHER_ENCODING, encoding=encoding, command=command), encoding, command)


def advice_for_file(head: bytes, content: Content) -> Advice:
    r"""Return what broke a text and what to do, once for all its errors; nothing where nothing is known to be right.

    Of what is printed to be typed, every command keeps all well-formed characters of several bytes.

    >>> from utf8_abnf.explain.locating import Content
    >>> content = Content()
    >>> content.line, content.sample = 1, "é à la crème, garçon".encode("cp1252")
    >>> advice_for_file(b"caf" + content.sample, content).text.partition(";")[0]
    'line 1 is not UTF-8, and nothing proves in which encoding it is'
    """
    if nature_of(head).is_data:
        return Advice(say(messages.DATA))
    diagnosed = diagnosis.diagnose(content.sample, content.start, content.before)
    if diagnosed.cause == diagnosis.END:
        return NO_ADVICE
    if diagnosed.cause in messages.CAUSES:
        convert = say(messages.CONVERT, name=diagnosed.encoding.lower()) if diagnosed.encoding else ""
        encoding, command = messages.REPAIRS.get(diagnosed.cause, (diagnosed.encoding, convert))
        facts = {"size": f"{diagnosed.buffer:,}", "encoding": encoding, "command": command}
        return Advice(say(messages.CAUSES[diagnosed.cause], **facts), encoding, command)
    if b"\0" in head or (content.controls and not content.multibyte):
        return Advice(say(messages.HAS_CONTROLS))
    return Advice(_unknown(content))


def _unknown(content: Content) -> str:
    """Return which lines are not UTF-8, and how to convert them."""
    lines = (content.before + content.sample).split(b"\n")
    is_cut = len(content.sample) == SAMPLE
    if is_cut and len(lines) > 1:
        lines.pop()
    wrong = {number: line for number, line in enumerate(lines, content.line) if not is_valid(line)}
    mixed = sum(count_multibyte(line) > 0 for line in wrong.values())
    numbers = ", ".join(f"{number:,}" for number in [*wrong][:_MAX_LINES])
    more = len(wrong) - _MAX_LINES
    numbers += f" {say(messages.AND_MORE, number=f'{more:,}')}" if more > 0 else ""
    text = say(messages.UNKNOWN_LINES if len(wrong) > 1 else messages.UNKNOWN_LINE, lines=numbers)
    if mixed or (is_cut and content.multibyte):
        return f"{text}; {say(messages.CONVERT_BYTES)}"
    return f"{text}; {say(messages.CONVERT_LINES)}"


def facts_of(located: Located, head: bytes = b"") -> Facts:
    """Return the facts about one error; *head* are the first bytes of the input."""
    error = located.error
    if not isinstance(error, IllFormed):
        assert located.profile is not None
        return located.profile.facts_of(error)
    sequence = located.window[error.start - located.window_start :]
    return Facts(
        message=headline(error, sequence),
        mark=say(messages.EXPECTED, expected=error.expected),
        rule=rule_line(error.rule, sequence[0]),
        section=say(codes.SECTION[error.code]),
        why=reason(error, sequence[0]),
        advice=advice(located, head),
        expected=error.expected,
        got=error.got,
        offending=error.offending,
        marked=1,
    )


def picture(located: Located, facts: Facts) -> list[str]:
    """Return two lines: the bytes, and below them marks for the wrong bytes (``^^``) and those before them (``~~``)."""
    window = located.window
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in window)
    start = located.error.start - located.window_start
    wrong = facts.offending - located.window_start
    marks = "   " * start + "~~ " * (wrong - start) + "^^ " * facts.marked
    return [f"  {located.window_start:08X}  {hex_bytes(window)}   {text}", f"            {marks}{facts.mark}"]


def place_of(name: str, located: Located) -> str:
    """Return where an error is: the name of the input with line and column, or with the row of a columnar file."""
    if located.cell is None:
        return f"{name}:{located.line}:{located.column}"
    return f"{name.removesuffix(f'!{located.cell.column}')}: {in_cell(located)}"


def in_cell(located: Located, text: str = "") -> str:
    """Return *text* after the place in a columnar file, where the error is in one."""
    if located.cell is None:
        return text
    facts = {"column": located.cell.column, "row": f"{located.cell.row}", "byte": f"{located.error.start}"}
    return say(messages.CELL, **facts) + (f": {text}" if text else "")


def text_of(name: str, located: Located, head: bytes = b"") -> list[str]:
    """Return the lines of the diagnostic; *name* is what the input is called, *head* its first bytes."""
    code, facts = located.error.code, facts_of(located, head)
    is_refused = code not in CODES
    labels = [say(label) for label in (explanations.RULE, explanations.WHY, explanations.FIX)]
    width = max(map(columns, labels)) + 2
    the_rule, why, fix = (f"  {padded(label, width)}" for label in labels)
    document = facts.section if is_refused else say(codes.SECTION_4)
    document += ", " if document else ""
    return [
        f"{place_of(name, located)}: {code} {facts.message}",
        *picture(located, facts),
        f"{the_rule}{facts.rule.text}      {document}{facts.rule.file}:{facts.rule.line}",
        f"{why}{facts.why}" + ("" if is_refused else f" ({facts.section})"),
        f"{fix}{facts.advice}",
        f"  {'':{width}}utf8-abnf explain {code}",
    ]


def record_of(located: Located, head: bytes = b"") -> dict[str, Any]:
    """Return the diagnostic for ``json.dumps``; offsets count bytes from 0, lines and columns count from 1."""
    error, facts = located.error, facts_of(located, head)
    return {
        **({"cell": located.cell._asdict()} if located.cell else {}),
        **({"profile": located.profile.name} if located.profile else {}),
        "code": error.code,
        "message": facts.message,
        "start": error.start,
        "length": error.length,
        "offending": facts.offending,
        "line": located.line,
        "column": located.column,
        "expected": facts.expected,
        "got": facts.got,
        "truncated": error.truncated,
        "rule": facts.rule.name,
        "alternative": facts.rule.alternative,
        "rule_text": facts.rule.text,
        "grammar_file": facts.rule.file,
        "grammar_line": facts.rule.line,
        "window": {"start": located.window_start, "bytes": hex_bytes(located.window)},
        "why": facts.why,
        "section": facts.section,
        "advice": facts.advice,
    }


def sentence_of(located: Located, head: bytes = b"", *, joint: str = "; ") -> str:
    """Return the diagnostic in one sentence, for formats that show one."""
    facts = facts_of(located, head)
    mark = "" if located.profile else f"{joint}{facts.mark}"
    return in_cell(located, f"{facts.message}{mark} ({facts.rule.name}): {facts.why}")


def github_of(name: str, located: Located) -> str:
    """Return the workflow command that makes GitHub show the error; *name* is the path, "" for standard input."""
    message = sentence_of(located, joint=", ")
    place = f"file={_property(name)}," if name else ""
    return f"::error {place}line={located.line},col={located.column},title={located.error.code}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
