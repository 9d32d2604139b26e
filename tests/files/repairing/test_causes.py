"""The broken files of ``tools/measure/repairs.py``: our answer to each cause, and the table of the page."""

import argparse
import sys

import pytest

from utf8_abnf.cli.files import repair_options
from utf8_abnf.files.repairing import repair


@pytest.fixture
def tool(root):
    sys.path.insert(0, str(root / "tools" / "measure"))
    try:
        import repairs
    finally:
        sys.path.pop(0)
    return repairs


def answer(cause):
    """What ``repair`` makes of *cause* with the options that the table names; a refused file stays as it is."""
    if cause.options.startswith("("):
        return cause.broken
    parser = argparse.ArgumentParser()
    repair_options.configure(parser)
    return repair(cause.broken, repair_options.policy_of(parser.parse_args(cause.options.split()))).data


def test_each_cause_has_the_outcome_that_the_page_shows(tool, root):
    shown = [line.split(" | ") for line in tool.PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    shown = {cells[0].removeprefix("| "): cells[2] for cells in shown if len(cells) > 4 and cells[0] != "| cause"}
    assert list(shown) == [cause.cause for cause in tool.CAUSES]
    for cause in tool.CAUSES:
        if cause.options == "--mojibake":
            pytest.importorskip("ftfy", reason="needs ftfy: pip install 'utf8-abnf[mojibake]'")
        assert tool.outcome(cause, answer(cause)) == shown[cause.cause], cause.name


def test_a_wrong_answer_is_not_called_right(tool):
    pasted = tool.CAUSES[0]
    assert tool.outcome(pasted, pasted.broken) == "unchanged"
    assert tool.outcome(pasted, pasted.broken + b"\xff") == "ill-formed"
    assert tool.outcome(pasted, pasted.broken.decode("cp1252", "replace").encode()) == "alters well-formed text"
    assert tool.outcome(pasted, pasted.broken.decode(errors="ignore").encode()) == "deletes the bytes"
    assert tool.outcome(pasted, pasted.broken.decode(errors="replace").encode()) == "U+FFFD or wrong letters"
    assert tool.outcome(pasted, None) == "refused"
