"""The named cases, level L0: each is right, has its story and its source, and none is there twice."""

from __future__ import annotations

from collections import Counter

import pytest

from utf8_abnf.conformance.suite import cases
from utf8_abnf.conformance.suite.named import NAMED
from utf8_abnf.conformance.suite.plan import plan


def test_the_verdicts_that_the_author_wrote_are_the_automatons_and_each_has_a_story_and_a_source():
    assert 400 <= len(NAMED) <= 500
    for row in NAMED:
        assert plan().automaton.accepts(row.data) == row.accept, row.id
        assert row.story
        assert row.source


@pytest.mark.parametrize("part", ["id", "data", "story"])
def test_no_two_rows_share_their(part):
    seen = Counter(getattr(row, part) for row in NAMED)
    shared = [each for each, count in seen.items() if count > 1]
    assert part == "story" or not shared
    assert len(shared) <= 30  # a few stories are said of two sizes of block


def test_a_case_carries_the_story_and_the_source():
    case = next(case for case in cases("L0") if case.id == "named/overlong/slash-2")
    assert (case.data, case.accept, case.rule) == (b"\xc0\xaf", False, "UTF8-char")
    assert case.story == "/ in two bytes: the way out of the web server's folder (CVE-2000-0884, IIS)"
    assert (case.error.start, case.error.length, case.error.code) == (0, 1, "UTF8-OVERLONG")
    assert (case.replacement, case.replacements, case.code_points) == ("\ufffd\ufffd", 2, (0xFFFD, 0xFFFD))


@pytest.mark.parametrize(
    ("name", "count"),
    [("unicode-3-8", 8), ("unicode-3-9", 8), ("unicode-3-10", 7), ("unicode-3-11", 4), ("real-and-error", 1)],
)
def test_replacements_are_counted_as_unicode_counts_them(name, count):
    assert next(case for case in cases("L0") if case.id == f"named/count/{name}").replacements == count


@pytest.mark.parametrize(
    ("shown", "rule"),
    [
        ("", "UTF8-octets"), ("41", "UTF8-1"), ("C2 80", "UTF8-2"), ("E0 A0 80", "UTF8-3/1"), ("E1 80 80", "UTF8-3/2"),
        ("ED 80 80", "UTF8-3/3"), ("EE 80 80", "UTF8-3/4"), ("F0 90 80 80", "UTF8-4/1"), ("F1 80 80 80", "UTF8-4/2"),
        ("F4 80 80 80", "UTF8-4/3"), ("ED A0 80", "UTF8-3/3"), ("61 F0 80", "UTF8-4/1"), ("FF", "UTF8-char"),
        ("80 41", "UTF8-char"), ("F4 8F BF BF 41", "UTF8-1"),
    ],
)  # fmt: skip
def test_a_case_names_the_rule_and_alternative_that_it_exercises(shown, rule):
    data = bytes.fromhex(shown)
    assert plan().rule(data, plan().oracle.ill_formed(data)) == rule
