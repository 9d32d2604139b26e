"""Rows of the published matrix in a real browser: search, sorting, filters, addresses, keyboard, 360 px, contrast."""

from dataclasses import replace

import pytest

from utf8_abnf.conformance.matrix.formats import html
from utf8_abnf.conformance.matrix.formats.json import read
from utf8_abnf.conformance.matrix.grid import OVERLONG, SURROGATES

pytestmark = pytest.mark.slow  # the page is the same on every Python
SHOWN = "#all > .decoder:not([hidden])"
# Of every kind of row; the page of all decoders takes seconds to load on a busy machine.
SOME = {
    *("python", "perl-encode-strict", "perl-encode-lax", "jackson-core", "woodstox", "java-utf-8", "java-cesu-8"),
    *("raptor-check-utf8-string", "npm-is-utf8", "npm-fflate", "xerces-c", "pypy3-decode"),
}
TOP = "element => element.getBoundingClientRect().top"
BOTTOM = "element => element.getBoundingClientRect().bottom"


@pytest.fixture(scope="module")
def published(root):
    matrix = read(root / "docs/data/matrix.json")
    return replace(matrix, rows=tuple(row for row in matrix.rows if row.name in SOME))


@pytest.fixture(scope="module")
def address(published, tmp_path_factory):
    path = tmp_path_factory.mktemp("matrix") / "matrix-table.html"
    path.write_text(html.render(published, badges="badges/"), "utf-8")
    return path.as_uri()


def names(page):
    """Return the decoders that are shown, in their order."""
    return page.eval_on_selector_all(SHOWN, "rows => rows.map(row => row.dataset.decoder)")


def test_search_and_filters_leave_the_rows_that_fit(visit, published):
    page = visit()
    assert page.inner_text("#shown") == f"{len(published.rows)} of {len(published.rows)} decoders"
    page.fill("#word", "PERL strict")
    found = names(page)
    assert "perl-encode-strict" in found
    assert page.inner_text("#shown") == f"{len(found)} of {len(published.rows)} decoders"
    page.fill("#word", "java")  # a whole word: not JavaScript
    assert {row.language for row in published.rows if row.name in names(page)} == {"Java"}
    page.fill("#word", "")
    page.click("#narrow summary")
    page.select_option("#by-c1", "wrong")
    page.select_option("#by-language", "Java")
    wanted = [row.name for row in published.rows if row.language == "Java" and OVERLONG in row.grid.wrong]
    assert names(page) == wanted != []
    page.fill("#word", "nosuchdecoder")
    assert names(page) == []


def test_rows_are_sorted_both_ways_and_by_each_fact(visit, published):
    page = visit()
    page.click('#sort [data-sort="decoder"]')
    up = names(page)
    assert up[0] < up[-1]
    assert sorted(up) == sorted(row.name for row in published.rows)
    page.click('#sort [data-sort="decoder"]')
    assert names(page) == up[::-1]
    page.click('#sort [data-sort="c2"]')
    wrong = {row.name: SURROGATES in row.grid.wrong for row in published.rows if row.grid}
    shown = [wrong.get(name, False) for name in names(page)]  # one was not asked
    assert shown == sorted(shown, reverse=True)


def test_the_first_screen_has_the_search_and_the_first_ten_rows(visit):
    page = visit(width=1280, height=800)
    assert page.locator("#word").evaluate(BOTTOM) < 200
    assert page.locator("#all > .decoder").nth(9).evaluate(BOTTOM) <= 800


def test_a_permanent_address_opens_its_decoder_and_shows_its_line(visit):
    page = visit("#d-npm-fflate")
    row = page.locator('[data-decoder="npm-fflate"]')
    assert row.get_attribute("open") is not None
    assert 0 < row.evaluate(TOP) < 200
    page.fill("#word", "perl")
    page.evaluate("location.hash = '#d-python'")  # an address counts for more than the search
    page.wait_for_selector('[data-decoder="python"][open]')
    assert page.input_value("#word") == ""


def test_rows_are_opened_by_key_and_what_has_the_focus_is_not_under_the_buttons(visit):
    page = visit(height=400)
    page.focus("#sort button:last-child")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    first = page.locator("#all > .decoder").first
    assert first.get_attribute("open") is not None
    page.focus("#all > .decoder:last-child summary")
    for _ in range(10):  # upwards, where the buttons stay
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(f"({TOP})(document.activeElement)") >= page.locator("#sort").evaluate(BOTTOM)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_needs_no_scrolling_to_the_side_and_axe_finds_no_violation(visit, violations, scheme):
    page = visit("#d-raptor-check-utf8-string", width=360, height=740, color_scheme=scheme)
    page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []
