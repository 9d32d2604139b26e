"""Read the text of an ABNF grammar; return its rules (``Rule``) as they are written: syntax trees with positions.

Rule 1: the language is that of RFC 5234 section 4 with its verified errata 2968 and 3076, and RFC 7405's ``%s`` and
``%i``. The reader also accepts four things that are common in files: LF instead of CRLF, a last line without a line
end, the margin that RFCs print, and comments with characters beyond ASCII. ``<name>`` is prose, unless the grammar has
a rule of that name (section 2.1).
Rule 2: reading takes linear time, and nesting is limited to ``MAX_NESTING``, so that no file can exhaust the stack,
here or in a later step.
Rule 3: a test compares the tree with the tree that the reader of the ``abnf`` package builds.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import remedies
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Rule,
    Series,
    Span,
    Text,
    rebuilt,
)
from utf8_abnf.language import syntax_errors as messages
from utf8_abnf.language.catalogue import Message
from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    from utf8_abnf.grammar.syntax import Node

MAX_NESTING = 64  # parentheses and brackets; RFC 3986, the deepest grammar that ships, nests 3
MAX_DIGITS = 18  # of one number: a limit for int(), far above any count or code point

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_DEFINED_AS = re.compile(r"=/?")
_REPEAT = re.compile(r"([0-9]*)\*([0-9]*)|([0-9]+)")
_LIST = re.compile(r"([0-9]*)#([0-9]*)")
_STRING = re.compile(r'(%[siSI])?"([^"\r\n]*)"')
_PROSE = re.compile(r"<([^>\r\n]*)>")
_BASES = {"x": (16, "[0-9A-Fa-f]+"), "d": (10, "[0-9]+"), "b": (2, "[01]+")}
_NUMBERS = {base: re.compile(f"({digits})(?:((?:[.]{digits})+)|-({digits}))?") for base, (_, digits) in _BASES.items()}
_BLANK = re.compile(r"[ \t]*(?:;[^\r\n]*)?(?:\r?\n|\Z)")
_WSP = re.compile(r"[ \t]*")
_LINE_END = re.compile(r"(?:;[^\r\n]*)?(?:\r?\n|\Z)")
_BEGINS_A_RULE = re.compile(r"[ \t]*[A-Za-z][A-Za-z0-9-]*[ \t]*=")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")  # its byte order marks, as bytes that are not UTF-8 are read
_FOREIGN = re.compile(r"[^\t\r\n\x20-\x7E]|\r(?!\n)")
_BEYOND = re.compile(r"[^\x00-\x7F]")
_MAYBE_COMMENT = re.compile(r'"[^"\r\n]*"?|<[^>\r\n]*>?|;[^\r\n]*')  # a ; in a string or in prose begins no comment


def position(text: str, offset: int) -> tuple[int, int]:
    r"""Return line and column, both from 1 and in characters, of *offset* in *text*.

    >>> position("a = b\nb = c", 10)
    (2, 5)
    """
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def not_ascii(text: str) -> tuple[int, str] | None:
    """Return the offset of the first character beyond ASCII in *text*, and how to show the character; None if all are.

    In a grammar that was read, this character is in a comment.
    """
    found = _BEYOND.search(text)
    return found and (found.start(), _shown(found[0]))


def _shown(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return Message(messages.BYTE, value=f"{ord(char) - 0xDC00:02X}")
    return code_point(ord(char))


def _with_ascii_comments(text: str) -> str:
    """Return *text* with a question mark for each character beyond ASCII in its comments; offsets stay the same."""
    if text.isascii():
        return text
    return _MAYBE_COMMENT.sub(lambda part: _BEYOND.sub("?", part[0]) if part[0][0] == ";" else part[0], text)


def read(text: str, file: str = "<grammar>", *, lists: bool = False) -> list[Rule]:
    """Return the rules of the ABNF grammar *text* as they are written; *file* is the name that errors show.

    With *lists*, HTTP's ``1#element`` is read as what it stands for (RFC 9110 section 5.6.1.1). Raises
    ``GrammarError`` with line and column at the first place that RFC 5234 does not allow.

    >>> read("a = 2b")[0].definition
    Repetition(low=2, high=2, item=Ref(name='b', span=Span(start=5, end=6)), span=Span(start=4, end=6))
    """
    rules = _Reader(text, file, lists=lists).rules()
    names = {rule.name.lower() for rule in rules}

    def named(node: Node) -> Node:  # as RFC 3986 needs it: path-empty = 0<pchar>
        return Ref(node.text, node.span) if isinstance(node, Prose) and node.text.lower() in names else node

    return [replace(rule, definition=rebuilt(rule.definition, named)) for rule in rules]


def _listed(low: int, high: int | None, item: Node, span: Span) -> Node:
    """Return the list ``low#high item``: items with commas between them, and spaces and tabs around these."""
    space = Repetition(0, None, Group(Alternation((Ref("SP", span), Ref("HTAB", span)), span), span), span)
    more = Group(Concatenation((space, Text(",", span=span), space, item), span), span)
    least, most = max(low - 1, 0), None if high is None else high - 1
    if most is not None and most < 1:
        several = item if high else Repetition(0, 0, item, span)
    else:
        several = Concatenation((item, Repetition(least, most, more, span)), span)
    return Group(several, span) if low else Option(several, span)


class _Reader:
    """A cursor over the text. A method named for a rule of RFC 5234 section 4 reads that rule and moves the cursor."""

    def __init__(self, text: str, file: str, *, lists: bool) -> None:
        self.text = text
        self.file = file
        self.lists = lists
        self.at = 0
        self.depth = 0
        self._only_ascii()
        self._find_margin()

    def rules(self) -> list[Rule]:
        rules = []
        while self.at < len(self.text):
            blank = _BLANK.match(self.text, self.at)
            if blank:
                self.at = blank.end()
            else:
                rules.append(self._rule())
        return rules

    # -- the whole text

    def _only_ascii(self) -> None:
        foreign = _FOREIGN.search(_with_ascii_comments(self.text))
        if not foreign:
            return
        where = foreign.start()
        char = self.text[where]
        if char == "\ufeff":
            self._fail(where, messages.BYTE_ORDER_MARK)
        if self.text.startswith(_UTF16):
            self._fail(where, messages.UTF16_MARK)
        if char == "\f":
            self._fail(where, messages.FORM_FEED)
        if char == "\r":
            self._fail(where, messages.LONE_CR)
        self._fail(where, messages.NOT_ASCII, character=_shown(char), remedy=remedies.for_character(self.text, where))

    def _find_margin(self) -> None:
        """Find the margin that RFCs print: the white space before the first rule, which stands before every rule."""
        start = 0
        while start < len(self.text) and (blank := _BLANK.match(self.text, start)):
            start = blank.end()
        match = _WSP.match(self.text, start)
        self.margin = match[0] if match else ""
        # c-wsp = WSP / (c-nl WSP); the margin does not count as white space of the grammar
        self._c_wsp = re.compile(rf"(?:[ \t]++|(?:;[^\r\n]*+)?\r?\n{self.margin}(?=[ \t]))*+")

    # -- the rules of RFC 5234 section 4

    def _rule(self) -> Rule:
        start = self._line_start()
        name = _NAME.match(self.text, start)
        if not name:
            remedy = remedies.for_rule(self.text, start)
            self._fail(start, messages.EXPECTED_RULE, got=self._got(start), remedy=remedy)
        self.at = name.end()
        self._skip()
        defined_as = _DEFINED_AS.match(self.text, self.at)
        if not defined_as:
            hint = remedies.for_defined_as(self.text, self.at) or self._why_the_rule_ends()
            self._fail_with(Message(messages.EXPECTED_DEFINED_AS, name=name[0]), hint)
        self.at = defined_as.end()
        self._skip()
        node = self._alternation()
        end = node.span.end
        line_end = _LINE_END.match(self.text, self.at)
        if not line_end:
            self._fail_at_element(Message(messages.EXPECTED_END))
        self.at = line_end.end()
        return Rule(name[0], node, Span(start, end), adds=defined_as[0] == "=/")

    def _line_start(self) -> int:
        """Return the offset after the margin of this line; fail if the indentation is another one."""
        indent = _WSP.match(self.text, self.at)
        white = indent[0] if indent else ""
        start = self.at + len(white)
        if white != self.margin:
            why = Message(messages.SAME_MARGIN, margin=repr(self.margin))
            if white.startswith(self.margin):
                why = Message(messages.CONTINUES_NOTHING)
            self._fail(start, messages.INDENTATION, white=repr(white), why=why)
        return start

    def _alternation(self) -> Node:
        items = [self._concatenation()]
        while self.text.startswith("/", self.at):
            self.at += 1
            self._skip()
            items.append(self._concatenation())
        if len(items) == 1:
            return items[0]
        return Alternation(tuple(items), Span(items[0].span.start, items[-1].span.end))

    def _concatenation(self) -> Node:
        """Read a concatenation and the white space after it."""
        items = [self._repetition()]
        white = self._skip()
        while self._at_element():
            if not white:
                self._fail_at_element(Message(messages.EXPECTED_WHITE_SPACE))
            items.append(self._repetition())
            white = self._skip()
        if len(items) == 1:
            return items[0]
        return Concatenation(tuple(items), Span(items[0].span.start, items[-1].span.end))

    def _at_element(self) -> bool:
        """Return whether another repetition has to begin here."""
        return self.at < len(self.text) and self.text[self.at] not in "/)];\r\n"

    def _repetition(self) -> Node:
        start = self.at
        listed = _LIST.match(self.text, start) if self.lists else None
        repeat = listed or _REPEAT.match(self.text, start)
        if not repeat:
            return self._element()
        self.at = repeat.end()
        low, high = self._bounds(repeat)
        if self.at == len(self.text) or self.text[self.at] in " \t\r\n/)];":
            self._fail(self.at, messages.NO_WHITE_SPACE, repeat=repeat[0], got=self._got(self.at))
        item = self._element()
        span = Span(start, item.span.end)
        return _listed(low, high, item, span) if listed else Repetition(low, high, item, span)

    def _bounds(self, repeat: re.Match[str]) -> tuple[int, int | None]:
        low, high, exact = (*repeat.groups(), None)[:3]
        if exact:
            count = self._number(exact, 10, repeat.start())
            return count, count
        least = self._number(low, 10, repeat.start()) if low else 0
        most = self._number(high, 10, repeat.start(2)) if high else None
        if most is not None and most < least:
            self._fail(repeat.start(), messages.BAD_REPEAT, repeat=repeat[0], least=least, most=most)
        return least, most

    def _element(self) -> Node:
        char = self.text[self.at] if self.at < len(self.text) else ""
        if char in "([" and char:
            return self._nested(char)
        if char == "<":
            return self._prose()
        if char == '"' or (char == "%" and self.text[self.at + 1 : self.at + 2] in tuple("siSI")):
            return self._text()
        if char == "%":
            return self._num_val()
        name = _NAME.match(self.text, self.at)
        if not name:
            self._fail_at_element(Message(messages.EXPECTED_ELEMENT))
        self.at = name.end()
        return Ref(name[0], Span(*name.span()))

    def _nested(self, opening: str) -> Node:
        start = self.at
        closing = ")" if opening == "(" else "]"
        if self.depth == MAX_NESTING:
            self._fail(start, messages.TOO_DEEP, most=MAX_NESTING)
        self.depth += 1
        self.at += 1
        self._skip()
        if self.text.startswith(closing, self.at):
            self._fail(start, messages.EMPTY_GROUP)
        item = self._alternation()
        if not self.text.startswith(closing, self.at):
            line, column = position(self.text, start)
            facts = {"closing": closing, "opening": opening, "line": line, "column": column}
            self._fail_at_element(Message(messages.EXPECTED_CLOSING, **facts))
        self.at += 1
        self.depth -= 1
        span = Span(start, self.at)
        return Group(item, span) if opening == "(" else Option(item, span)

    def _prose(self) -> Node:
        prose = _PROSE.match(self.text, self.at)
        if not prose:
            self._fail(self.at, messages.OPEN_PROSE)
        self.at = prose.end()
        return Prose(prose[1], Span(*prose.span()))

    def _text(self) -> Node:
        string = _STRING.match(self.text, self.at)
        if not string:
            if self.text[self.at] == "%" and self.text[self.at + 2 : self.at + 3] != '"':
                self._fail(self.at + 2, messages.NO_STRING, prefix=self.text[self.at : self.at + 2])
            self._fail(self.at, messages.OPEN_STRING)
        if "\t" in string[2]:
            self._fail(string.start(2) + string[2].index("\t"), messages.TAB_IN_STRING)
        self.at = string.end()
        return Text(string[2], (string[1] or "").lower() == "%s", Span(*string.span()))

    def _num_val(self) -> Node:
        start = self.at
        base = self.text[start + 1 : start + 2].lower()
        if base not in _BASES or not base:
            remedy = Message(messages.NUMBER)
            self._fail(start, messages.EXPECTED_BASE, got=self._got(start + 1), remedy=remedy)
        number = _NUMBERS[base].match(self.text, start + 2)
        if not number:
            digit = Message(messages.DIGITS[base])
            self._fail(start + 2, messages.EXPECTED_DIGIT, digit=digit, base=base, got=self._got(start + 2))
        self.at = number.end()
        radix = _BASES[base][0]
        first, more, last = number.groups()
        span = Span(start, self.at)
        low = self._number(first, radix, start)
        if more:
            return Series((low, *(self._number(each, radix, start) for each in more[1:].split("."))), base, span)
        high = self._number(last, radix, start) if last else low
        if high < low and not self.text[self.at : self.at + 1].isalnum():  # else that digit is the mistake
            whole = self.text[start : self.at]
            self._fail(start, messages.REVERSED, range=whole, base=base, last=last, first=first)
        return Range(low, high, base, span)

    # -- helpers

    def _skip(self) -> bool:
        """Skip ``*c-wsp``; return whether there was any."""
        before = self.at
        match = self._c_wsp.match(self.text, before)
        self.at = match.end() if match else before
        return self.at > before

    def _number(self, digits: str, radix: int, where: int) -> int:
        if len(digits.lstrip("0")) > MAX_DIGITS:
            self._fail(where, messages.MANY_DIGITS, most=MAX_DIGITS)
        return int(digits.lstrip("0") or "0", radix)

    def _got(self, where: int) -> str:
        if where >= len(self.text):
            return Message(messages.END_OF_GRAMMAR)
        char = self.text[where]
        if char in "\r\n\t":
            return Message(messages.TAB if char == "\t" else messages.END_OF_LINE)
        return repr(char)

    def _why_the_rule_ends(self) -> str:
        """Return what may have cut the rule at the end of the cursor's line; "" where that is not to be seen."""
        line_end = _LINE_END.match(self.text, self.at)
        if not line_end:
            return ""
        start = follows = line_end.end()
        while follows < len(self.text) and (blank := _BLANK.match(self.text, follows)):
            follows = blank.end()
        if follows == len(self.text) or _BEGINS_A_RULE.match(self.text, follows):
            return ""
        if not self.text.startswith((self.margin + " ", self.margin + "\t"), follows):
            return Message(messages.MAY_CONTINUE, line=position(self.text, follows)[0])
        is_blank = not self.text[start:].split("\n", 1)[0].strip()
        cut = messages.CUT_BY_BLANK if is_blank else messages.CUT_BY_MARGIN
        return Message(cut, line=position(self.text, start)[0])

    def _fail_at_element(self, expected: Message) -> NoReturn:
        hint = remedies.for_element(self.text, self.at) or self._why_the_rule_ends()
        if not hint and self.text[self.at : self.at + 1] in {"", "\r", "\n"}:
            hint = remedies.for_nothing(self.text, self.at)
        self._fail_with(expected, hint)

    def _fail_with(self, expected: Message, hint: str) -> NoReturn:
        message = messages.GOT_HINT if hint else messages.GOT
        self._fail(self.at, message, expected=expected, got=self._got(self.at), hint=hint)

    def _fail(self, where: int, message: str, **facts: object) -> NoReturn:
        line, column = position(self.text, where)
        raise GrammarError(Message(message, **facts), file=self.file, line=line, column=column)
