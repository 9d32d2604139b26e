"""Wrong decoders by generator: sets of words x places where they are judged wrongly, alone and together.

``Decoder`` is a wrong decoder, ``reading`` reads the classes of a report back as such a decoder. If a report is true
and complete, the two judge every input in the same way.
"""

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
ONE = re.compile(CHARACTER)
MAX_RUN = 4096  # characters that one match covers
RUN = re.compile(b"%s{0,%d}+" % (CHARACTER, MAX_RUN))


def characters(data):
    return sum(not 0x80 <= byte <= 0xBF for byte in data)


UNITS = {  # what sentences count, the longer names first
    "code units of UTF-16": lambda data: characters(data) + sum(byte >= 0xF0 for byte in data),
    "characters": characters,
}


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


# ---- from a report back to a decoder ----


def patterns_of(line):
    """Return the sets of bytes of each alternative of an ABNF *line*."""
    line = line.removeprefix("<in some contexts> ")
    tokens = re.findall(r"\d+\( |%x[0-9A-F]{2}(?:-[0-9A-F]{2})?|UTF8-tail|[()/]", line)
    alternatives, current, depth, group, times = [], [], 0, None, 1
    for token in tokens:
        if token.endswith("( ") or token == "(":
            depth += 1
            if token == "(":
                group = set()
            else:
                times = int(token[:-2])
        elif token == ")":
            depth -= 1
            if group is not None:
                current += [frozenset(group)] * times
                group = None
                times = times if depth else 1
            else:
                times = 1
        elif token == "/" and group is None:
            alternatives.append(tuple(current))
            current = []
        elif token != "/":
            (found,) = sets_of([TAIL if token == "UTF8-tail" else token[2:]])
            if group is None:
                current += [found] * times
            else:
                group |= found
    return [*alternatives, tuple(current)]


def one_of(text):
    """Return a function that tells whether a character (bytes) is one of those in *text*."""
    chosen, others = set(), "a character above %x7F" in text
    for each in re.findall(r"%x([0-9A-F.-]+)", text.replace("a character above %x7F", "")):
        if "." in each:
            chosen.add(bytes.fromhex(each.replace(".", "")))
        else:
            low, _, high = each.partition("-")
            chosen |= {bytes([byte]) for byte in range(int(low, 16), int(high or low, 16) + 1)}
    lengths = {int(each) for each in re.findall(r"a character of (\d) bytes", text)}
    return lambda character: character in chosen or len(character) in lengths or (others and character >= b"\x80")


def split(data):
    return re.findall(CHARACTER + rb"|[\x80-\xff]", data)


def condition(phrase):
    number = int("".join(re.findall(r"\d", phrase)) or 0) if "%" not in phrase else 0
    unit = next((count for name, count in UNITS.items() if name in phrase), len)
    simple = {
        "at the end of the input": lambda b, w, a: not a,
        "at the start of the input": lambda b, w, a: not b,
        "as the whole input": lambda b, w, a: not a and not b,
        "where more input follows": lambda b, w, a: bool(a),
        "where input comes before": lambda b, w, a: bool(b),
    }
    if phrase in simple:
        return simple[phrase]
    if found := re.fullmatch(r"(not )?(directly )?(after|before) (%x.*|a char.*)", phrase):
        negated, directly, side, text = found.groups()
        known = one_of(text)

        def holds(b, w, a):
            beside = split(b if side == "after" else a)
            if directly:
                beside = beside[-1:] if side == "after" else beside[:1]
            return any(map(known, beside)) is not bool(negated)

        return holds
    if found := re.fullmatch(r"(not )?(directly |)(after|before) (\d+) or more (.*)", phrase):
        negated, directly, side, times, text = found.groups()
        known = one_of(re.sub("^characters", "a character", text))
        size = int(times)

        def often(b, w, a):
            parts = split(b if side == "after" else a)
            parts = (parts[-size:] if side == "after" else parts[:size]) if directly else parts
            return (sum(map(known, parts)) >= size) is not bool(negated)

        return often
    if found := re.fullmatch(r"(not )?in input that (begins|ends) with (\d+) or more (.*)", phrase):
        negated, end, times, text = found.groups()
        known = one_of(re.sub("^characters", "a character", text))
        size = int(times)

        def outermost(b, w, a):
            parts = split(b + w + a if well_formed(w) else b if end == "begins" else a)
            return (sum(map(known, parts[:size] if end == "begins" else parts[-size:])) >= size) is not bool(negated)

        return outermost
    if found := re.fullmatch(r"(not )?in input that (begins|ends) with (.*)", phrase):
        known = one_of(found.group(3))
        begins = found.group(2) == "begins"
        return lambda b, w, a: any(map(known, split(b)[:1] if begins else split(a)[-1:])) is not bool(found.group(1))
    sides = "in input of|at offset|at the offsets|behind|where"
    numbers = r"([\d,]+)(?: to ([\d,]+))?( bytes?| characters?)?( follows?)?"
    if found := re.fullmatch(rf"({sides}) {numbers}", phrase):
        side, first, last, unit_name, _ = found.groups()
        low, high = (int((each or first).replace(",", "")) for each in (first, last))
        count = characters if "character" in (unit_name or "") else len
        chosen = {"in input of": lambda b, w, a: b + w + a, "where": lambda b, w, a: a}.get(side, lambda b, w, a: b)
        return lambda b, w, a: low <= count(chosen(b, w, a)) <= high
    for pattern, measured in (
        (r"in input of .*", lambda b, w, a: unit(b + w + a)),
        (r"from offset .* on|before offset .*|behind .*", lambda b, w, a: unit(b)),
        (r"where .* follow", lambda b, w, a: unit(a)),
    ):
        if re.fullmatch(pattern, phrase):
            below = "fewer than" in phrase or phrase.startswith("before offset")
            return lambda b, w, a: (measured(b, w, a) < number) is below
    raise AssertionError(f"an unknown sentence: {phrase}")


def places_of(where):
    notes = ("words asked", "but for its well-formed words")
    where, *_ = [each for each in where.split("; ") if not each.endswith(notes)] or [""]
    if not where:
        return lambda b, w, a: True
    choices = [
        [condition(each) for each in choice.split(" and ")] for choice in where.removeprefix("only ").split(", or ")
    ]
    return lambda b, w, a: any(all(each(b, w, a) for each in choice) for choice in choices)


def reading(classes):
    """Return the decoder that *classes* (kind is extra, line, where) describe; None where they leave something open."""
    causes = []
    for accepted, line, where in classes:
        if "<in some contexts>" in line or "<not explained>" in line:
            return None
        if "UTF8-char" in line or "UTF8-octets" in line:
            causes.append(Cause(accepted, (), places_of(where)))
        elif line == "<ill-formed input>":
            causes += [Cause(accepted, sets, places_of(where)) for sets in patterns_of("%x80-FF")]
        else:
            causes += [Cause(accepted, sets, places_of(where)) for sets in patterns_of(line)]
    return Decoder(causes)
