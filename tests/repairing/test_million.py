"""The laws of a repair on random texts, with ``UTF8_ABNF_EXHAUSTIVE=1`` on a million of them."""

import os
import random
from itertools import pairwise

from utf8_abnf.repairing import Repairer, repair
from utf8_abnf.validator.functions import is_valid

NUMBERS = range(0, 10**6, 1 if os.environ.get("UTF8_ABNF_EXHAUSTIVE") else 997)
POLICIES = ("fffd", "windows-1252", "drop", "escape", "cesu8+overlong-shortest", "koi8-r+escape:angle", "shift_jis")
PIECES = (
    b"a", b"text, ", b"\n", "é".encode(), "日本".encode(), "😀".encode(), "\ufffd".encode(), b"\xe9", b"\xff\xfe",
    b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\xbd", b"\xc0\x80",
    b"\xf4\x90\x80\x80", "表示".encode("cp932"), "привет".encode("koi8-r"),
)  # fmt: skip


def test_the_laws_hold_for_every_text():
    for number in NUMBERS:
        chance = random.Random(number)
        data = b"".join(chance.choices(PIECES, k=chance.randrange(9))) + chance.randbytes(chance.randrange(5))
        policy = POLICIES[number % len(POLICIES)]
        whole = repair(data, policy)
        changes = list(whole.log)
        assert is_valid(whole.data), number
        if is_valid(data):
            assert (whole.data, changes) == (data, []), number
        ends = [0, *(change.offset + len(change.old) for change in changes)]
        starts = [*(change.offset for change in changes), len(data)]
        kept = b"".join(data[end:start] for end, start in zip(ends, starts, strict=True))
        assert kept == data.decode("utf-8", "ignore").encode(), number  # each well-formed byte, and no other one
        assert whole.undo() == data, number
        cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(4)))
        stream = Repairer(policy)
        parts = [*(stream.feed(data[at:end]) for at, end in pairwise([0, *cuts, len(data)])), stream.finish()]
        assert b"".join(part.data for part in parts) == whole.data, number
        assert [change for part in parts for change in part.log] == changes, number
