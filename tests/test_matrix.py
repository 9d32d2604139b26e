"""The page of decoders: made by its tool, with a date, and with commands that a reader can run."""

import re
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    path = tmp_path_factory.mktemp("matrix") / "matrix.md"
    names = ["python", "python-incremental", "python-surrogatepass"]
    subprocess.run([sys.executable, root / "tools" / "matrix.py", "--output", path, *names], check=True)
    return path.read_text(encoding="utf-8")


def test_decoders_that_behave_alike_share_a_row(made):
    assert "**No departure found:** `python`, `python-incremental`." in made


def test_a_departure_has_its_abnf_its_example_and_a_command(made):
    assert re.search(r"\| extra \| `%xED %xA0-BF UTF8-tail` \| ED A0 80 \| `utf8-abnf smoke known:python", made)


def test_every_decoder_has_a_row(made):
    assert len(re.findall(r"^\| python[\w-]* \| 3\.", made, re.MULTILINE)) == 3


def test_the_published_page_names_its_date_and_machine(root):
    page = (root / "docs" / "matrix.md").read_text(encoding="utf-8")
    assert re.search(r"on Debian GNU/Linux 12 \(bookworm\), x86_64, 20\d\d-\d\d-\d\d\.", page)
    assert page.count("\n| ") > 33
