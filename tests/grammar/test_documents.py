"""Documents of each form: nothing is lost in silence, and what is taken is a grammar that the reader accepts."""

import pytest

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.documents import read_document
from utf8_abnf.grammar.extract import extract


def problems(text, section=None):
    return [f"{line}: {message}" for line, message in extract(text, section).problems]


PAGE_BREAK = "\n\n\nAuthor        Informational          [Page 7]\n\f\nRFC 9    Title    May 2026\n\n\n"

# The document, what is extracted, and how each problem begins.
TEXTS = {
    "page break between rules": (f"   a = b{PAGE_BREAK}   c = d\n", "a = b\nc = d\n", []),
    "CRLF": ("   a = b\r\n\r\n   c = d\r\n", "a = b\n\nc = d\n", []),
    "blank lines": ("a = b\n\n\n\nc = d\n", "a = b\n\nc = d\n", []),
    "formula that is no rule": ("  E = m c^2\n  a = b\n", "a = b\n", ["1: rule E cannot be read"]),
    "comment below a rule": ("  a = b\n      ; why\n", "a = b\n    ; why\n", []),
    "two margins": ("  a = b\n      c\n\n      d = e\n        f\n", "a = b\n    c\n\nd = e\n  f\n", []),
    "beside other scripts": ("  Prüfung: ä = ö\n  a = b\n", "a = b\n", []),
    "a line that is not indented goes on": ("  a = b /\nc\n  d = e\n", "a = b /\n   c\nd = e\n", []),
    "a rule cut by an empty line": ("  a = b /\n\n      c\n", "a = b /\n    c\n", []),
    "alternatives behind an empty line": ("  a = b\n\n      / c\n\n      / d\n", "a = b\n    / c\n    / d\n", []),
    "prose behind a rule": ("  a = b\n\n     This is said of a.\n", "a = b\n", []),
    "the name on a line of its own": ("  a\n     = b\n  c = d\n", "a\n   = b\nc = d\n", []),
    "a rule inside another's margin": ("  a = b\n    c = d\n", "a = b\nc = d\n", []),
    "no space behind =": ('  a = b\n  b="x"\n  type="text"\n', 'a = b\nb="x"\n', []),
    "no space behind any =": ('b="x"\nc=d\n', 'b="x"\nc=d\n', []),
    "no space, cannot be read, and used": ("  a = b\n  b=%\n  href=%\n", "a = b\n", ["2: rule b cannot be read"]),
    "printed twice with other comments": ("a = b ; one\nb = %x41\na = B ; two\n", "a = b ; one\nb = %x41\n", []),
    "a group of one": ("a = (b) 2(c)\na = b 2c\n", "a = (b) 2(c)\n", []),
    "other digits": ("a = %x41-5A\na = %d65-90\n", "a = %x41-5A\n", []),
    "not the same: strings in one case": (
        'a = %s"x"\na = "x"\n',
        None,
        ["2: rule a is defined in another way in line 1"],
    ),
    "not the same: other repeats": ("a = 1*b\n\n\na = *b\n", "a = 1*b\n", ["4: rule a is defined in another way"]),
    "added twice": ("a = b\na =/ c\na =/ c\n", "a = b\na =/ c\n", []),
    "added before": ("a =/ c\nx = y\na = b\n", "x = y\na = b\na =/ c\n", []),
    "added to nothing": ("x = y\na =/ c\n", "x = y\n", ["2: a =/ adds to a rule that this text does not define"]),
    "cannot be read": (
        "x = y\na = b |\n    c\n",
        "x = y\n",
        ["2: rule a cannot be read: expected an element, got '|'"],
    ),
    "cannot be read in its second line": ("x = y\n  a = b\n      'c'\n", "x = y\n", ["3: rule a cannot be read"]),
    "at the level of the rule, with names of rules": (
        "  a = b\n  c / d\n\n  c = b\n  d = e\n",
        "a = b\n   c / d\n\nc = b\nd = e\n",
        [],
    ),
    "a literal at the level of the rule": ('  a = "x"\n  "y"\n', 'a = "x"\n   "y"\n', []),
    "at the level of the rule, behind a comment": (
        '  a = "x"\n  ; what ends it\n  c\n\n  c = "y"\n',
        'a = "x"\n   ; what ends it\n   c\n\nc = "y"\n',
        [],
    ),
    "a comment between two rules": ("  a = b\n  ; the next\n  b = c\n", "a = b\nb = c\n", []),
    "an alternative at the level of the rule, behind an empty line": ("  a = b\n\n  / c\n", "a = b\n   / c\n", []),
    "names of rules at the level of the rule, behind an empty line": (
        "  a = b\n\n  c\n\n  c = b\n",
        "a = b\n\nc = b\n",
        ["3: this line may go on with rule a"],
    ),
    "at the level of the rule, with other names": (
        "  a = b\n  so\n",
        "a = b\n",
        ["2: this line may go on with rule a"],
    ),
    "prose right below": ("  a = b\n  The value of b, in words.\n", "a = b\n", []),
    "prose behind a page": (
        'a = ( "+" )\n\nDoe  [Page 1]\n\f\nRFC 1  T  May 2026\n\n   The value of\n   a (see above).\n',
        'a = ( "+" )\n',
        [],
    ),
    "a rule that goes on behind a page": (
        "a = b /\n\nDoe  [Page 1]\n\f\nRFC 1  T  May 2026\n\n      c\n",
        "a = b /\n      c\n",
        [],
    ),
    "an example before the rule": ('  x\n  A="7"\n  y\n  a = b\n  b = "c" A\n', 'a = b\nb = "c" A\n', []),
    "examples behind the rule": (
        '  a = b\n  b = "c"\n\n  for example\n\n  a = RTP/UDP;x\n\n  or\n\n  a = {7}\n',
        'a = b\nb = "c"\n',
        [],
    ),
    "of two the one among more rules": (
        '  a = b\n  or, as well,\n  a = "c" b\n  b = "d"\n',
        'a = "c" b\nb = "d"\n',
        ["1: rule a is defined in another way in line 3"],
    ),
    "with := in all of a block": (
        '  Mime-Version := *text\n  b := *other\n\n\nso\n  c = "d"\n',
        'Mime-Version  = *text\nb  = *other\n\nc = "d"\n',
        [],
    ),
    "nothing, among other rules": (
        '  p = b *c\n  b = "c"\n\n  ; in names\n  p = ""\n  n = *b\n',
        None,
        ["5: rule p is defined in another way in line 1"],
    ),
    "with := as in RFC 2045": ('  a := b\n       c\n  b := "d"\n', 'a  = b\n     c\nb  = "d"\n', []),
    "a program in prose": (
        '  x := y\n\n  so\n\n  i := 1;\n\n  a = b\n  b = "c"\n\n  where\n\n  result = ""\n',
        'a = b\nb = "c"\n',
        [],
    ),
    "other signs among rules": (
        '  a = b\n  x := "q"\n  b = "c"\n  y ::="q"\n  z\n     := "q"\n\n  Note := see below\n  <d> ::= "q"\n',
        'a = b\nx  = "q"\nb = "c"\ny   ="q"\nz\n    = "q"\n',
        ["8: rule Note is left out", "9: rule d cannot be read"],
    ),
    "other signs in prose": (
        '  a = b\n  b = "c"\n  so.\n  x := "q" e\n  so.\n  y::=b\n  so.\n  note := see below\n  so.\n  a := "q"\n',
        'a = b\nb = "c"\n',
        ["4: rule x is left out", "6: rule y is left out", "10: rule a is defined in another way"],
    ),
    "folded": ("  NOTE: '\\' line wrapping per RFC 8792\n\n  a = b \\\n      c\n\nEnd \\\n", "a = b c\n", []),
    "folded, with two": (
        "```abnf7230\nNOTE: '\\\\' line wrapping per RFC 8792\n\na = \"b\\\n    \\c\"\n```\n",
        'a = "bc"\n',
        [],
    ),
    "XML of another grammar's kind": ('<rfc><sourcecode type="abnf2616">a = b</sourcecode></rfc>', "a = b\n", []),
    "a table and a figure": (" +---+\n | a = b |\n +---+\n  c = d\n  |  |\n  +--+\n", "c = d\n", []),
}


@pytest.mark.parametrize(("text", "rules", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_text_gives_its_rules_and_names_the_rest(text, rules, expected):
    found = extract(text)
    assert rules is None or found.text == rules
    shown = problems(text)
    assert len(shown) == len(expected), shown
    assert all(each.startswith(begin) for each, begin in zip(shown, expected, strict=True)), shown
    assert Grammar.parse(found.text).rules


def test_lines_are_those_of_the_document_behind_page_breaks():
    text = "  a = b\n\n\nAuthor     [Page 1]\n\f\nRFC 1    Title    May 2026\n\n\n  a = c\n"
    assert problems(text) == ["9: rule a is defined in another way in line 1, which is kept"]


def test_a_rule_of_a_thousand_lines_is_taken_whole():
    text = "  a = %x00\n" + "".join(f"      / %x{number:02X}\n" for number in range(1, 1500))
    assert len(Grammar.parse(extract(text).text)["a"].alternatives) == 1500


MARKDOWN = """# Draft

The rule `a = b` is used.

## 1. Names

~~~ abnf
; names
name = first *rest

  ; more
first = ALPHA
~~~

> ``` {.abnf #quoted}
> rest = ALPHA / DIGIT
> ```

## 1.1. More

```json
x = 1
```

    indented = name

## 2. Other

```abnf
name = other
nonsense here
```
"""


def test_markdown_gives_its_blocks_and_what_is_indented():
    found = extract(MARKDOWN)
    assert found.text.splitlines()[:2] == ["; names", "name = first *rest"]
    own = [rule for rule in Grammar.parse(found.text).rules if rule not in {"alpha", "digit"}]
    assert own == ["name", "first", "rest", "indented"]
    assert [line for line, _ in found.problems] == [30, 31]
    assert "not a part of a rule: nonsense here" in found.problems[1].message


@pytest.mark.parametrize(
    ("section", "names"),
    [("1", ["name", "first", "rest", "indented"]), ("1.1", None), ("2", ["name"]), ("2. Other", ["name"])],
)
def test_markdown_has_sections_by_number_and_by_title(section, names):
    text = extract(MARKDOWN, section).text
    rules = [line.split()[0] for line in text.splitlines() if " = " in line]
    assert rules == (names or ["indented"])


def test_a_fence_that_is_not_closed_is_named():
    assert problems("```abnf\na = b\n") == ["1: this fence is not closed"]


def test_a_longer_fence_may_contain_a_shorter_one():
    assert extract("````abnf\na = b ; ```\n```\n````\n").problems[0].message == "not a part of a rule: ```"


XML = """<?xml version="1.0"?>
<!DOCTYPE rfc SYSTEM "rfc.dtd" [ <!ENTITY nbsp "&#160;"> <!ENTITY dot "&#183;"> ]>
<rfc><middle>
<section><t>Prose: z = y</t>
<sourcecode type="abnf"><![CDATA[
a = "<" b ">"
]]></sourcecode>
<section><figure><artwork type="ABNF">
   b = "&amp;" / "&lt;" / "&#x41;"
     / c   ; &dot;
</artwork></figure></section></section>
</middle><back><section>
<sourcecode>c = d &unknown;</sourcecode>
<sourcecode type="abnf" src="other.abnf"/>
<sourcecode type="json">{"x = y": 1}</sourcecode>
<sourcecode type="abnf">a = "&lt;" b "&gt;"
e = (</sourcecode>
</section></back></rfc>
"""


def test_xml_gives_its_code_with_entities_replaced():
    found = extract(XML)
    rules = Grammar.parse(found.text).rules
    assert list(rules) == ["a", "b", "c"]
    assert [node.text for node in rules["b"].alternatives[:3]] == ["&", "<", "A"]
    assert [f"{line}: {message}"[:52] for line, message in found.problems] == [
        "13: the entity &unknown; is not defined in this docu",
        "14: the text of this element is in another file, oth",
        "17: rule e cannot be read: expected an element, got ",
    ]


@pytest.mark.parametrize(("section", "names"), [("1", ["a", "b"]), ("1.1", ["b"]), ("A", ["c", "a"])])
def test_xml_has_sections_and_appendices(section, names):
    assert [line.split()[0] for line in extract(XML, section).text.splitlines() if " = " in line] == names


def test_what_is_not_xml_or_has_no_such_section_is_an_error():
    with pytest.raises(GrammarError, match=r"some.xml:2:\d+: not well-formed XML"):
        read_document("<rfc>\n<a></b></rfc>", file="some.xml")
    for text in (XML, MARKDOWN):
        with pytest.raises(GrammarError, match="no section 9"):
            read_document(text, "9")
