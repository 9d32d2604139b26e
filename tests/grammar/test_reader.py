"""The ABNF reader: the same tree as abnf's own reader, and for bad grammars one error with its place."""

from __future__ import annotations

import textwrap

import pytest
from abnf.parser import ABNFGrammarRule
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.reader import MAX_NESTING, read
from utf8_abnf.grammar.syntax import (
    Alternation,
    Concatenation,
    Group,
    Option,
    Prose,
    Range,
    Ref,
    Repetition,
    Series,
    Span,
    Text,
    show,
)

# -- abnf's reader as the twin


def by_abnf(text):
    """Read *text* with the abnf package's own rules: a list of (name, operator, node)."""
    text = text.replace("\r\n", "\n").rstrip() + "\n"
    if text[0] in " \t":
        text = textwrap.dedent(text)  # abnf knows no margin
    tree = ABNFGrammarRule("rulelist").parse_all(text.replace("\n", "\r\n"))
    rules = [node for node in tree.children if node.name == "rule"]
    names = {child(rule, "rulename").value.lower() for rule in rules}
    return [
        (
            child(rule, "rulename").value,
            "".join(each.value for each in child(rule, "defined-as").children if each.name == "literal"),
            converted(child(child(rule, "elements"), "alternation"), names),
        )
        for rule in rules
    ]


def child(node, name):
    return next(each for each in node.children if each.name == name)


def converted(node, names):
    inner = [each for each in node.children if each.name not in {"c-wsp", "literal"}]
    match node.name:
        case "alternation" | "concatenation":
            items = tuple(converted(each, names) for each in inner)
            kind = Alternation if node.name == "alternation" else Concatenation
            return items[0] if len(items) == 1 else kind(items)
        case "repetition":
            item = converted(inner[-1], names)
            return item if len(inner) == 1 else Repetition(*bounds(inner[0].value), item)
        case "group":
            return Group(converted(inner[0], names))
        case "option":
            return Option(converted(inner[0], names))
        case "rulename":
            return Ref(node.value)
        case "prose-val":
            text = node.value[1:-1]
            return Ref(text) if text.lower() in names else Prose(text)
        case "case-sensitive-string" | "case-insensitive-string":
            return Text(inner[-1].value[1:-1], node.name == "case-sensitive-string")
        case "bin-val" | "dec-val" | "hex-val":
            return number(node.value)
    return converted(inner[0], names)


def bounds(repeat):
    low, star, high = repeat.partition("*")
    return (int(low or 0), int(high) if high else None) if star else (int(low), int(low))


def number(text):
    base = text[0].lower()
    radix = {"b": 2, "d": 10, "x": 16}[base]
    if "." in text:
        return Series(tuple(int(each, radix) for each in text[1:].split(".")), base)
    low, _, high = text[1:].partition("-")
    return Range(int(low, radix), int(high or low, radix), base)


def by_us(text):
    return [(each.name, "=/" if each.adds else "=", each.definition) for each in read(text)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped_grammars())
def test_the_tree_is_abnfs_own_for_every_shipped_grammar(name):
    text = shipped_grammars()[name].read_text("ascii")
    assert by_us(text) == by_abnf(text)


names = st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,5}", fullmatch=True)
counts = st.integers(0, 12)
strings = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"'), max_size=5)
proses = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="<>"), max_size=5)
bases = st.sampled_from("xdb")
atoms = st.one_of(
    names.map(Ref),
    st.builds(lambda a, b, base: Range(min(a, b), max(a, b), base), st.integers(0, 300), st.integers(0, 300), bases),
    st.builds(Series, st.lists(st.integers(0, 300), min_size=2, max_size=4).map(tuple), bases),
    st.builds(Text, strings, st.booleans()),
    proses.map(Prose),
)


def extended(nodes):
    def joined(kind):
        return st.lists(nodes, min_size=2, max_size=3).map(lambda items: kind(tuple(items)))

    inside = st.one_of(nodes, joined(Alternation), joined(Concatenation))
    return st.one_of(
        st.builds(Group, inside),
        st.builds(Option, inside),
        st.builds(
            lambda low, more, item: Repetition(low, None if more is None else low + more, item),
            counts,
            st.none() | counts,
            st.one_of(atoms, st.builds(Group, inside), st.builds(Option, inside)),
        ),
    )


elements = st.recursive(atoms, extended, max_leaves=8)
rules = st.lists(st.tuples(names, elements), min_size=1, max_size=4)


def as_prose_or_name(node, known):
    """<name> is a reference where there is such a rule."""
    return by_us("".join(f"{each} = <x>\n" for each in known) + f"it = {show(node)}")[-1][2]


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 2)
@given(rules)
def test_what_is_printed_reads_back(drawn):
    text = "".join(f"{name} = {show(node)}\n" for name, node in drawn)
    known = [name for name, _ in drawn]
    assert [node for _, _, node in by_us(text)] == [as_prose_or_name(node, known) for _, node in drawn]


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 3)
@given(rules, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "   "]), st.sampled_from(["", "; a note"]))
def test_the_tree_is_abnfs_own_for_generated_grammars(drawn, line_end, margin, comment):
    lines = []
    for name, node in drawn:
        lines += [f"{margin}{name} ={comment}", f"{margin} {show(node)} {comment}", ""]
    text = line_end.join(lines)
    assert by_us(text) == by_abnf(text)


# -- ways to lay out a grammar

PLAIN = [("a", "=", Concatenation((Text("x"), Ref("b")))), ("b", "=", Alternation((Range(1, 2), Range(3, 3))))]
LAYOUTS = {
    "LF": 'a = "x" b\nb = %x01-02 / %x03\n',
    "CRLF": 'a = "x" b\r\nb = %x01-02 / %x03\r\n',
    "no final line end": 'a = "x" b\nb = %x01-02 / %x03',
    "comment without line end": 'a = "x" b\nb = %x01-02 / %x03 ; end',
    "margin": '   a = "x" b\n   b = %x01-02 /\n       %x03\n',
    "margin of tabs": '\ta = "x" b\n\tb = %x01-02 /\n\t\t%x03\n',
    "continued lines": 'a =\n "x"\n\tb\nb = %x01-02\n  / %x03\n',
    "comments": '; top\na = ; one\n ; two\n "x" ; three\n b ; four\n; five\nb = %x01-02 ;\n / %x03\n ; six\n',
    "blank lines around": '\n\n  \na = "x" b\n\n \nb = %x01-02 / %x03\n\n',
    "white line within": 'a = "x"\n   \n b\nb = %x01-02 / %x03\n',
    "no white space at all": 'a="x" b\nb=%x01-02/%x03\n',
    "other case": 'a = %i"x" b\nb = %X1-2 / %X3\n',
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_does_not_change_the_tree(name):
    assert by_us(LAYOUTS[name]) == PLAIN
    assert "margin" in name or by_abnf(LAYOUTS[name]) == PLAIN


def test_spans_are_the_places_in_the_text():
    (rule,) = read("  a = 2*3( %x41-5A ) / b")
    assert rule.span == Span(2, 24)
    alternation = rule.definition
    assert [each.span for each in alternation.items] == [Span(6, 20), Span(23, 24)]
    assert alternation.items[0].item.item.span == Span(11, 18)


def test_rules_are_found_in_any_case_joined_and_followed_by_the_core_rules_that_they_use():
    grammar = Grammar.parse("Big = SMALL\nsmall = %x01 / HEXDIG\nBIG =/ %x03 / %x04\n")
    assert list(grammar.rules) == ["big", "small", "hexdig", "digit"]
    assert grammar["BIG"] is grammar["big"]
    assert ("Small" in grammar, "smal" in grammar) == (True, False)
    assert [show(each) for each in grammar["big"].alternatives] == ["SMALL", "%x03", "%x04"]
    assert grammar["digit"].core
    assert grammar["ALPHA"].core  # not used, but known
    grammar = Grammar.parse('a = DIGIT\ndigit = "0" / "1"\n')
    assert list(grammar.rules) == ["a", "digit"]
    assert not grammar["DIGIT"].core


def test_angle_brackets_around_a_rules_name_are_a_reference():
    assert by_us("a = 0<b>\nb = <c>\n")[0][2] == Repetition(0, 0, Ref("b"))
    assert by_us("a = 0<b>\nb = <c>\n")[1][2] == Prose("c")


# -- bad grammars: what, where, and words that the message must have

BAD = {
    "empty": ("", 1, 1, ["no rule", "expected at least one"]),
    "comments only": ("; nothing\n\n", 1, 1, ["no rule"]),
    "no equals sign": ("a b\n", 1, 3, ["expected = or =/", "rule name a", "'b'"]),
    "BNF": ("a ::= b\n", 1, 3, ["expected = or =/", "':'", "where other notations write ::="]),
    "an underscore in a name": ("a_b = c\n", 1, 2, ["expected = or =/", "letters, digits and hyphens"]),
    "typographic quotation marks": ("a = “x”\n", 1, 5, ["U+201C", "straight quotation marks"]),
    "a dash for a hyphen": ("a = %x41–5A\n", 1, 9, ["U+2013", "write the hyphen of ASCII"]),
    "a no-break space": ("a =\u00a0b\n", 1, 4, ["U+00A0", "ordinary space"]),
    "a fence of Markdown": ('```abnf\na = "x"\n```\n', 1, 1, ["expected a rule name", "Markdown", "grammar extract"]),
    "a page of Markdown": ('# Title\n\nText.\n\n```abnf\na = "x"\n```\n', 1, 1, ["Markdown", "grammar extract"]),
    "a list of HTTP": ("a = 1#b\n", 1, 6, ["'#'", "RFC 9110 section 5.6.1", "--http-lists"]),
    "cut by an empty line": ("a = b /\n\n  c\n", 1, 8, ["end of the line", "line 2 is empty; remove it"]),
    "cut by a comment": ("a = b /\n; note\n  c\n", 1, 8, ["end of the line", "line 2 is not indented; indent it"]),
    "continued in the margin": ("  a = b /\n  c\n", 1, 10, ["if line 2 continues this rule, indent it"]),
    "continued in a group": ("a = (b\nc)\n", 1, 7, ["expected )", "if line 2 continues this rule, indent it"]),
    "name in angle brackets": ('<a> ::= "x"\n', 1, 1, ["names of rules have no angle brackets"]),
    "numbers of lines": ('1: a = "x"\n2: b = a\n', 1, 1, ["remove the numbers of the lines"]),
    "a name that begins with a digit": ('2a = "x"\n', 1, 1, ["the name of a rule begins with a letter"]),
    "a comment of a shell": ('# a\na = "x"\n', 1, 1, ["a comment begins with ;"]),
    "a comment of EBNF": ('(* a *)\na = "x"\n', 1, 1, ["a comment begins with ;"]),
    "quoted in a mail": ('> a = "x"\n', 1, 1, ["remove the sign before each line"]),
    "a patch": ('+a = "x"\n', 1, 1, ["remove the signs of the patch"]),
    "a list of Markdown": ('* a = "x"\n', 1, 1, ["remove the sign of the list"]),
    "a name in bold": ('**a** = "x"\n', 1, 1, ["remove the signs around the name"]),
    "an alternative at the margin": ('a = "x"\n/ "y"\n', 2, 1, ["a continued line begins with white space"]),
    "prose before the rules": ('The rule is:\na = "x"\n', 1, 5, ["a line of prose is a comment"]),
    "the foot of a page": ('a = "x"\nDoe, et al.   Standards Track   [Page 1]\n', 2, 4, ["grammar extract"]),
    "no equals sign before a string": ('a "x"\n', 1, 3, ["write = after the name of the rule"]),
    "an arrow": ('a -> "x"\n', 1, 3, ["defines a rule with ="]),
    "two equals signs": ('a == "x"\n', 1, 4, ["write one ="]),
    "an equals sign of full width": ('a ＝ "x"\n', 1, 3, ["U+FF1D", "write = of ASCII"]),
    "a kanji in a string": ('a = "字"\n', 1, 6, ["write %x5B57 for the code point"]),
    "an empty string of textbooks": ("a = b / ε\n", 1, 9, ['write "" for the empty string']),
    "a digit of another script": ("a = ٢DIGIT\n", 1, 5, ["write 2 of ASCII"]),
    "a Cyrillic letter in a name": ("с1 = DIGIT\n", 1, 1, ["U+0441", "letters of ASCII"]),
    "a head with a name": ("Name: Zoë\na = DIGIT\n", 1, 9, ["a comment begins with ;"]),
    "a slip in the end of a range": ("a = %xC2-DG\n", 1, 11, ["got 'G'"]),
    "nothing to the end": ("a =\n", 1, 4, ['write "" for the empty string']),
    "a bar of ABNF at the end": ('a = "x" /\nb = a\n', 1, 10, ["remove the /"]),
    "counts of a regular expression": ("a = DIGIT{1,3}\n", 1, 10, ["write 1*3 before the item"]),
    "an option of a regular expression": ("a = DIGIT{0,1}\n", 1, 10, ["write [ … ] for an option"]),
    "a star behind": ("a = DIGIT*\n", 1, 10, ["a repeat stands before its item"]),
    "a set of characters": ("a = [0-9]\n", 1, 7, ["a range is written with numbers"]),
    "a set of characters, repeated": ("a = [a-z]+\n", 1, 10, ["no sets of characters", "1*%x61-7A"]),
    "a range of strings": ('a = "a"-"z"\n', 1, 8, ["a range is written with numbers"]),
    "dots for a range": ('a = "a".."z"\n', 1, 8, ["a range is written with a hyphen"]),
    "a hyphen in a repeat": ("a = 1-3DIGIT\n", 1, 6, ["write a repeat as 1*3item"]),
    "an exception": ('a = OCTET - "x"\n', 1, 11, ["ABNF has no exceptions"]),
    "a negation": ('a = !"x"\n', 1, 5, ["ABNF has no negation"]),
    "a comma": ('a = "x", "y"\n', 1, 8, ["one after another"]),
    "an escape": ("a = \\u0041\n", 1, 5, ["write %x0041 for the character"]),
    "an escaped quotation mark": ('a = "\\""\n', 1, 8, ["write DQUOTE, or %x22"]),
    "a code point": ("a = U+0041\n", 1, 6, ["write %x0041 for the code point"]),
    "HTML": ("a = &quot;x&quot;\n", 1, 5, ["this is HTML"]),
    "a sign without quotation marks": ("a = @ b\n", 1, 5, ['strings stand in quotation marks: "@"']),
    "underscore": ("a = b_c\n", 1, 6, ["'_'", "letters, digits and hyphens"]),
    "no elements": ("a =\nb = c\n", 1, 4, ["expected an element, got the end of the line"]),
    "unterminated string": ('a = "x\n', 1, 5, ["unterminated string", 'expected "']),
    "tab in a string": ('a = "x\ty"\n', 1, 7, ["tab", "%x09"]),
    "unterminated prose": ("a = <x\n", 1, 5, ["unterminated prose", "expected >"]),
    "single quotes": ("a = 'x'\n", 1, 5, ["double quotes"]),
    "bar": ("a = b | c\n", 1, 7, ["separated by /"]),
    "empty alternative": ("a = b / / c\n", 1, 9, ["may not be empty"]),
    "no white space": ('a = "b""c"\n', 1, 8, ["expected white space"]),
    "no white space before an option": ('a = "b"[c]\n', 1, 8, ["expected white space", "elements are separated by"]),
    "no white space before a string": ('a = b"c"\n', 1, 6, ["elements are separated by white space"]),
    "an empty group": ("a = b ( )\n", 1, 7, ["a group may not be empty", 'write ""']),
    "a range in a series": ("a = %xE0.A0-BF\n", 1, 12, ["write %xE0 %xA0-BF"]),
    "a series behind a range": ("a = %x41-42.43\n", 1, 12, ["write %x41-42 %x43"]),
    "a range in the middle of a series": ("a = %xE0.A0-BF.80.81\n", 1, 12, ["write %xE0 %xA0-BF %x80.81"]),
    "a range of three": ("a = %x80-BF-C0\n", 1, 12, ["a number is %x41"]),
    "hexadecimal digits behind %d": ("a = %d80-BF\n", 1, 9, ["write %x80-BF for hexadecimal"]),
    "a letter of Latin-1 in a string": (
        'a = "ä"\n',
        1,
        6,
        ["write %xC3.A4 for its bytes", "or %xE4 and --values utf-8"],
    ),
    "a name in another case": ("Big = b\nbIG = c\n", 2, 1, ["already defined in line 1, as Big", "same in any case"]),
    "unclosed parenthesis": ("a = b (c\nd = e\n", 1, 9, ["expected ) for the ( at line 1, column 7"]),
    "wrong closing": ("a = ( b ]\n", 1, 9, ["expected )", "']'"]),
    "closing alone": ("a = b )\n", 1, 7, ["no ( is open here"]),
    "bad repeat": ("a = 3*2b\n", 1, 5, ["bad repeat 3*2", "3 is more than 2", "swap"]),
    "repeat twice": ("a = **b\n", 1, 6, ["expected an element", "'*'", "write one repeat"]),
    "white space after a repeat": ("a = 3 b\n", 1, 6, ["right after the repeat 3"]),
    "reversed range": ("a = %xBF-80\n", 1, 5, ["reversed range", "%x80-BF"]),
    "three ends": ("a = %x1-2-3\n", 1, 10, ["'-'"]),
    "no digits": ("a = %xZZ\n", 1, 7, ["hexadecimal digit", "'Z'"]),
    "no base": ("a = %41\n", 1, 5, ["expected x, d, b, s or i", "'4'"]),
    "%s without a string": ("a = %s b\n", 1, 7, ['expected "', "RFC 7405"]),
    "huge number": ("a = %x" + "F" * 5000 + "\n", 1, 5, ["more than 18 digits"]),
    "BOM": ("\ufeffa = b\n", 1, 1, ["byte order mark", "without a BOM"]),
    "UTF-16": ("\udcff\udcfea\0 \0=\0 \0b\0", 1, 1, ["byte order mark of UTF-16", "save it in ASCII"]),
    "no grammar": ('; JSON\n{"a": 1}\n', 2, 1, ["expected a rule name", "begins with a rule"]),
    "non-ASCII": ("a = <;> ä\n", 1, 9, ["U+00E4", "printable ASCII"]),
    "control character": ("a = b\x07\n", 1, 6, ["U+0007"]),
    "page break": ("a = b\n\f\nRFC 1\n", 2, 1, ["form feed", "grammar extract"]),
    "CR alone": ("a = b\rc = d\n", 1, 6, ["CR without LF"]),
    "line that continues nothing": ("a = b\n\n  c\n", 3, 3, ["unexpected indentation '  '", "blank line ends a rule"]),
    "margin left": ("  a = b\nc = d\n", 2, 1, ["unexpected indentation ''", "margin"]),
    "second rule indented": ("a = b\n  c = d\n", 2, 5, ["'='", "same column as the first rule"]),
    "duplicate rule": ("a = b\nA = c\n", 2, 1, ["rule A is already defined in line 1", "=/"]),
    "added before defined": ("a = b\nc =/ d\nc = e\n", 2, 1, ["c =/ comes before c =", "write ="]),
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = 0x41\n", "unknown rule x41; write %x41 for a value"),
        ("a = 0xC2-0xDF\n", "unknown rule xC2-0xDF; write %xC2-DF for a value"),
        ("a = d0-127\n", "write %d0-127 for a value"),
        ("a = d2 / b1\nb1 = d2\n", "unknown rule d2; define it"),
        ("a = [a-z]\n", "a range is written with numbers"),
        ("a = %xC2-%xDF\n", "write a range with one %"),
        ("a = %xC2 - DF\n", "without white space"),
        ("a = %x00-7F - %x41\n", "ABNF has no exceptions"),
    ],
)
def test_what_reads_as_the_name_of_a_rule_and_was_none_is_named(text, words):
    with pytest.raises(GrammarError, match=words):
        Grammar.parse(text).check()


@pytest.mark.parametrize(("text", "line", "column", "words"), BAD.values(), ids=BAD)
def test_a_bad_grammar_is_one_error_with_file_line_and_column(text, line, column, words):
    with pytest.raises(GrammarError) as caught:
        Grammar.parse(text, file="bad.abnf")
    error = caught.value
    assert (error.file, error.line, error.column) == ("bad.abnf", line, column), str(error)
    assert str(error).startswith(f"bad.abnf:{line}:{column}: ")
    assert all(each in str(error) for each in words), str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 250


UNUSABLE = {
    "unknown rule": ("a = b / UTF8-tial\nb = %x41\nUTF8-tail = %x42\n", 1, 9, ["unknown rule UTF8-tial", "UTF8-tail?"]),
    "prose": ("a = b\nb = <any text>\n", 2, 5, ["<any text> is prose"]),
    "value above FF": ("a = b\nb = %x80-10FFFF\n", 2, 5, ["value 10FFFF", "00..FF"]),
    "a name in another case, in a group": ("uri = ( URI )\n", 1, 1, ["rule uri is defined as itself, URI"]),
    "a name in another case": ("uri = URI\n", 1, 1, ["rule uri is defined as itself, URI", "the same in any case"]),
    "series above FF": ("a = %d65.300\n", 1, 5, ["value 12C"]),
}


@pytest.mark.parametrize(("text", "line", "column", "words"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_grammar_that_cannot_be_parsed_with_loads_and_fails_when_used(text, line, column, words):
    grammar = Grammar.parse(text, file="bad.abnf", values="bytes")
    with pytest.raises(GrammarError) as caught:
        grammar.check()
    error = caught.value
    assert (error.file, error.line, error.column) == ("bad.abnf", line, column)
    assert all(each in str(error) for each in words), str(error)


def test_what_the_start_rule_does_not_use_does_no_harm():
    grammar = Grammar.parse("a = %x41\nb = <prose> / unknown / %x100\n")
    grammar.check()
    grammar.check("a")
    with pytest.raises(GrammarError):
        grammar.check("b")


def test_an_unknown_start_rule_is_named():
    with pytest.raises(GrammarError, match="there is no rule UTF8-octet; did you mean UTF8-octets"):
        Grammar.load("utf8").check("UTF8-octet")


NESTED = "(" * 10_000 + "b" + ")" * 10_000
HEAVY = {
    "10,000 parentheses": (f"a = {NESTED}\n", "more than 64 deep"),
    "1 MB of comment": ("; " + "x" * 1_000_000 + "\na = b\n", None),
    "a million continued comment lines": ("a = b\n" + " ;\n" * 300_000 + " c\n", None),
    "1 MB of spaces": ("a = b" + " " * 1_000_000 + "c\n", None),
    "100,000 alternatives": ("a = b" + " / b" * 100_000 + "\n", None),
    "100,000 values in a series": ("a = %x41" + ".42" * 100_000 + "\n", None),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "message"), HEAVY.values(), ids=HEAVY)
def test_heavy_grammars_are_read_or_refused(text, message):
    """In linear time: what is not linear would take hours."""
    if message:
        with pytest.raises(GrammarError, match=message):
            Grammar.parse(text)
    else:
        assert Grammar.parse(text).rules


def test_nesting_is_read_up_to_its_limit():
    deep = "(" * MAX_NESTING + "b" + ")" * MAX_NESTING
    assert show(read(f"a = {deep}")[0].definition).count("(") == MAX_NESTING


@settings(max_examples=settings().max_examples * 4)
@given(st.text(st.sampled_from(list('ab-=/*0123%xd."<>()[];_ \t\r\n\f\ufeffä')), max_size=40))
def test_any_text_is_a_grammar_or_a_grammar_error_with_a_place_in_it(text):
    try:
        rules = Grammar.parse(text).rules
    except GrammarError as error:
        rules, line, column = None, error.line, error.column
    lines = text.split("\n")
    assert rules or (1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1)


# -- files


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a = b\r\n = c\r\n", r":2:2: "),
        (b'a = ";" \xe4\n', r":1:9: byte E4 is not allowed"),
        (b"\xef\xbb\xbfa = b\n", r":1:1: byte order mark"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_the_file_and_the_place(data, place, tmp_path):
    path = tmp_path / "mine.abnf"
    path.write_bytes(data)
    with pytest.raises(GrammarError, match=f"mine.abnf{place}") as caught:
        Grammar.load(path)
    assert caught.value.file == str(path)


def test_a_file_that_is_too_long_is_not_read_into_memory(tmp_path):
    path = tmp_path / "long.abnf"
    with path.open("wb") as stream:
        stream.truncate(1 << 33)  # 8 GiB, sparse
    with pytest.raises(GrammarError, match="too long for a grammar"):
        Grammar.load(path)


@pytest.mark.parametrize(("name", "hint"), [("jsn", "did you mean json"), ("zzz", "those are abnf, .*, utf8")])
def test_a_name_that_is_no_grammar_is_answered_with_those_that_are(name, hint):
    with pytest.raises(FileNotFoundError, match=f"no such file.*{hint}"):
        Grammar.load(name)
