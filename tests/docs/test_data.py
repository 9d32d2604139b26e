"""docs/matrix.md and docs/data/matrix.json: the page says what the data say, and the data can be read."""

import json
import re
from collections import Counter

import pytest

from utf8_abnf.conformance.matrix.by_language import CONFORM, STRICT, heads
from utf8_abnf.conformance.matrix.formats.json import read


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/matrix.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def data(root):
    return json.loads((root / "docs/data/matrix.json").read_text(encoding="utf-8"))


def counts(page, first):
    """Return the numbers of the table whose rows match *first*, by what it captures."""
    return {name: int(number) for name, number in re.findall(rf"^\| {first}[^|]* \| (\d+) \|", page, re.M)}


def test_the_page_counts_the_verdicts_of_the_data(page, data):
    shown = counts(page, r"(conforms-except|conforms|deviates|absent)")
    assert shown == Counter(row["verdict"] for row in data["rows"])
    tested = len(data["rows"]) - shown.get("absent", 0)
    assert f"tested {tested} of the {len(data['rows'])} decoders" in page


def test_the_page_counts_the_cells_of_the_grid(root, page):
    rows = [row for row in read(root / "docs/data/matrix.json").rows if row.grid]
    found = Counter(head for row in rows for head in heads(row) if head != CONFORM)
    assert f"\n{found.pop(STRICT)} decoders reject something that is well-formed" in page
    assert counts(page, f"({'|'.join(map(re.escape, found))}),") == found
    assert f"all {len(rows)} decoders were asked" in page
    assert f"The {sum(bool(row.grid.stream) for row in rows)} that have a stream" in page


def test_the_page_names_the_machine_and_the_date_of_the_data(page, data):
    for name in ("date", "system", "machine", "made_by", "python", "level"):
        assert data[name] in page, name
    assert f"{data['cores']} cores" in page


def test_no_row_that_deviates_has_learned_the_grammar_of_utf8(data):
    """Learning asks few long texts: what the suite found in one shows that the learned grammar is not the decoder's."""
    for row in data["rows"]:
        if any(each["kind"] in {"extra", "missing"} for each in row.get("deviations", ())):
            assert row.get("learned", {}).get("dialect") != "utf8", row["name"]
