"""What the matrix asks of each decoder, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from utf8_abnf.conformance.harness.driving.worker import Limits

GRID = "grid"  # the level of a run that asks the fixed inputs of the grid alone


@dataclass(frozen=True, slots=True)
class ExaminationOptions:
    """The suite's *level*, whether it *learns*, and at most *seconds* for each of the two."""

    level: str = "L1"
    learns: bool = True
    seconds: float = 600.0
    silence: float = 5.0  # seconds without an answer after which a decoder hangs,
    hello: float = 30.0  # and until its hello

    @property
    def limits(self) -> Limits:
        """The limits of one decoder: one process at a time, because the matrix runs several decoders."""
        return Limits(self.silence, self.hello, jobs=1)
