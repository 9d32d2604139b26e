"""The pages on deviations: every command on them prints what the page shows."""

import re
import shutil
from pathlib import Path

import pytest

from utf8_abnf.conformance.harness.known import find

FOLDER = Path(__file__).parents[2] / "docs/deviations"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "index")
PROGRAMS = ("iconv", "node", "perl")


@pytest.mark.thorough
@pytest.mark.sampled(0, 4)
@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page, lessons):
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    for name in re.findall(r"known:([\w.+-]+)", text):
        decoder = find(name)
        if not decoder.available():
            pytest.skip(f"needs {decoder.install or decoder.program}")
    for program in PROGRAMS:
        if re.search(rf"(?:^\$|\|) {program} ", text, re.M) and not shutil.which(program):
            pytest.skip(f"needs {program}")
    _, differences = lessons.run(text)
    assert not differences


def test_every_page_is_in_the_index():
    text = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"\{doc\}`([\w-]+)`", text))) == PAGES
    assert sorted(re.findall(r"^[\w-]+$", text[text.index("{toctree}") :], re.M)) == PAGES
