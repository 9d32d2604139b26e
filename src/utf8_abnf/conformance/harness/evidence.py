"""Evidence: all that a run has seen of a decoder, as it is judged; from it the deviations and the report are made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.answers.answer_classes import WrongAnswers
from utf8_abnf.conformance.harness.answers.judging import NoAnswer, Unsupported, WrongAnswer, WrongVerdict
from utf8_abnf.conformance.harness.report import FamilyResult
from utf8_abnf.conformance.harness.standard import ill_formed_pieces
from utf8_abnf.conformance.naming.patterns import TAIL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from utf8_abnf.conformance.harness.answers.judging import Judgement, Witness
    from utf8_abnf.conformance.harness.driving.inprocess import SeenInProcess
    from utf8_abnf.conformance.harness.driving.worker import Failure
    from utf8_abnf.conformance.suite import Family

MAX_NO_ANSWERS = 100  # that are kept; more are counted
MAX_BUCKETS = 50_000
WORDS_PER_BUCKET = 4


class Evidence:
    """What has been seen so far.

    *families* has the numbers for each family and mode. *notes* are what was found out about the decoder, such as the
    convention for its offsets, *not_judged* what could not be judged. *wrong_answers* has an entry for each kind of
    wrong answer and each kind of error. *in_process* has what calls in process showed where not all was right; nothing
    that is seen later takes it away. *witnesses* were wrong there and nowhere else. *not_sent* says why a family was
    not sent in a mode at all, *ended_early* that the decoder failed as often as the user allowed, "" if it did not.
    """

    def __init__(self) -> None:
        self.families: dict[tuple[str, str], FamilyResult] = {}
        self.wrong_verdicts = WrongVerdicts()
        self.wrong_answers: dict[tuple[str, str], WrongAnswers] = {}
        self.in_process: dict[str, SeenInProcess] = {}  # by the name of the family
        self.witnesses: list[Witness] = []
        self.no_answers: list[NoAnswer] = []
        self.more_no_answers = 0
        self.notes: list[str] = []
        self.not_judged: list[str] = []
        self.not_sent: dict[tuple[str, str], str] = {}  # by the name of the family and the mode
        self.ended_early = ""

    @property
    def asked(self) -> int:
        """How many cases were asked, in whatever mode."""
        return sum(row.asked for row in self.families.values())

    @property
    def failures(self) -> int:
        """How many cases were answered wrongly or not at all, at least."""
        counted = sum(row.failed + row.troubled for row in self.families.values())
        return counted or sum(bool(seen.failure) for seen in self.in_process.values())  # which are counted at the end

    def add(self, family: Family, mode: str, answers: int, judgements: Iterable[Judgement] = ()) -> None:
        """Count *answers* of *family*, all of them right but for those that *judgements* are about."""
        seen = Counter[type]()
        for judgement in judgements:
            seen[type(judgement)] += 1
            self.keep(judgement)
        self.count(
            family,
            mode,
            passed=answers - seen.total(),
            failed=seen[WrongVerdict] + seen[WrongAnswer],
            troubled=seen[NoAnswer],
            unsupported=seen[Unsupported],
        )

    def add_in_process(self, seen: SeenInProcess) -> None:
        """Count what calls in process showed, and keep what was not right."""
        if seen.failures or seen.failure:
            self.in_process[seen.family.name] = seen
        self.count(seen.family, "v", passed=seen.count - seen.failures, failed=seen.failures)

    def count(self, family: Family, mode: str, **more: int) -> None:
        """Add numbers to the family's row; each is named for an attribute of ``FamilyResult``."""
        old = self.families.get((family.name, mode)) or FamilyResult(family.name, mode, family.count, 0, 0, 0)
        new = {name: getattr(old, name) + number for name, number in more.items()}
        self.families[family.name, mode] = replace(old, asked=old.asked + sum(more.values()), **new)

    def keep(self, judgement: Judgement) -> None:
        """Keep what a report needs of *judgement*."""
        match judgement:
            case WrongVerdict():
                self.wrong_verdicts.add(judgement)
            case WrongAnswer():
                key = judgement.kind, judgement.fault
                self.wrong_answers.setdefault(key, WrongAnswers(judgement)).add(judgement)
            case NoAnswer() if len(self.no_answers) < MAX_NO_ANSWERS:
                self.no_answers.append(judgement)
            case NoAnswer():
                self.more_no_answers += 1

    def keep_unattributed(self, failures: Sequence[Failure]) -> None:
        """Keep *failures* for which no single case is to blame: the first of each kind, with how many there were."""
        for kind in dict.fromkeys(failure.kind for failure in failures):
            several = [failure for failure in failures if failure.kind == kind]
            times = f"; {len(several)} times in this run" if len(several) > 1 else ""
            numbers = sorted({failure.question for failure in several if failure.question})
            if numbers:
                shown = f" {numbers[0]:,}" if len(numbers) == 1 else f"s {numbers[0]:,} to {numbers[-1]:,}"
                times += f", at question{shown} of its process"
            self.keep(NoAnswer(replace(several[0], detail=several[0].detail + times), "", b""))


@dataclass(slots=True)
class Bucket:
    """Wrong verdicts that look alike: how many, and the shortest words that showed them, each with its case's id."""

    count: int = 0
    words: list[tuple[bytes, str]] = field(default_factory=list)

    def add(self, verdict: WrongVerdict) -> None:
        """Count *verdict*; keep its word if it is among the first or the shortest."""
        self.count += 1
        if len(self.words) < WORDS_PER_BUCKET:
            self.words.append((verdict.data, verdict.case()))
        elif len(verdict.data) < len(self.words[-1][0]):
            self.words[-1] = (verdict.data, verdict.case())


class WrongVerdicts:
    """Wrong verdicts in buckets, by direction, by what may be to blame, and by its place."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[bool, bytes, int], Bucket] = {}

    def __len__(self) -> int:
        """How many inputs are kept."""
        return sum(len(bucket.words) for bucket in self._buckets.values())

    def add(self, verdict: WrongVerdict) -> None:
        """Put *verdict* into its bucket; into a common one when there are too many buckets."""
        key = self._key(verdict)
        if key not in self._buckets and len(self._buckets) >= MAX_BUCKETS:
            key = (verdict.accepted, b"", 0)
        self._buckets.setdefault(key, Bucket()).add(verdict)

    def _key(self, verdict: WrongVerdict) -> tuple[bool, bytes, int]:
        data = verdict.data
        if not verdict.accepted:
            leads = sorted(set(data) - TAIL)
            return False, bytes(leads[-3:]), len(leads) + 256 * _size_class(data)
        start, end = next(ill_formed_pieces(data), (0, len(data)))
        where = 2 * (start > 0) + (end < len(data))
        return True, data[start : min(end, start + 2)], end - start + 256 * (where + 4 * _size_class(data))

    def shortest(self) -> list[tuple[bool, bytes, str]]:
        """Return the shortest word of each bucket, whether it was accepted, and the id of a case with it."""
        return [
            (key[0], *min(bucket.words, key=lambda word: (len(word[0]), word)))
            for key, bucket in sorted(self._buckets.items())
        ]

    def buckets(self, *, accepted: bool) -> list[Bucket]:
        """Return the buckets of what was wrongly accepted or, if not *accepted*, wrongly rejected; in a fixed order."""
        return [self._buckets[key] for key in sorted(self._buckets) if key[0] is accepted]


def _size_class(data: bytes) -> int:
    """Return 0 for short data; else a number that data of about the same size have, or all of 64 KiB and more."""
    return max(0, min(len(data).bit_length(), 17) - 5)
