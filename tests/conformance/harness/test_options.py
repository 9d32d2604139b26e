"""Options: patterns choose the cases whose ids match them, and no id is made where all or none of a batch match."""

from fnmatch import fnmatchcase

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance.harness.options import RunOptions, chosen_cases, chosen_families

PATTERNS = [
    ("named/*",),
    ("named/surrogate*", "W/k0/ED-*"),
    ("*",),
    ("n?med/[st]*",),
    ("stream/named/1+*", "stream/named/1x1/*"),
    ("behind/*130*", "long-inputs/*"),
    ("named/nothing-has-this-name",),
    ("[a-l]*", "W*5"),
]


@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
def test_patterns_choose_what_they_match(patterns):
    def ids(options, matches):
        found = set()
        for family in chosen_families(options):
            for batch in list(family.batches())[:: 1 + family.count // 2_000]:
                chosen = chosen_cases(batch, options)
                every = range(len(batch)) if chosen is None else chosen
                found |= {name for name in map(batch.id, every) if matches(name)}
        return found

    matching = ids(RunOptions("L1"), lambda name: any(fnmatchcase(name, pattern) for pattern in patterns))
    assert ids(RunOptions("L1", ids=patterns), lambda _: True) == matching


def test_the_help_of_test_fits_on_a_screen(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "100")
    assert cli.main(["test", "--help"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 60
