"""The page, the badges and the words of the matrix: each decoder has a line, an address, a badge and a consequence."""

import hashlib
import json
import re
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from importlib.resources import files
from urllib.parse import parse_qs, urlsplit

import jsonschema
import pytest

from utf8_abnf.conformance.harness.known import decoders
from utf8_abnf.conformance.harness.known.packages import in_shell, npm_folder, python_program
from utf8_abnf.conformance.harness.replacing import CHANGED, LOST, NO_MARK
from utf8_abnf.conformance.matrix import CheckedDeviation, Matrix, Row
from utf8_abnf.conformance.matrix.by_language import HEADS, by_language, codes_of, in_words, picture
from utf8_abnf.conformance.matrix.consequences import SEVERITIES, consequences
from utf8_abnf.conformance.matrix.examining import described
from utf8_abnf.conformance.matrix.formats import html, render
from utf8_abnf.conformance.matrix.formats.badges import badges
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.conformance.matrix.formats.words import introduction
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.row import CONFORMS, DEVIATES, Check, LearnedGrammar

MAX_FIELD = 26_000  # characters: the longest is the grammar of SQLite


def deviation(kind, line, example, why=""):
    example = bytes.fromhex(example)
    return CheckedDeviation(kind, line, example, 1, "", "", "", "", why, "", check=Check("confirmed", "", "printf 'x'"))


def row(name, *deviations, **words):
    """Return a row that deviates, or one that conforms."""
    made = Row(name, verdict=DEVIATES if deviations else CONFORMS, deviations=deviations, **words)
    severity, sentences = consequences(made)
    return replace(made, severity=severity, consequences=sentences)


SLASH = deviation("extra", "%xC0 %x80-BF", "C0 80")
SURROGATE = deviation("extra", "%xED %xA0-BF UTF8-tail", "ED A0 80")
ROWS = (
    row("good", language="C", kind="library", version="1.0", date="2026-11-22"),
    row("wrong", SLASH, SURROGATE, language="C", kind="library", version="1.9"),
    row("wrong-as-well", SLASH, SURROGATE, language="Java", kind="program", anywhere="fetch it && ask it"),
    Row("absent", language="Java"),
)


@pytest.fixture(scope="module")
def matrix():
    return Matrix(ROWS, "2026-11-22", "Linux", "x86_64", 2, "utf8-abnf 0", "3.11", "L0", None)


@pytest.fixture(scope="module")
def published(root):
    return read(root / "docs/data/matrix.json")


@pytest.fixture(scope="module")
def page(matrix):
    return html.render(matrix, badges="badges/")


def sections(page):
    """Return the part of the page for each decoder, by its id."""
    parts = re.split(r'<div id="d-([^"]+)">', page)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_decoder_has_a_line_and_an_address_those_that_conform_as_well(page, matrix):
    assert list(sections(page)) == [each.name for each in matrix.rows]
    assert page.count('<details class="decoder"') == len(matrix.rows)
    for each in ("C", "library", "conforms", "none", "1.0", "2026-11-22"):
        assert f">{each}</span>" in page


def test_the_page_says_what_was_tested_where_and_how_many_were_learned(matrix):
    some = replace(ROWS[0], learned=LearnedGrammar(8, "utf8", "", None, 1, 0, ""))
    said = " ".join(introduction(replace(matrix, rows=(some, *ROWS[1:]), k=0)))
    assert said.startswith("3 of 4 known decoders, tested with level L0 of the suites on Linux, x86_64, 2 cores, ")
    assert ", 1 of them learned to k = 0; " in said


def test_a_consequence_is_a_word_and_a_colour(page):
    style = page.partition("</style>")[0]
    for name in SEVERITIES:
        assert f".{name.replace(' ', '-')}" in style
    assert '<span class="of-consequence security">security</span>' in page


def test_a_row_with_the_classes_of_another_refers_to_it(page):
    first, second = (sections(page)[name] for name in ("wrong", "wrong-as-well"))
    assert "%xED %xA0-BF" in first
    assert "%xED %xA0-BF" not in second
    assert '<a href="#d-wrong">wrong</a>' in second
    assert "fetch it &amp;&amp; ask it" in second


def test_the_markdown_refers_to_the_first_row_as_well(matrix):
    text = render(matrix, "markdown")
    assert text.count("| extra | `%xED %xA0-BF UTF8-tail`") == 1
    assert "The same 2 classes of deviations as wrong." in text
    assert "- Security: C0 AF is accepted" in text


def test_every_row_can_be_reported_and_the_form_carries_its_name(page, matrix, root):
    forms = root / ".github/ISSUE_TEMPLATE"
    for each in matrix.rows:
        links = re.findall(r'href="([^"]+/issues/new[^"]+)"', sections(page)[each.name])
        assert len(links) == 2
        for link in links:
            asked = {name: values[0] for name, values in parse_qs(urlsplit(unescape(link)).query).items()}
            form = (forms / asked.pop("template")).read_text(encoding="utf-8")
            assert asked.pop("title").startswith(re.search(r'^title: "(.*)"', form, re.M)[1])
            assert set(asked) <= set(re.findall(r"^ +id: (\w+)$", form, re.M))
            assert each.name in asked.values()


def test_two_runs_give_the_same_page_but_for_what_changed(matrix):
    other = replace(matrix, rows=(*matrix.rows[:1], replace(matrix.rows[1], version="2.0"), *matrix.rows[2:]))
    assert render(matrix, "html") == render(replace(matrix), "html")
    before, after = (render(each, "html").splitlines() for each in (matrix, other))
    assert len(before) == len(after)
    assert all("2.0" in two for one, two in zip(before, after, strict=True) if one != two)


def test_every_decoder_has_a_badge_in_both_forms(matrix):
    made = dict(badges(matrix))
    assert set(made) == {f"{each.name}.{form}" for each in matrix.rows for form in ("json", "svg")}
    assert json.loads(made["good.json"]) == {
        "schemaVersion": 1,
        "label": "UTF-8 RFC 3629",
        "message": "conforms",
        "color": "brightgreen",
    }
    assert json.loads(made["wrong.json"])["message"] == "deviates: security"
    assert json.loads(made["absent.json"])["message"] == "not tested"
    for name, text in made.items():
        if name.endswith(".svg"):
            picture = ET.fromstring(text)
            assert picture.get("aria-label") == picture[0].text


def test_a_name_that_is_a_path_has_no_badge(matrix):
    names = ("../up", "a/b", "a b", ".hidden")
    assert [*badges(replace(matrix, rows=tuple(map(Row, names))))] == []


def test_the_picture_counts_the_decoders_of_each_language_and_says_so_in_words(matrix):
    counts = {name: dict(zip(HEADS, each, strict=True)) for name, each in by_language(matrix).items()}
    assert [*counts] == ["C", "Java"]
    assert counts["C"] | {"decoders": 2, "conform": 1, "overlong": 1, "surrogate": 1} == counts["C"]
    assert counts["Java"]["decoders"] == 1
    assert ET.fromstring(picture(matrix))[1].text == in_words(matrix)


@pytest.mark.parametrize(
    ("kind", "line", "example", "severity", "words"),
    [
        ("extra", "%xC0-C1 %x80-BF", "C0 80", "security", "C0 AF is accepted, a longer form of '/'"),
        ("extra", "%xC0 %x80", "C0 80", "security", "C0 80 is accepted, a longer form of NUL"),
        ("extra", "%xC1 %x81", "C1 81", "security", "C1 81 is accepted, a longer form"),
        ("extra", "%xC2-DF %x00-7F", "C2 00", "security", "C2 22 is accepted, a cut sequence: the quotation mark"),
        ("extra", "%xC0 %x0A", "C0 0A", "security", "C0 0A is accepted, a cut sequence: the byte behind"),  # ftfy
        ("extra", "%x80-FF", "80", "loss of data", "another encoding"),
        ("extra", "%xED %xA0-BF UTF8-tail", "ED A0 80", "loss of data", "a surrogate of UTF-16"),
        ("extra", "%xF4 %x90 2( UTF8-tail )", "F4 90 80 80", "loss of data", "above U+10FFFF"),
        ("extra", "%xC2-DF", "C2", "loss of data", "did not arrive whole"),
        ("extra", "%xE0 UTF8-tail", "E0 80", "loss of data", "did not arrive whole"),  # not a longer form: it is cut
        ("extra", "%xF0 2( UTF8-tail )", "F0 80 80", "loss of data", "did not arrive whole"),
        ("extra", "%xED %xA0-BF", "ED A0", "loss of data", "did not arrive whole"),
        ("extra", "%xF5-FF", "F5", "loss of data", "F5 is accepted, no character begins with it"),
        ("extra", "%xC1 %x20-7F", "C1 20", "security", "may be swallowed"),
        ("extra", "%xE1 %xC0 UTF8-tail", "E1 C0 80", "loss of data", "a cut sequence and what stands behind it"),
        ("extra", "%xF5 %xC0 UTF8-tail", "F5 C0 80", "loss of data", "no character begins with it"),
        ("extra", "%xF8 3( UTF8-tail )", "F8 80 80 80", "loss of data", "no character begins with it"),
        ("missing", "%x00", "00", "too strict", "00 is rejected, which is well-formed"),
        ("streaming", "UTF8-TRUNCATED", "E2 82", "loss of data", "in pieces"),
    ],
)
def test_a_deviation_is_told_by_its_consequence(kind, line, example, severity, words):
    made = row("one", deviation(kind, line, example))
    assert made.severity == severity
    assert words in made.consequences[0]


def test_a_class_of_cut_ends_is_told_by_a_character_that_is_cut():
    found = replace(deviation("extra", "%xC0-F7", "00 C0"), place="only at the end of the input and where more")
    assert row("pike", found).consequences[0].startswith("00 C2 is accepted, cut by the end")
    assert row("pike", replace(found, place="")).consequences[0].startswith("00 C0 is accepted, no character begins")


def test_a_class_of_bytes_that_are_swallowed_has_a_sentence_on_overlong_forms_and_one_on_the_quotation_mark():
    lines = "%xC0-DF %x00-FF / %xE0-EF 2( %x00-FF )", "%xE0-EF 2( %x00-FF )"
    found = [replace(deviation("extra", line, "E0 00 00"), place="but for its well-formed words") for line in lines]
    assert [each[:19] for each in row("utfx", found[0]).consequences] == ["C0 AF is accepted, ", "C2 22 is accepted, "]
    assert [each[:22] for each in row("three", found[1]).consequences] == [
        "E0 80 AF is accepted, ",
        "E2 82 22 is accepted, ",
    ]
    assert [len(codes_of(each)) for each in found] == [3, 3]
    six_bytes = replace(found[0], line="%xE1-EF 2( %x80-FF ) / %xFC ( %x80-8F / %xC0-CF ) 2( %x80-FF )")
    assert codes_of(six_bytes) == {"UTF8-MISSING-TAIL", "UTF8-SURROGATE", "UTF8-TOO-LARGE"}
    assert all("the quotation mark behind it may be swallowed" in row("any", each).consequences[1] for each in found)


def test_the_most_severe_consequence_comes_first_and_a_row_that_conforms_has_none():
    longer = deviation("extra", "%xF0 %x80-8F 2( UTF8-tail )", "F0 80 80 80")  # fflate makes '/' of C0 AF alone
    made = row("both", SURROGATE, longer, SLASH)
    assert made.severity == "security"
    assert [each[:5] for each in made.consequences] == ["C0 AF", "ED A0"]
    assert row("good").severity == ""


def test_an_overlong_form_that_the_classes_do_not_show_is_told_first_of_a_row_that_accepts_any_bytes():
    found = row("one", deviation("extra", "%x80-FF", "80"))
    assert consequences(found, b"\xc0\xaf")[0] == "security"
    assert [each[:5] for each in consequences(found, b"\xc0\xaf")[1]] == ["C0 AF", "80 is"]
    assert consequences(row("good"), b"\xc0\xaf") == ("", ())
    without = row("newer", deviation("extra", "%xED %xA0-BF UTF8-tail", "ED A0 80"))  # rejects C0 by now
    assert consequences(without, b"\xc0\xaf") == consequences(without)


def test_replacement_has_a_consequence_for_each_rule_it_breaks_lost_text_first():
    """utf_to_utf of Boost leaves no mark of 80, as it promises, and loses the letter of C2 61: one of them was told."""
    whys = (NO_MARK, f"{CHANGED}: expected 'a', got ''", f"{LOST}: expected 'a', got 'b'")
    made = row("one", *(deviation("replacement", "UTF8-MISSING-TAIL", "C2 61", why) for why in whys))
    assert made.severity == "loss of data"
    assert made.consequences == tuple(f"C2 61: {why}." for why in (whys[2], whys[1], whys[0]))


def test_bytes_that_vanish_and_characters_that_are_completed_from_behind_are_told_as_such():
    """Xerces-C drops F5 80 80 80: no next program sees it. notepack.io throws for C2 where nothing stands behind it."""
    large = row("xerces-c", deviation("extra", "%xF5-F7 3( UTF8-tail )", "F5 80 80 80"))
    severity, (sentence,) = consequences(large, left_out=True)
    assert severity == "security"
    assert sentence.startswith("F5 80 80 80 is accepted, and its ill-formed bytes are left out: ")
    cut = row("notepack", deviation("extra", "%xC2-DF", "C2"), SURROGATE)
    first, second = consequences(cut, behind="other bytes")[1]
    assert first.startswith("C2 is accepted, cut by the end, with other bytes behind it: ")
    assert second == cut.consequences[1]


def test_a_consequence_names_the_length_to_which_it_is_limited():
    """decodeUtf8 of @jsonjoy.com/buffers accepts C0 AF in fewer than 32 bytes alone, ion-js in fewer than 513."""
    short, other = (replace(SLASH, place=place) for place in ("only in input of fewer than 32 bytes", ""))
    assert row("short", short).consequences[0].endswith(" with C0 AF. It does so only in input of fewer than 32 bytes.")
    assert not any("It does so" in each for each in row("both", short, other).consequences)
    assert (
        row("end", replace(SLASH, place="only at the end of the input")).consequences == row("any", SLASH).consequences
    )


LONG = [b"a" * 70_000 + b"\xff", "😀".encode() * 10_000, b"\xc2" * 65 + b"b" * 4_096 + "é".encode(), bytes(range(256))]


@pytest.mark.parametrize("example", LONG, ids=len)
def test_a_long_example_is_told_in_short_and_is_read_whole(example):
    made = row("long", replace(SLASH, example=example))
    (plain,) = made.to_json()["deviations"]
    schema = json.loads((files("utf8_abnf.conformance.matrix.formats") / "matrix.schema.json").read_text())
    jsonschema.validate(plain, {"$ref": "#/$defs/deviation", "$defs": schema["$defs"]})
    assert len(json.dumps(plain)) < 2_000
    assert (plain["whole"]["size"], plain["whole"]["sha256"]) == (len(example), hashlib.sha256(example).hexdigest())
    assert Row.from_json(json.loads(json.dumps(made.to_json()))) == made
    if command := writes(example):
        assert subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout == example


def test_no_field_of_the_published_rows_is_longer_than_a_reader_needs(root):
    texts = re.findall(r'"(?:[^"\\]|\\.)*"', (root / "docs/data/matrix.json").read_text(encoding="utf-8"))
    assert max(map(len, texts)) <= MAX_FIELD


def test_every_published_row_that_deviates_has_a_consequence_and_the_others_have_none(published):
    for each in published.rows:
        assert bool(each.severity) == bool(each.consequences), each.name
        assert bool(each.severity) or each.verdict in {"conforms", "conforms-except", "absent"}, each.name
        assert not each.severity or each.facts or each.troubles, each.name
        assert each.language, each.name
        assert each.kind, each.name


def test_the_published_rows_say_what_the_rows_files_say_today(published):
    known = {each.name: each for each in decoders()}
    for each in published.rows:
        assert described(each, known[each.name]) == each, each.name
        direct = as_published(known[each.name].direct)
        assert each.second_way == direct or not (each.tested and direct), each.name


def as_published(command):
    """Return *command* with the folder of packages that the published rows name, whichever this machine has."""
    command = command.replace(in_shell(python_program()), "~/.cache/utf8-abnf/decoders/pypi/bin/python")
    return command.replace(in_shell(npm_folder()), "~/.cache/utf8-abnf/decoders/npm")
