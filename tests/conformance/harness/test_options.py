"""Options: patterns choose the cases whose ids match them, and no id is made where all or none of a batch match."""

from fnmatch import fnmatchcase

import pytest

from utf8_abnf.conformance.harness.options import RunOptions, chosen_families
from utf8_abnf.conformance.suite import families

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
def test_patterns_choose_what_they_match_and_the_families_count_it(patterns):
    chosen = chosen_families(RunOptions("L1", ids=patterns))
    found = [batch.id(number) for family in chosen for batch in family.batches() for number in range(len(batch))]
    every = (
        batch.id(number) for family in families("L1") for batch in family.batches() for number in range(len(batch))
    )
    assert found == [name for name in every if any(fnmatchcase(name, pattern) for pattern in patterns)]
    assert sum(family.count for family in chosen) == len(found)


def test_a_case_of_a_session_is_asked_with_the_one_before_it():
    (family,) = chosen_families(RunOptions("L2", ids=("sessions/C3/after/E2",)))
    assert [case.data for case in family.cases()] == [b"\xe2", b"\xc3"]
