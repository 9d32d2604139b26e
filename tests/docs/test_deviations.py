"""The pages on deviations: every command on them prints what the page shows."""

import re
import shutil

import pytest

from utf8_abnf.conformance.harness.known import find

PAGES = (
    "surrogates",
    "overlong",
    "beyond-10ffff",
    "perl-extended",
    "noncharacters",
    "nul",
    "byte-order-mark",
    "truncated-end",
    "swallowed-bytes",
    "replacement-counts",
    "latin-1",
    "three-bytes-only",
)
PROGRAMS = ("iconv", "node", "perl")


def read(root, page):
    return (root / "docs" / "deviations" / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.sampled(0, 4)
@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page, root, lessons):
    text = read(root, page)
    for name in re.findall(r"known:([\w.+-]+)", text):
        decoder = find(name)
        if not decoder.available():
            pytest.skip(f"needs {decoder.install or decoder.program}")
    for program in PROGRAMS:
        if re.search(rf"(?:^\$|\|) {program} ", text, re.M) and not shutil.which(program):
            pytest.skip(f"needs {program}")
    _, differences = lessons.run(text)
    assert not differences


def test_every_page_is_in_the_list(root):
    pages = {path.stem for path in (root / "docs" / "deviations").glob("*.md")}
    text = read(root, "index")
    assert pages - {"index"} == set(PAGES)
    assert set(re.findall(r"\{doc\}`([\w-]+)`", text)) == set(PAGES)
    assert re.findall(r"^[\w-]+$", text[text.index("{toctree}") :], re.M) == list(PAGES)
