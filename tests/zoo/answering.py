"""Decoders that give offsets and texts, right ones and wrong ones: each wrong one is wrong in one way.

A decoder is a function of a case: ``answer(data) -> (offset, length) | None`` in mode p, ``-> str | bytes`` in mode r.
"""

from __future__ import annotations

import re

from utf8_abnf.conformance.harness.replacing import end_of_run, policies
from utf8_abnf.conformance.suite.plan import plan

ORACLE = plan().oracle
BOM = b"\xef\xbb\xbf"


def fffd(data):
    return policies()[0].text(data).decode()


def error(data):
    return ORACLE.first_error(data)


def offending(data):
    found = ORACLE.ill_formed(data)
    return found and (found.offending, 0)


def by_policy(number, mark=b"\xef\xbf\xbd", strips_bom=False):
    policy = policies(mark, strips_bom=strips_bom)[number]
    return lambda data: policy.text(data)


def where(test, otherwise, usual=fffd):
    """Return the decoder that answers as *otherwise* where *test* holds for the data."""
    return lambda data: otherwise(data) if test(data) else usual(data)


def ill(test):
    return lambda data: not ORACLE.accepts(data) and test(data)


def shifted(by, length=0):
    def decoder(data):
        found = error(data)
        return found and (max(0, found[0] + by), found[1] + length)

    return decoder


MARK = "\ufffd"
RIGHT_TEXTS = {
    "U+FFFD for each maximal subpart": fffd,
    "strict": lambda data: fffd(data) if ORACLE.accepts(data) else None,
    "a BOM is removed": lambda data: fffd(data.removeprefix(BOM)),
    "strict, a BOM is removed": lambda data: fffd(data.removeprefix(BOM)) if ORACLE.accepts(data) else None,
    "U+FFFD for each byte": by_policy(1),
    "U+FFFD for a run": by_policy(2),
    "U+FFFD for what the first byte promises": by_policy(3),
    "U+FFFD for a surrogate": by_policy(6),
    "'?' for each byte": by_policy(1, b"?"),
    "'?' for each maximal subpart": by_policy(0, b"?"),
    "SUB for each maximal subpart, a BOM is removed": by_policy(0, b"\x1a", strips_bom=True),
    "U+FFFD for a byte and all tail bytes behind it": by_policy(7),
    "Latin-1": by_policy(8),
    "backslashes": by_policy(10),
    "surrogateescape": lambda data: data.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass"),
    "mark tells the length of the input": lambda data: by_policy(0, b"[%d]" % len(data))(data),
}
NOT_JUDGED = {"mark tells the length of the input"}

WRONG_TEXTS = {
    "garbage": where(ill(bool), lambda data: "garbage"),
    "nothing": where(ill(bool), lambda data: ""),
    "one mark": where(ill(bool), lambda data: MARK),
    "mark and garbage": where(ill(bool), lambda data: fffd(data) + "!"),
    "next letter swallowed": lambda data: (
        re.sub(MARK + "[ -~]", MARK, fffd(data)) if not ORACLE.accepts(data) else fffd(data)
    ),
    "cut end left out": where(lambda data: (e := ORACLE.ill_formed(data)) and e.truncated, lambda d: fffd(d)[:-1]),
    "first error left out": where(ill(lambda d: error(d)[0] > 0), lambda d: fffd(d).replace(MARK, "", 1)),
    "text before the error left out": where(ill(lambda d: error(d)[0] > 0), lambda d: fffd(d)[1:]),
    "ends at the error": where(ill(bool), lambda d: fffd(d[: error(d)[0]]) + MARK),
    "ends before the error": where(ill(bool), lambda d: fffd(d[: error(d)[0]])),
    "two marks": where(ill(lambda d: len(d) > 3), lambda d: fffd(d).replace(MARK, MARK * 2)),
    "per byte where it is long": where(ill(lambda d: len(d) > 4), lambda d: by_policy(1)(d)),
    "surrogates let through": lambda data: re.sub(
        rb"\xed[\xa0-\xbf][\x80-\xbf]|[^\xed]+|\xed",
        lambda m: m[0] if len(m[0]) == 3 and m[0][0] == 0xED and m[0][1] >= 0xA0 else fffd(m[0]).encode(),
        data,
    ),
    "overlong '/' decoded": lambda data: fffd(data.replace(b"\xc0\xaf", b"/")),
    "NUL left out": lambda data: fffd(data.replace(b"\0", b"")),
    "every BOM left out": lambda data: fffd(data.replace(BOM, b"")),
    "CR LF becomes LF": lambda data: fffd(data.replace(b"\r\n", b"\n")),
    "four bytes marked": lambda data: re.sub("[\U00010000-\U0010ffff]", MARK, fffd(data)),
    "noncharacters marked": lambda data: re.sub("[\ufffe\uffff\ufdd0-\ufdef]", MARK, fffd(data)),
    "U+FFFD left out": lambda data: fffd(data).replace(MARK, ""),
    "reversed marks": where(ill(bool), lambda d: fffd(d)[::-1]),
    "policies by turns": where(ill(lambda d: len(d) % 2 == 0), by_policy(1)),
    "run where there are many": where(ill(lambda d: fffd(d).count(MARK) > 2), by_policy(2)),
    "Latin-1 after a letter": where(ill(lambda d: d[:1].isalpha()), by_policy(8)),
    "not refused after a letter": where(ill(lambda d: d[:1] == b"a"), fffd, RIGHT_TEXTS["strict"]),
    "well-formed refused after a letter": where(lambda d: d[:1] == b"a", lambda d: None),
    "one byte too many replaced": where(ill(lambda d: len(d) > 2), lambda d: re.sub(MARK + ".", MARK, fffd(d))),
}

RIGHT_OFFSETS = {
    "start and length": error,
    "start": lambda data: error(data) and (error(data)[0], 0),
    "start and one byte": lambda data: error(data) and (error(data)[0], 1),
    "offending": offending,
    "offending and one byte": lambda data: offending(data) and (offending(data)[0], 1),
    "start and all ill-formed bytes": lambda data: (
        error(data) and (error(data)[0], end_of_run(data, error(data)[0]) - error(data)[0])
    ),
}
WRONG_OFFSETS = {
    "start and one more": shifted(0, 1),
    "one too near": shifted(-1),
    "zero": lambda data: error(data) and (0, 1),
    "beyond the end": lambda data: error(data) and (len(data) + 5, 1),
    "end of the input": lambda data: error(data) and (len(data), 0),
    "characters": lambda data: error(data) and (len(data[: error(data)[0]].decode()), error(data)[1]),
    "after a BOM": lambda data: error(data) and (max(0, error(data)[0] - 3 * data.startswith(BOM)), error(data)[1]),
    "lengths by turns": lambda data: error(data) and (error(data)[0], error(data)[1] if len(data) % 3 else 1),
    "offending where it is long": lambda data: offending(data) if len(data) > 3 else RIGHT_OFFSETS["start"](data),
    "negative": lambda data: error(data) and (0xFFFF_FFF0, 0),
    "last error": lambda data: list(ORACLE.errors(data))[-1] if error(data) else None,
    "no error in short text": lambda data: error(data) if len(data) > 1 else None,
    "error in long text": lambda data: error(data) or ((0, 1) if len(data) > 30 else None),
}
