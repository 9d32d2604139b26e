"""The linter: each fault is found where it stands, nothing is found where there is none, and its work has a limit."""

from __future__ import annotations

from functools import cache

import pytest

from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar import lint as lint_module
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.findings import ERROR, INFO, KINDS
from utf8_abnf.grammar.lint import lint
from utf8_abnf.grammar.nfa import Builder

NL = "\r\n"

# Grammar, and the findings: code, line, column, words of the message.
FAULTS = {
    "undefined-rule": ("a = b / cc\nb = %x41\n", [("undefined-rule", 1, 9, "cc")]),
    "unused-rule": ("a = %x41\nb = %x42\n", [("unused-rule", 2, 1, "rule b is unused")]),
    "unused, though it uses itself": (
        "a = %x41\nb = %x42 [b]\n",
        [("recursion", 2, 1, "b → b"), ("unused-rule", 2, 1, "b")],
    ),
    "prose": ("a = <words>\n", [("prose", 1, 5, "<words>")]),
    "beyond-byte, where the first rule has bytes": (
        "a = %xFF\nb = %x80-D7FF\nc = %x41.20AC\n",
        [
            ("unused-rule", 2, 1, "b"),
            ("beyond-byte", 2, 5, "D7FF"),
            ("unused-rule", 3, 1, "c"),
            ("beyond-byte", 3, 5, "20AC"),
        ],
    ),
    "none in code points": ("a = %x80-D7FF / %xE000.10FFFF / %x7F\n", []),
    "surrogates, range": ("a = %x80-10FFFF\n", [("surrogates", 1, 5, "%x80-10FFFF has surrogates")]),
    "surrogates, series": ("a = %x100.DFFF\n", [("surrogates", 1, 5, "%x100.DFFF has surrogates")]),
    "beyond-unicode": ("a = %x110000\n", [("beyond-unicode", 1, 5, "110000 is no code point")]),
    "bytes-or-code-points": ("a = %x41 / %x80-FF\n", [("bytes-or-code-points", 1, 12, "U+0080 to U+00FF")]),
    "left-recursion": ("a = a %x41 / %x42\n", [("left-recursion", 1, 1, "a → a")]),
    "left recursion through others": (
        "a = b %x41\nb = [c] a / %x42\nc = %x43\n",
        [("left-recursion", 1, 1, "a → b → a"), ("ambiguity", 2, 5, 'a derives "CBAAA" in two ways')],
    ),
    "recursion": ("a = %x28 [a] %x29\n", [("recursion", 1, 1, "a → a")]),
    "ambiguity of an option": ("a = [b] [b]\nb = %x42\n", [("ambiguity", 1, 5, 'a derives "B" in two ways')]),
    "ambiguity of nothing": ("a = [*b]\nb = %x42\n", [("ambiguity", 1, 5, "a derives the empty string in two ways")]),
    "ambiguity deep inside": (
        "a = %x61 b %x62\nb = *c *c\nc = %x63\n",
        [("ambiguity", 2, 5, 'a derives "acb" in two ways; they part here, in b')],
    ),
    "ambiguity in bytes": ("a = 1*%x80 *%x80\n", [("ambiguity", 1, 5, "a derives 80 80 in two ways")]),
    "unreachable-alternative": (
        "a = %x41-5A / %x42\n",
        [("ambiguity", 1, 5, '"B"'), ("unreachable-alternative", 1, 15, "%x42")],
    ),
    "unreachable through several": (
        "a = b / c / %x41-44\nb = %x41-42\nc = %x43-44\n",
        [("ambiguity", 1, 5, "in two ways"), ("unreachable-alternative", 1, 13, "%x41-44")],
    ),
    "unreachable in another case": (
        'a = "x" / "X"\n',
        [
            ("ambiguity", 1, 5, '"x"'),
            ("any-case", 1, 5, '"x" also matches "X"'),
            ("unreachable-alternative", 1, 11, '"X"'),
        ],
    ),
    "shadowed-alternative": (
        "a = %x41 / %x41.42\n",
        [("shadowed-alternative", 1, 12, 'alternative 1, %x41, takes "A" of "AB"')],
    ),
    "shadowed by nothing": ('a = "" / %x41\n', [("shadowed-alternative", 1, 10, 'takes the empty string of "A"')]),
    "shadowed in a group": ("a = %x43 ( %x41 / %x41.42 )\n", [("shadowed-alternative", 1, 19, '"A" of "AB"')]),
    "left recursion through a core rule": (
        "a = HEXDIG\nDIGIT = HEXDIG %x41\n",
        [("core-rule-redefined", 2, 1, "%x30-39"), ("left-recursion", 2, 1, "DIGIT → HEXDIG → DIGIT")],
    ),
    "any-case": ('a = "urn" %x3A %s"Id"\n', [("any-case", 1, 5, '"urn" also matches "URN"')]),
    "any-case, several": ('a = "b" "1" "c" "d"\n', [("any-case", 1, 5, "and 2 more strings")]),
    "any-case, in several rules": ('a = "b" c\nc = "d"\n', [("any-case", 1, 5, "and 1 more strings")]),
    "precedence": ("a = %xE1-EC / %xEE-EF 2b\nb = %x80\n", [("precedence", 1, 5, "this is %xE1-EC, or %xEE-EF 2b")]),
    "precedence among other alternatives": (
        "a = %xE0 b b / %xE1 / %xE2-EC / %xEE-EF 2b / %xED %x81 b\nb = %x80\n",
        [("precedence", 1, 16, "this is %xE1 or %xE2-EC, or %xEE-EF 2b")],
    ),
    "precedence at the end": (
        "a = 2( b ) %x41 / %x42\nb = %x43\n",
        [("precedence", 1, 5, "this is %x42, or 2( b ) %x41")],
    ),
    "none, where what follows may be empty": ("a = %x30 / %x31-39 *DIGIT\n", []),
    "none, where the ranges are far apart": ("a = %x00-7F / %xC2-DF %x80\n", []),
    "none, in a line each": ("a = %x30\n    / %x31-39 DIGIT\n", []),
    "none, where the rule goes on with itself": ("a = %x41 / %x42 a\n", [("recursion", 1, 1, "a → a")]),
    "own-name": (
        "uri = ( URI / %x41 ) %x42\n",
        [("left-recursion", 1, 1, "uri → uri"), ("own-name", 1, 9, "URI is rule uri itself")],
    ),
    "decimal-range": ("a = %d0-255 / %d256\n", [("decimal-range", 1, 5, "not the text of a number")]),
    "ambiguity of a recursive rule": (
        "a = s / 1*%x61\ns = a %x2E a\n",
        [("left-recursion", 1, 1, "a → s → a"), ("ambiguity", 1, 5, 'a derives "a.a.a" in two ways')],
    ),
    "endless-rule": (
        'a = "1" [ b ]\nb = "2" ( b / a b )\n',
        [("endless-rule", 2, 1, "never ends"), ("recursion", 2, 1, "b → b")],
    ),
    "core-rule-redefined": ("a = DIGIT\nDIGIT = %x30-31\n", [("core-rule-redefined", 2, 1, "%x30-39")]),
    "core-rule-repeated": ("a = digit\ndigit = %x30-39\n", [("core-rule-repeated", 2, 1, "that of RFC 5234")]),
    "no-final-newline": ("a = %x41\nb = a", [("unused-rule", 2, 1, "b"), ("no-final-newline", 2, 6, "no line end")]),
    "non-ascii-comment": ("a = %x41 ; ö\n; 日本\n", [("non-ascii-comment", 1, 12, "U+00F6")]),
    "none": ("a = b *( %x2C b )\nb = 1*DIGIT\n", []),
    "none in UTF-8": (shipped_grammars()["utf8"].read_text("ascii"), []),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_faults_are_found_where_they_stand(text, expected):
    findings = lint(Grammar.parse(text.replace("\n", NL)))
    found = [(each.code, each.line, each.column) for each in findings]
    assert sorted(found) == sorted(each[:3] for each in expected), [str(each) for each in findings]
    for code, line, column, words in expected:
        (finding,) = (each for each in findings if (each.code, each.line, each.column) == (code, line, column))
        assert words in finding.message
        assert finding.severity == KINDS[code].severity
        assert finding.help


def test_every_code_but_the_limits_has_a_row():
    tested = {code for _, rows in FAULTS.values() for code, *_ in rows} | {"no-crlf"}
    assert set(KINDS) - tested == {"ambiguity-undecided", "alternatives-undecided"}


def test_lf_alone_is_mentioned_once():
    assert [each.code for each in lint(Grammar.parse("a = %x41\nb = a\n"), "b")] == ["no-crlf"]


def test_the_start_rule_decides_what_is_unused():
    grammar = Grammar.parse(f"a = %x41{NL}b = a{NL}c = %x43{NL}")
    assert [each.message[:6] for each in lint(grammar)] == ["rule b", "rule c"]
    assert [each.message[:6] for each in lint(grammar, "b")] == ["rule c"]


# What is known of the grammars on the shelf, information aside: how many findings of which code.
KNOWN = {
    "urn": {"ambiguity": 1},
    "uri": {"ambiguity": 2, "shadowed-alternative": 7, "unreachable-alternative": 2},
    "abnf": {"ambiguity": 1, "shadowed-alternative": 2},
    "http": {"ambiguity": 9, "prose": 12, "shadowed-alternative": 7, "unreachable-alternative": 4},
    "imf": {"ambiguity": 2, "shadowed-alternative": 3},  # obsolete forms derive what the others derive
    "json": {"ambiguity": 1, "core-rule-redefined": 1, "surrogates": 1},  # [ ] has a space of either bracket
    "cddl": {"ambiguity": 1, "core-rule-redefined": 1, "surrogates": 4},  # 0xfe0 is 0xfe0 or 0xf with exponent e0
}


@cache
def linted(name):
    return lint(Grammar.load(name))


LONG = {"imf", "cddl", "abnf"}  # as long as all others: left to CI
SHELF = sorted(shipped_grammars().keys() - {"iri"})  # which has what the URI has, in five seconds


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.sampled(0)) if each in LONG else each for each in SHELF]
)
def test_the_shelf_has_the_findings_that_are_known(name):
    findings = [each for each in linted(name) if each.severity != INFO]
    counted = {code: sum(each.code == code for each in findings) for code in {each.code for each in findings}}
    assert counted == KNOWN.get(name, {})
    assert {each.code for each in findings if each.severity == ERROR} <= {"prose"}
    assert [(each.line, each.column) for each in findings] == sorted((each.line, each.column) for each in findings)


HOSTILE = {
    "doubling": "".join(f"a{i} = a{i + 1} a{i + 1}\n" for i in range(60)) + "a60 = %x41\n",
    "huge repeat": "a = 999999999999( %x41 / %x42 )\n",
    "chain": "".join(f"a{i} = %x41 / a{i + 1}\n" for i in range(1000)) + "a1000 = %x42\n",
    "chain of nothing": "".join(f"a{i} = a{i + 1}\n" for i in range(1000)) + 'a1000 = ""\n',
    "many alternatives that differ late": "a = " + " / ".join(f"*%x41 %x{66 + i:02X}" for i in range(40)) + "\n",
    "subsets that explode": "a = *( %x41 / %x42 ) %x41 20( %x41 / %x42 ) / *( %x41 / %x42 ) %x42 20( %x41 / %x42 )\n",
}


@pytest.mark.thorough
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_grammars_are_undecided_after_a_limited_number_of_states(text, monkeypatch):
    """Each is undecided, or small after all; without the limits, some would take for ever."""
    states = []
    add = Builder._add
    monkeypatch.setattr(Builder, "_add", lambda self, *args: states.append(1) or add(self, *args))
    monkeypatch.setattr(lint_module, "MAX_WORK", lint_module.MAX_WORK // 10)
    found = {each.code for each in lint(Grammar.parse(text))}
    assert len(states) < 3 * lint_module.MAX_WORK
    assert found & {"ambiguity-undecided", "alternatives-undecided"} or len(states) < lint_module.MAX_WORK


RECURSIVE = 's = "(" s ")" / t\nt = u u\nu = *"x"\nv = *"y" *"y"\n'


def test_the_regular_parts_of_a_recursive_grammar_are_examined():
    found = [each for each in lint(Grammar.parse(RECURSIVE)) if each.code == "ambiguity"]
    assert [each.line for each in found] == [3, 4]
    assert 't derives "x" in two ways' in found[0].message
    assert [each.line for each in lint(Grammar.parse(RECURSIVE), "s") if each.code == "ambiguity"] == [3]


@pytest.mark.thorough
def test_the_fast_form_says_what_it_does_not_examine():
    uri = Grammar.load("uri")
    fast = {each.code for each in lint(uri, fast=True)}
    assert {"ambiguity-undecided", "alternatives-undecided"} & fast
    assert fast - {"ambiguity-undecided", "alternatives-undecided"} <= {each.code for each in linted("uri")}
