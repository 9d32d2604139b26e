"""The laws of ``repair`` on random texts: ``python tools/proof/repair_laws.py --texts 1000000`` (one or two minutes).

The output is well-formed; well-formed input is unchanged; no byte of a well-formed character is altered; ``undo`` gives
the input back; repaired in any cut equals repaired whole. Each text is repaired by one policy, the next text by the
next. Prints the first text that breaks a law. Hypothesis does the same on fewer texts: ``tests/files/repairing``.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import pairwise

from utf8_abnf import is_valid, kernel
from utf8_abnf.codec import POLICIES
from utf8_abnf.files.repairing import Repairer, repair

POLICIES_TRIED = (
    *(f"fffd:{name}" for name in POLICIES), "drop", "escape", "escape:angle", "windows-1252", "iso-8859-1", "cp437",
    "koi8-r", "shift_jis", "gb18030", "cesu8", "overlong-shortest", "cesu8+overlong-shortest+windows-1252+escape",
)  # fmt: skip
PIECES = (
    b"a", b"\n", b"plain words ", "é".encode(), "日本".encode(), "😀".encode(), b"\xe9", b"\x93ok\x94", b"\x81",
    b"\xed\xa0\x80", b"\xed\xa1\x8c\xed\xbe\xb4", b"\xc0\x80", b"\xe0\x80\xaf", b"\xf0\x80\x80\x80", b"\0",
    b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\x82\xb1", b"\x84\x31\x95\x33", b"\xf8\x88\x80", b"\xfe\xff",
    b"\xff\xfeh\0i\0\n\0",
)  # fmt: skip


def text(chance: random.Random) -> bytes:
    """Return a random text of up to some hundred bytes: of pieces, of bytes, or of a long run of one piece."""
    kind = chance.random()
    if kind < 0.2:
        return chance.randbytes(chance.randrange(40))
    parts = chance.choices(PIECES, k=chance.randrange(12))
    if kind < 0.205:
        parts.insert(chance.randrange(len(parts) + 1), chance.choice(PIECES) * chance.randrange(600))
    return b"".join(parts)


def broken_law(data: bytes, policy: str, cuts: list[int]) -> str:
    """Return the law that *policy* breaks on *data*, "" if it keeps all."""
    repaired = repair(data, policy)
    log = list(repaired.log)
    if not is_valid(repaired.data):
        return "output well-formed"
    if is_valid(data) and (repaired.data != data or log):
        return "well-formed input unchanged"
    if repaired.undo() != data:
        return "undo(repair(x)) == x"
    at, kept = 0, []
    for change in log:
        kept.append(data[at : change.offset])
        at = change.offset + len(change.old)
    if b"".join([*kept, data[at:]]) != data.decode(errors="ignore").encode():
        return "no well-formed byte altered"
    repairer, places = Repairer(policy), [0, *cuts, len(data)]
    parts = [repairer.feed(data[start:end]) for start, end in pairwise(places)]
    parts.append(repairer.finish())
    if b"".join(part.data for part in parts) != repaired.data or [each for part in parts for each in part.log] != log:
        return f"repaired in any cut equals repaired whole (cut at {cuts})"
    return ""


def main() -> int:
    """Return 0 when all laws hold on all texts, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    chance = random.Random(args.seed)  # noqa: S311  # texts, not secrets
    policies, begun = POLICIES_TRIED, time.process_time()
    for number in range(args.texts):
        data, policy = text(chance), policies[number % len(policies)]
        cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(4)))
        if law := broken_law(data, policy, cuts):
            print(f"{policy} on {data!r} (text {number}, seed {args.seed}) breaks the law: {law}")
            return 1
    spent = time.process_time() - begun
    print(f"{args.texts:,} texts, {len(policies)} policies, kernel {kernel.name}: all laws hold ({spent:.0f} s of CPU)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
