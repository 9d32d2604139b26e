"""Wrong decoders by generator: sets of words x places where they are judged wrongly, alone and together."""

import random
import re
from itertools import product
from typing import NamedTuple

from utf8_abnf.conformance.suite.plan import plan

TAIL = "80-BF"
EXTRA = {
    "C0 AF": ["C0", "AF"],
    "overlong 2": ["C0-C1", TAIL],
    "overlong 3": ["E0", "80-9F", TAIL],
    "surrogates": ["ED", "A0-BF", TAIL],
    "one row of surrogates": ["ED", "A5", TAIL],
    "F4 90": ["F4", "90-BF", TAIL, TAIL],
    "F5-F7": ["F5-F7", TAIL, TAIL, TAIL],
    "five bytes": ["F8-FB", TAIL, TAIL, TAIL, TAIL],
    "a pair of surrogates": ["ED", "A0-AF", TAIL, "ED", "B0-BF", TAIL],
    "lone tails": [TAIL],
    "FF": ["FF"],
    "a cut character": ["C2-F4"],
    "no tail": ["C2-DF", "00-7F"],
    "everything": ["80-FF"],
}
MISSING = {
    "NUL": ["00"],
    "controls": ["01-1F"],
    "capitals": ["41-5A"],
    "C3": ["C3", TAIL],
    "U+FFFE": ["EF", "BF", "BE-BF"],
    "four bytes": ["F1-F3", TAIL, TAIL, TAIL],
}
PLACES = {
    "anywhere": lambda b, w, a: True,
    "at the end": lambda b, w, a: not a,
    "at the start": lambda b, w, a: not b,
    "as the whole input": lambda b, w, a: not a and not b,
    "not at the end": lambda b, w, a: bool(a),
    "after NUL": lambda b, w, a: b"\0" in b,
    "not after NUL": lambda b, w, a: b"\0" not in b,
    "directly after /": lambda b, w, a: b.endswith(b"/"),
    "directly before <": lambda b, w, a: a.startswith(b"<"),
    "directly before a digit": lambda b, w, a: a[:1].isdigit(),
    "before LF": lambda b, w, a: b"\n" in a,
    "from offset 64": lambda b, w, a: len(b) >= 64,
    "before offset 16": lambda b, w, a: len(b) < 16,
    "behind 100 characters": lambda b, w, a: characters(b) >= 100,
    "in 300 bytes or more": lambda b, w, a: len(b + w + a) >= 300,
    "in fewer than 20 bytes": lambda b, w, a: len(b + w + a) < 20,
    "where 16 bytes follow": lambda b, w, a: len(a) >= 16,
    "after NUL at the end": lambda b, w, a: b"\0" in b and not a,
    "in input that begins with the mark": lambda b, w, a: b.startswith(b"\xef\xbb\xbf"),
    "in input that ends with LF": lambda b, w, a: a.endswith(b"\n"),
    "from offset 32 before LF": lambda b, w, a: len(b) >= 32 and b"\n" in a,
}
TRACKS = plan().tracks
CHARACTER = b"(?:%s)" % b"|".join(b"".join(b"[\\x%02x-\\x%02x]" % pair for pair in track) for track in TRACKS)
MAX_RUN = 4096  # characters that one match covers
RUN = re.compile(b"%s{0,%d}+" % (CHARACTER, MAX_RUN))


def characters(data):
    return sum(not 0x80 <= byte <= 0xBF for byte in data)


def end_of_run(data, at):
    """Return where the well-formed text that begins at *at* ends."""
    while (end := RUN.match(data, at).end()) - at >= MAX_RUN:
        at = end
    return end


def well_formed(data):
    return end_of_run(data, 0) == len(data)


class Cause(NamedTuple):
    """Words, as a set of bytes for each place, and where they are judged wrongly."""

    accepted: bool
    sets: tuple[frozenset, ...]
    holds: object

    @property
    def expression(self):
        return re.compile(b"".join(b"[%s]" % b"".join(b"\\x%02x" % byte for byte in each) for each in self.sets))

    def matches(self, data, at, end):
        """Tell whether ``data[at:end]`` is at a place where it is judged wrongly."""
        return self.holds(data[:at], data[at:end], data[end:])


class Decoder:
    """Accepts well-formed text and what the causes say; a call returns the verdict."""

    def __init__(self, causes):
        self.extra = [(each.expression, each) for each in causes if each.accepted]
        self.missing = [(each.expression, each) for each in causes if not each.accepted and each.sets]
        self.whole = [each for each in causes if not each.accepted and not each.sets]

    def __call__(self, data):
        if any(each.holds(b"", data, b"") for each in self.whole):
            return False
        todo, seen = [0], {0}
        while todo:
            at = todo.pop()
            end = end_of_run(data, at)
            if any(
                each.matches(data, found.start(), found.end())
                for expression, each in self.missing
                for found in expression.finditer(data, at, end)
            ):
                continue
            if end == len(data):
                return True
            for expression, each in self.extra:
                found = expression.match(data, end)
                if found and found.end() not in seen and each.matches(data, end, found.end()):
                    seen.add(found.end())
                    todo.append(found.end())
        return False


def sets_of(ranges):
    pairs = [[int(end, 16) for end in (each.split("-") * 2)[:2]] for each in ranges]
    return tuple(frozenset(range(low, high + 1)) for low, high in pairs)


def cause(name, place):
    ranges = EXTRA.get(name) or MISSING[name]
    return Cause(name in EXTRA, sets_of(ranges), PLACES[place])


def decoders(count, seed):
    """Yield names and decoders: each cause alone first, then causes in twos and threes."""
    chance = random.Random(seed)
    single = [[pair] for pair in product([*EXTRA, *MISSING], PLACES)]
    chance.shuffle(single)
    several = []
    while len(several) < count:
        chosen = [
            (chance.choice([*EXTRA, *EXTRA, *MISSING]), chance.choice(list(PLACES)))
            for _ in range(chance.choice((2, 3)))
        ]
        if len({name for name, _ in chosen}) == len(chosen) or chance.random() < 0.3:
            several.append(chosen)
    for pairs in [*single[: count // 3], *several[: count - count // 3]]:
        yield " + ".join(f"{name} {place}" for name, place in pairs), Decoder([cause(*pair) for pair in pairs])


# ---- inputs ----

CONTEXTS = [
    *("", "a", "b", "é", "€", "😀", "日", "\0", "/", "<", "7", "\n", "\ufeff", "\ufeffa"),
    *("\0a", "a\0", "/a", "a/", "<a", "a<", "\na", "a\n", "a7"),
    *("a" * count for count in (15, 16, 17, 31, 32, 63, 64, 99, 100, 330)),
    *("é" * 32, "é" * 99, "é" * 100, "€" * 110, "a" * 290 + "/", "<" + "é" * 40),
    *("\0" + "a" * 70, "a" * 70 + "\0", "\n" + "a" * 70, "a" * 70 + "\n"),
]


def inputs(chance, count, names):
    """Yield inputs with a word of one or two of the sets *names*, and inputs with a word that is nearly one."""
    contexts = [each.encode() for each in (*CONTEXTS, *[""] * 12)]
    for _ in range(count):
        parts = [chance.choice(contexts)]
        for _ in range(chance.choice((1, 1, 1, 2))):
            name = chance.choice(names) if chance.random() < 0.8 else chance.choice([*EXTRA, *MISSING])
            word = bytes(chance.choice(sorted(each)) for each in sets_of(EXTRA.get(name) or MISSING[name]))
            if chance.random() < 0.1:
                word = word[:-1] + bytes([chance.randrange(256)])
            parts += [word, chance.choice(contexts)]
        yield b"".join(parts)
