"""Examples in a specification: each gets the verdict of its grammar, with its line."""

import json

import pytest

from utf8_abnf.cli import main
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.documents import read_document
from utf8_abnf.parsers.examples import Example, checked, examples_in

MARKDOWN = """~~~ abnf
greeting = "hello" SP name
name = 1*ALPHA
line = name CRLF
~~~

~~~ abnf-examples greeting
hello World

HELLO x
~~~

``` {.abnf-counterexample .name}
a1
b
```

~~~ abnf-example crlf line
abc

~~~

~~~ abnf-example name hex
41 42
~~~
"""
XML = """<rfc><middle><section>
<sourcecode type="abnf">a = "&lt;" 1*DIGIT</sourcecode>
<sourcecode type="abnf-example" name="a"><![CDATA[
<12
]]></sourcecode>
<sourcecode type="abnf-counterexamples a">
&lt;
12
</sourcecode></section></middle></rfc>
"""


def test_markdown_marks_examples_by_the_word_behind_the_fence():
    assert examples_in(read_document(MARKDOWN)) == [
        Example(8, True, "greeting", b"hello World"),
        Example(10, True, "greeting", b"HELLO x"),
        Example(14, False, "name", b"a1\nb"),
        Example(19, True, "line", b"abc\r\n"),
        Example(24, True, "name", b"AB"),
    ]


def test_xml_marks_examples_by_their_type():
    assert examples_in(read_document(XML)) == [
        Example(4, True, "a", b"<12"),
        Example(7, False, "a", b"<"),
        Example(8, False, "a", b"12"),
    ]


@pytest.mark.parametrize(("example", "failure"), [
    (Example(1, True, None, b"ab"), ""),
    (Example(1, False, None, b"ab"), "a derives 'ab', which is a counterexample"),
    (Example(1, True, None, b"a"), "a does not derive 'a': the input ends at offset 1"),
    (Example(1, True, "c", b"a"), "there is no rule c"),
    (Example(1, False, "b", b"a"), "unknown rule missing"),  # a rule that cannot be used refuses nothing
    (Example(1, False, None, b"", "this is not bytes in hex"), "this is not bytes in hex"),
])  # fmt: skip
def test_each_example_has_a_verdict(example, failure):
    (verdict,) = checked(Grammar.parse('a = "ab"\nb = missing\n'), [example])
    assert verdict.problem.startswith(failure)
    assert bool(verdict.problem) is bool(failure)


def test_the_command_reports_each_example_and_fails_with_one(tmp_path, capfd):
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text(MARKDOWN)
    bad.write_text(MARKDOWN.replace("HELLO x", "HELLO 1"))
    assert main(["grammar", "check", str(good)]) == 0
    assert capfd.readouterr()[0].endswith("0 of 5 examples fail\n")
    assert main(["grammar", "check", str(bad)]) == 1
    assert f"{bad}:10: greeting does not derive 'HELLO 1': byte 31 at offset 6" in capfd.readouterr()[0]
    assert main(["grammar", "check", str(good), "--examples", str(bad), "--format", "json"]) == 1
    assert [each["line"] for each in json.loads(capfd.readouterr()[0]) if each["failure"]] == [10]


def test_a_document_without_examples_or_with_a_lost_rule_does_not_pass(tmp_path, capfd):
    path = tmp_path / "draft.md"
    path.write_text("```abnf\na = b\n```\n")
    assert main(["grammar", "check", str(path)]) == 2
    assert "has no example" in capfd.readouterr()[1]
    path.write_text(MARKDOWN.replace("name = 1*ALPHA", "name = 1*ALPHA\nname = DIGIT"))
    assert main(["grammar", "check", str(path)]) == 1
    assert "rule name is defined in another way" in capfd.readouterr()[1]
    path.write_text('```abnf\na = "x" | "y"\n```\n```abnf-example\nx\n```\n')
    assert main(["grammar", "check", str(path)]) == 2
    problem, end = capfd.readouterr()[1].split("\n")
    assert problem.startswith(f"{path}:2: rule a cannot be read: expected an element, got '|'")
    assert not end


def test_examples_use_code_points_if_any_rule_does(tmp_path):
    path = tmp_path / "draft.md"
    path.write_text("```abnf\na = %x41\nb = %x20AC\n```\n```abnf-example b\n€\n```\n")
    assert main(["grammar", "check", str(path)]) == 0
