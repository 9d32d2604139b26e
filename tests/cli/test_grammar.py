"""The command ``grammar``: what each action prints, and the exit status."""

import html
import io
import json
import re
import sys
from functools import partial

import pytest

from utf8_abnf.cli import main
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers.linear import TreeParser


@pytest.fixture
def call(call):
    return partial(call, "grammar")


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.abnf"):
        (tmp_path / name).write_text(text, newline="")
        return tmp_path / name

    return write


def test_no_action_is_a_usage_error(call):
    status, _, err = call()
    assert status == 2
    assert "ACTION" in err


def test_automaton_of_utf8_is_the_eight_state_diagram(call):
    status, out, _ = call("automaton")
    assert status == 0
    assert re.findall(r"^(?:start|tail|after)\S*", out, re.MULTILINE) == [
        "start*", "tail1", "after_E0", "tail2", "after_ED", "after_F0", "tail3", "after_F4",
    ]  # fmt: skip
    assert "8 live states and one sink, 12 byte classes" in out


def test_automaton_as_json_is_the_annotated_table(call):
    status, out, _ = call("automaton", "urn", "--start", "NID", "--format", "json")
    table = json.loads(out)
    assert status == 0
    assert (table["format"], table["grammar"], table["rule"]) == ("utf8-abnf automaton 1", "grammar/urn.abnf", "NID")
    assert len(table["states"]) == len(table["next"]) == 64
    assert {place["line"] for place in table["places"]} == {None, 7}  # "-" stands in line 7, ALPHA in RFC 5234


def test_convert_writes_other_notations(call):
    for to, begin in {"abnf": "dec-octet = ", "lark": "// dec-octet", "regex": "\\A"}.items():
        status, out, _ = call("convert", "uri", "--start", "dec-octet", "--to", to)
        assert (status, out.startswith(begin)) == (0, True)
    assert re.compile(call("convert", "--to", "regex")[1].strip().encode(), re.DOTALL)
    out = call("convert", "--start", "UTF8-2", "--to", "lark")[1]
    assert ("utf8_2:" in out, "utf8_octets" in out) == (True, False)


def test_convert_writes_code_points_up_to_ff_as_bytes_for_the_other_actions(call, written):
    path = written("a = %xE9 / %x41-FF\n")
    assert call("convert", path)[1] == "a = %xE9 / %x41-FF\n"
    out = call("convert", path, "--values", "utf-8")[1]
    assert out == "a = ( %xC3 %xA9 ) / ( %x41-7F / %xC2-C3 %x80-BF )\n"
    other = written("a = %x41-FF / %x100\n", "b.abnf")
    assert "accepts C4 80 ('Ā'), the shortest" in call("diff", written(out, "bytes.abnf"), other)[1]


def test_lint_reports_file_line_and_column(call, written):
    path = written('a = b / "x"\n')
    status, out, _ = call("lint", path)
    assert status == 1
    assert f"{path}:1:5: error: " in out
    assert json.loads(call("lint", path, "--format", "json")[1])[0].keys() >= {"file", "line", "column", "code"}
    assert call("lint", "utf8")[0] == 0


def test_diff_of_the_same_language_is_equal(call, written):
    path = written(Grammar.load("utf8").text.replace("2( UTF8-tail )", "UTF8-tail UTF8-tail"))
    status, out, _ = call("diff", path, "utf8")
    assert status == 0
    assert out.startswith(f"equal: {path} UTF8-octets and grammar/utf8.abnf UTF8-octets")


def test_diff_shows_shortest_words_both_ways_and_the_forms(call, written):
    text = Grammar.load("utf8").text.replace("%xED %x80-9F", "%xED %x80-BF").replace("%x00-7F", "%x01-7F")
    path = written(text)
    status, out, _ = call("diff", path)
    assert status == 1
    assert f"{path} UTF8-octets accepts ED A0 80, the shortest that grammar/utf8.abnf UTF8-octets rejects:" in out
    assert "grammar/utf8.abnf UTF8-octets accepts 00, the shortest that" in out
    assert "byte A0 at offset 1; expected 80..9F [UTF8-octets > UTF8-char/3 > UTF8-3/3]" in out
    assert re.search(r"^extra +%xED %xA0-BF UTF8-tail +; shortest ED A0 80$", out, re.MULTILINE)
    assert re.search(r"^missing +%x00 +; shortest 00$", out, re.MULTILINE)
    found = json.loads(call("diff", path, "--format", "json")[1])
    assert found["only"] == ["ED A0 80", "00"]
    assert (found["equal"], found["extra"], found["missing"]) == (False, ["%xED %xA0-BF UTF8-tail"], ["%x00"])


def test_diff_lists_nothing_as_missing_of_a_grammar_that_accepts_everything(call, written):
    path = written("x = *%x00-FF\n")
    out = call("diff", path)[1]
    assert "accepts nothing that" in out
    assert "%x80-FF" in out
    assert "missing  " not in out
    found = json.loads(call("diff", path, "--format", "json")[1])
    assert (found["extra"], found["missing"]) == (["%x80-FF"], [])


def test_diff_of_the_empty_input_says_so(call, written):
    path = written(Grammar.load("utf8").text.replace("*( UTF8-char )", "1*( UTF8-char )"))
    assert "accepts the empty input, the shortest that" in call("diff", path)[1]


def test_diff_can_compare_rules_of_different_names(call):
    status, out, _ = call("diff", "urn", "uri", "--start", "pct-encoded")
    assert (status, out[:6]) == (0, "equal:")
    status, out, _ = call("diff", "ngsi-ld", "urn", "--start", "ngsi-ld-id", "--start-b", "namestring")
    assert status == 1
    assert "ngsi-ld-id accepts nothing that" in out


def test_extract_takes_the_rules_out_of_the_rfc(call, root):
    status, out, _ = call("extract", root / "tests" / "references" / "rfc3629.txt", "--section", "4")
    assert status == 0
    assert out == (root / "grammar" / "utf8.abnf").read_text("ascii")


def test_extract_reads_standard_input(call, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"   a = %x61\n")))
    assert call("extract", "-") == (0, "a = %x61\n", "")


BAD = [("", "no rule"), ('a = "x" b\n', "unknown rule b"), ("a = \x1b[31m\n", "")]


@pytest.mark.parametrize("action", [["automaton"], ["convert", "--to", "regex"]])
def test_what_needs_an_automaton_of_all_words_names_the_rules_that_stand_in_the_way(call, written, action):
    path = written('a = "(" a ")" / b\nb = "x" c\nc = "y"\n')
    status, out, err = call(*action, path)
    assert (status, out) == (2, "")
    assert "not shown to be regular: a -> a" in err
    assert err.endswith("; a rule that it uses is regular: start at b\n")
    assert call(*action, path, "--start", "b")[0] == 0


def test_diff_compares_recursive_grammars_to_a_depth_and_says_so(call, written):
    path = written('a = "(" a ")" / "x"\n')
    status, out, err = call("diff", path, path, "--depth", "2")
    assert status == 0
    assert "accept the same bytes (to depth 2, which is how often a rule is used within itself)" in out
    assert "recursive: the automaton is unrolled to depth 2 (--depth)" in err
    other = written('a = "(" a ")" / "x" / "(("\n', "other.abnf")
    status, out, _ = call("diff", path, other)
    assert status == 1
    assert "(to depth 1)" in out
    assert "28 28 ('(('), the shortest that" in out
    assert call("diff", path, other, "--depth", "-1")[0] == 2


@pytest.mark.parametrize(("text", "message"), BAD, ids=[ascii(text)[:30] for text, _ in BAD])
def test_a_grammar_that_cannot_be_used_gets_one_line_with_its_place(call, written, text, message):
    path = written(text)
    status, out, err = call("automaton", path)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"utf8-abnf: {path}:1:")
    assert message in err
    assert "\x1b" not in err


def test_an_unknown_file_or_rule_is_a_usage_error(call):
    status, _, err = call("automaton", "no-such-grammar")
    assert (status, "no-such-grammar" in err) == (2, True)
    status, _, err = call("convert", "urn", "--start", "nids")
    assert (status, "nids" in err) == (2, True)


def test_generate_prints_an_input_on_each_line_and_escapes_what_cannot_be_shown(call, written):
    mine = written("a = %x41 %x0A / %x5C / %xFF\n")
    status, out, _ = call("generate", mine)
    assert (status, sorted(out.splitlines())) == (0, ["A\\x0A", "\\\\", "\\xFF"])
    assert call("generate", "date-time", "-n", "3", "--wrong")[1].count("\n") == 3
    assert call("generate", mine, "-n", "0")[0] == 2


def test_extract_names_what_it_leaves_out(call, written):
    status, out, err = call("extract", written("a = b\na = c\nd = (\n", "doc.txt"))
    assert (status, out) == (1, "a = b\n")
    assert [line.split(": ")[0].rpartition(":")[2] for line in err.splitlines()] == ["2", "3"]


def test_fmt_changes_files_in_place_and_check_only_names_them(call, written, monkeypatch):
    good, bad = written("a = b\n", "good.abnf"), written("a=b ; caf\xe9\r\n", "bad.abnf")
    assert call("fmt", "--check", good, bad) == (1, f"{bad}: not formatted\n", "")
    assert bad.read_bytes() == b"a=b ; caf\xc3\xa9\r\n"
    assert call("fmt", good, bad) == (0, f"{bad}: formatted\n", "")
    assert (good.read_bytes(), bad.read_bytes()) == (b"a = b\n", b"a = b  ; caf\xc3\xa9\r\n")
    status, out, err = call("fmt", written("a = (\n", "wrong.abnf"), written("a=b\n", "other.abnf"))
    assert (status, out.endswith("other.abnf: formatted\n")) == (2, True)
    assert "wrong.abnf:1:6: expected an element" in err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a=b ;\xff\n")))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out := io.BytesIO()))
    assert (main(["grammar", "fmt", "-"]), out.getvalue()) == (0, b"a = b  ;\xff\n")


def test_lint_takes_several_files(call, written):
    one, two = written("a = b\r\n", "one.abnf"), written("a = c\r\n", "two.abnf")
    assert re.findall(r"(\w+).abnf:1:5: error", call("lint", one, two)[1]) == ["one", "two"]


def test_convert_writes_lists_out_and_leaves_out_what_needs_prose(call, written):
    path = written("a = 1#b / <any CHAR except CTL> / <words>\nb = DIGIT / missing\n")
    assert "--http-lists" in call("convert", path)[2]
    status, out, err = call("convert", path, "--http-lists", "--prose", "nothing")
    assert (status, out.splitlines()[1]) == (0, "b = DIGIT")
    assert out.startswith('a = ( b *( *( SP / HTAB ) "," *( SP / HTAB ) b ) ) / ( %x20-7E )\n')
    assert [line.split(": ")[1] for line in err.splitlines()] == [
        "<any CHAR except CTL> is read as %x20-7E", "<words> derives nothing", "missing derives nothing",
    ]  # fmt: skip


def test_extract_takes_lists_on_request(call, written):
    path = written("   Accept = 1#type\n   type = DIGIT\n", "doc.txt")
    assert call("extract", path)[0] == 1
    assert call("extract", path, "--http-lists") == (0, "Accept = 1#type\ntype = DIGIT\n", "")


def test_html_is_one_page_whose_links_lead_to_its_rules_and_whose_examples_are_right(call, written, tmp_path):
    text = 'list = "<" [ list ] ">" / words / missing\nwords = 1*ALPHA / 2%x61 / <"prose">\n'
    status, page, _ = call("html", written(text, "a<b.abnf"))
    assert (status, "<script" in page, "default-src 'none'" in page, "a<b" in page) == (0, False, True, False)
    assert set(re.findall('href="#([^"]*)"', page)) == set(re.findall('<section id="([^"]*)"', page))
    assert len(re.findall(' id="', page)) == len(set(re.findall(' id="([^"]*)"', page)))
    assert page.count("<svg") == 3
    assert 'recursive; used by: <a href="#rule-list">list</a></p>' in page
    assert all(each in page for each in ("[recursion]", "[prose]", "[undefined-rule]", "A core rule:", "appendix B.1"))
    assert "example: <code>a</code></p>" in page  # prose is in the way of longer ones, and of near misses
    out = tmp_path / "page.html"
    assert call("html", "utf8", "--start", "UTF8-char", "-o", out)[:2] == (0, "")
    page = out.read_text("utf-8")
    assert "RFC 3629</a>, section 4.</p>" in page
    grammar = Grammar.load("utf8")
    examples = r"<h2>(.*)</h2>[^§]*?example: <code>(.*)</code>; near miss: <code>(.*)</code>"
    for rule, right, wrong in re.findall(examples, page):
        for word, derived in ((right, True), (wrong, False)):
            is_hex = re.fullmatch("[0-9A-F]{2}( [0-9A-F]{2})*", word)
            data = bytes.fromhex(word) if is_hex else html.unescape(word).encode()
            assert TreeParser(grammar, rule).accepts(data) is derived, (rule, word)


def test_automata_and_railroads_show_ascii_as_characters_and_json_bytes(call, written):
    path = written('a = %x30-39 / %x41-46 / %x09 / "-" / %x22 / %x5C\n')
    assert call("automaton", path)[1].startswith("state      09, '\"', '-', '0'..'9', 'A'..'F', '\\'\n")
    assert call("automaton", path, "--format", "dot")[1].startswith("digraph automaton {\n")
    assert "[label=\"09, '\\\"', '-', '0'..'9', 'A'..'F', '\\\\'\"]" in call("automaton", path, "--format", "dot")[1]
    mermaid = call("automaton", path, "--format", "mermaid")[1]
    assert mermaid.splitlines()[3].endswith(": 09, '#34;', '#45;', '0'..'9', 'A'..'F', '#92;'")
    assert json.loads(call("automaton", path, "--format", "json")[1])["classes"][1] == "09, 22, 2D, 30..39, 41..46, 5C"
    assert "('0'..'9')" in call("railroad", path)[1]
    mixed = written("a = %x30-39 / %xC3 %xA9\n", "mixed.abnf")
    assert "30..39" in call("automaton", mixed)[1]
