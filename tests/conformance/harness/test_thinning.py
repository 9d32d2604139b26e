"""Thinning: of wrong verdicts that say nothing new a sample is judged, every run the same, and all are counted."""

from __future__ import annotations

from collections import Counter

from utf8_abnf.conformance.harness.evidence import Evidence
from utf8_abnf.conformance.harness.options import RunOptions
from utf8_abnf.conformance.harness.run import execute
from utf8_abnf.conformance.harness.sending import Answered
from utf8_abnf.conformance.harness.thinning import ALL, ONE_IN, Thinning, sample_of
from utf8_abnf.conformance.suite import family_of


def test_the_first_and_a_draw_of_the_rest_are_kept_and_all_are_counted():
    (batch,) = list(family_of("W/k1", "L2").batches())[:1]
    for verdict, wrong in ((b"1", batch.verdicts.count(b"0")), (b"0", batch.verdicts.count(b"1"))):
        kept, right, counted = Thinning().thinned(Answered(batch, "v", range(len(batch)), [verdict] * len(batch)))
        assert right == len(batch) - wrong
        assert len(kept.values) + counted == wrong
        assert min(ALL, wrong) <= len(kept.values) <= ALL + 2 * wrong / ONE_IN
        assert all(batch.verdicts[index : index + 1] != verdict for index in kept.indices)


def test_a_batch_with_a_case_without_a_verdict_is_judged_as_it_is():
    (batch,) = list(family_of("named", "L0").batches())
    answered = Answered(batch, "v", range(len(batch)), [b"1"] * (len(batch) - 1) + [b"u"])
    assert Thinning().thinned(answered) == (answered, 0, 0)


def test_a_sample_has_the_first_numbers_and_some_of_the_others():
    some = sample_of(range(100_000, 0, -1))
    assert some[:ALL] == list(range(1, ALL + 1))
    assert ALL + 100 < len(some) < ALL + 300


def test_every_wrong_verdict_is_counted(monkeypatch):
    kept = Counter()
    keep = Evidence.keep
    monkeypatch.setattr(Evidence, "keep", lambda self, each: (kept.update([type(each).__name__]), keep(self, each))[1])
    report = execute(lambda data: True, RunOptions(level="L1", families=("W/k0",)))
    (row,) = report.families
    assert row.passed + row.failed == row.total
    assert row.failed > 10 * kept["WrongVerdict"] > 0
