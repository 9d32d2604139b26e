"""The page, the badges and the words of the matrix: each decoder has a line, an address, a badge and its cells."""

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
from utf8_abnf.conformance.matrix import CheckedDeviation, LearnedGrammar, Matrix, Row
from utf8_abnf.conformance.matrix.by_language import HEADS, by_language, in_words, picture
from utf8_abnf.conformance.matrix.formats import html
from utf8_abnf.conformance.matrix.formats.badges import badges
from utf8_abnf.conformance.matrix.formats.html import introduction
from utf8_abnf.conformance.matrix.formats.html_details import NO_PROMISE
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.conformance.matrix.grid import INPUTS, Grid
from utf8_abnf.conformance.matrix.long_inputs import writes
from utf8_abnf.conformance.matrix.merging import merged
from utf8_abnf.conformance.matrix.row import ASKED, CONFORMS, DEVIATES
from utf8_abnf.errors import UsageError


def cells(**wrong):
    """Return a grid in which all is rejected but the facts that *wrong* gives letters."""
    letters = {fact: wrong.get(fact.split()[0], "p" if fact == "characters" else "r") for fact in INPUTS}
    return Grid("1", "2026-11-28", {fact: " ".join([letters[fact] * len(INPUTS[fact])] * 4) for fact in INPUTS})


SLASH = CheckedDeviation("extra", "%xC0 %x80-BF", bytes.fromhex("C0 80"), check="confirmed")
SURROGATE = replace(SLASH, line="%xED %xA0-BF UTF8-tail", example=bytes.fromhex("ED A0 80"))
BOTH = {"verdict": DEVIATES, "deviations": (SLASH, SURROGATE), "grid": cells(overlong="p", surrogates="p")}
ROWS = (
    Row("good", verdict=CONFORMS, language="C", kind="library", version="1.0", date="2026-11-22", grid=cells()),
    Row("wrong", language="C", kind="library", version="1.9", second_way="ask it", **BOTH),
    Row("wrong-as-well", language="Java", kind="program", anywhere="fetch it && ask it", claim="UTF-8", **BOTH),
    Row("absent", language="Java"),
)


@pytest.fixture(scope="module")
def matrix():
    return Matrix(ROWS, "2026-11-22", "Linux", "x86_64", 2, "utf8-abnf 0", "3.11", "L0")


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
    line = re.search(r"<summary><span class=\"name\"><b>wrong</b>.*?</summary>", page)[0]
    assert re.findall(r'class="(good|some|bad|unknown)"', line) == ["good", "bad", "bad", *["good"] * 4]
    assert "surrogates: </span>✗ accepts" in line


def test_a_row_opens_to_sentences_and_a_command_that_works_anywhere_comes_first(page):
    section = sections(page)["wrong-as-well"]
    assert section.index("C0 AF is accepted.") < section.index("fetch it &amp;&amp; ask it") < section.index("<dl>")
    assert NO_PROMISE in section
    assert "printf &#x27;\\300\\200&#x27; | ask" in sections(page)["wrong"]


def test_all_rows_have_a_command_for_a_machine_without_our_folders_but_two_that_cannot_be_fetched(published):
    installs = ("# in a container of Debian 12\n(apt-get update && apt-get install -qq ", "p=$(mktemp -d) && ")
    without = {row.name for row in published.rows if not row.anywhere.startswith(installs)}
    assert without == {"utf8-abnf", "python2.7-decode"}


def test_the_page_says_what_was_tested_where_and_how_many_were_learned(matrix):
    some = replace(ROWS[0], learned=LearnedGrammar(1, "utf8"))
    said = " ".join(introduction(replace(matrix, rows=(some, *ROWS[1:]))))
    assert said.startswith("3 of 4 known decoders, tested with level L0 of the suites on Linux, x86_64, 2 cores, ")
    assert ", 1 of them learned to k = 0." in said


def test_no_word_of_the_page_is_a_severity(page):
    assert not re.search(r"security|severe|loss of data", page.partition("<body>")[2].lower())


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


def test_every_decoder_has_a_badge(matrix):
    made = dict(badges(matrix))
    pictures = {name.removesuffix(".svg"): ET.fromstring(text) for name, text in made.items()}
    assert list(pictures) == [each.name for each in matrix.rows]
    assert all(each.get("aria-label") == each[0].text for each in pictures.values())
    said = {"good": "conforms", "wrong": "accepts: overlong, surrogates", "absent": "not tested"}
    assert {name: pictures[name][0].text for name in said} == {
        name: f"UTF-8 RFC 3629: {text}" for name, text in said.items()
    }


def test_a_name_that_is_a_path_has_no_badge(matrix):
    names = ("../up", "a/b", "a b", ".hidden")
    assert [*badges(replace(matrix, rows=tuple(map(Row, names))))] == []


def test_the_picture_counts_the_cells_of_each_language_and_says_so_in_words(matrix):
    counts = {name: dict(zip(HEADS, each, strict=True)) for name, each in by_language(matrix).items()}
    assert [*counts] == ["C", "Java"]
    assert counts["C"] | {"decoders": 2, "conform": 1, "overlong": 1, "surrogates": 1, "cut ends": 0} == counts["C"]
    assert counts["Java"]["decoders"] == 1  # the other was not asked
    assert ET.fromstring(picture(matrix))[1].text == in_words(matrix)


def test_the_grid_of_a_run_is_put_into_the_rows_of_an_earlier_one_and_what_was_sent_in_is_marked(matrix):
    asked = Row("wrong", verdict=ASKED, grid=cells(lone="d"))
    new = merged(replace(matrix, rows=(asked, Row("absent"))), matrix)
    assert [row.name for row in new.rows] == [row.name for row in ROWS]
    assert new.rows[1] == replace(ROWS[1], grid=asked.grid)
    assert new.rows[3] == ROWS[3]
    sent = merged(replace(matrix, rows=(asked,)), replace(matrix, system="macOS", rows=(ROWS[0], ROWS[1])))
    assert [row.machine for row in sent.rows] == ["macOS, x86_64, utf8-abnf 0", ""]
    assert sent.rows[1] == asked


LONG = [b"a" * 70_000 + b"\xff", "😀".encode() * 10_000, b"\xc2" * 65 + b"b" * 4_096 + "é".encode(), bytes(range(256))]


@pytest.mark.parametrize("example", LONG, ids=len)
def test_a_long_example_is_told_in_short_and_is_read_whole(example):
    made = Row("long", verdict=DEVIATES, deviations=(replace(SLASH, example=example),))
    (plain,) = made.to_json()["deviations"]
    schema = json.loads((files("utf8_abnf.conformance.matrix.formats") / "matrix.schema.json").read_text())
    jsonschema.validate(plain, {"$ref": "#/$defs/deviation", "$defs": schema["$defs"]})
    assert len(json.dumps(plain)) < 2_000
    assert Row.from_json(json.loads(json.dumps(made.to_json()))) == made
    if command := writes(example):
        assert subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout == example


def test_a_matrix_of_another_schema_is_a_usage_error(tmp_path):
    path = tmp_path / "old.json"
    path.write_text('{"schema": 1, "rows": []}')
    with pytest.raises(UsageError, match="make it again"):
        read(path)


def test_every_published_row_is_of_a_decoder_that_is_known(published):
    assert [row.name for row in published.rows] == [each.name for each in decoders()]
    assert all(row.language and row.kind for row in published.rows)
