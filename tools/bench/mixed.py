"""Makes texts that are mostly ASCII with something else now and then, and the slices of them that are measured.

A slice is a part of a text, at any alignment, that begins and ends between characters. Each call of a validator gets
another slice, so that no branch predictor learns one of them by heart.
"""

from __future__ import annotations

import random
from array import array
from functools import cache, partial
from statistics import geometric_mean
from typing import TYPE_CHECKING

from inputs import WORDS, text_of
from table import Goal, Key, show

from measure import least

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from peers import Peer

SMALL_POOL = 1 << 14  # bytes of text that slices of up to 1 KiB are cut from: they stay in the first cache
POOL = 1 << 20  # ... and long ones
MOST_SLICES = 1 << 14
CHARACTERS = {2: "éüßøñжшλπ", 3: "–…“”€東京語ไทय", 4: "😀🚀🌍🎉🐍🦀"}
EVERY = (50, 100, 200, 400, 1000)
RUNS = ((64, 192), (64, 448), (128, 128), (64, 64), (3, 1021))

LANGUAGES = {
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi",
    "th": "มนุษย์ ทั้งหลาย เกิดมา มีอิสระ และ เสมอภาค กัน ใน เกียรติศักดิ์ และ สิทธิ",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα",
}
LINES = {
    "source": (
        "    for (size_t i = 0; i < count; i++) total += table[i].length;\n",
        "static int compare(const void *one, const void *other)\n{\n",
        "        if (answer == NULL) return -1;\n",
        "    return found ? position : (size_t)-1;\n}\n\n",
        "/* The caller keeps the buffer until the last reader is done with it. */\n",
    ),
    "logs": (
        "2026-11-22T14:{n:02}:09.{n:03}Z INFO  worker-{n} request finished status=200 bytes={n}71 path=/items/{n}\n",
        "2026-11-22T14:{n:02}:11.{n:03}Z DEBUG cache: 3 hits, 1 miss, key=session:{n}f09c1 age={n}s\n",
        "2026-11-22T14:{n:02}:12.{n:03}Z WARN  retry {n} of 100 after timeout, upstream=10.0.0.{n}:8080\n",
    ),
    "CSV": ("{n}81,{word},{word} {word},2026-11-{n:02},{n}.50,EUR,yes\n",),
    "JSON": ('{{"id": {n}07, "name": "{word}{word}", "tags": ["{word}", "new"], "price": {n}.5, "sold": false}}\n',),
    "Markdown": (
        "## {word} {word}\n\n",
        "{word} {word} {word} [{word}](https://example.org/{n}/page.html) {word} {word} {word}.\n",
        "- `option_{n}`: {word} {word} {word}\n",
        "    $ program --verbose --level {n} input.txt > output.txt\n",
    ),
}
# A kind: the lines it is made of, the words put into them, and how often a line of code or log is followed by one
# with such words.
DOCUMENTS = {
    "source code": ("source", "für Größe Rückgabe zählt möglich", 0.01, "    // {word} {word}\n"),
    "logs": ("logs", "café José München Łódź 東京 😀", 0.03, "user={word} logged in\n"),
    "CSV": ("CSV", "José María Łukasz Zoë Smith Jones Müller Brown François Anna Peter Åsa", 0, ""),
    "JSON": ("JSON", WORDS["cjk"], 0, ""),
    **{f"Markdown {each}": ("Markdown", words, 0, "") for each, words in LANGUAGES.items()},
}
KINDS = (
    *(f"{count} in {every}" for count in CHARACTERS for every in EVERY),
    *(f"{other}/{ascii}" for other, ascii in RUNS),
    *DOCUMENTS,
    "prose",
)


def slices(kind: str, size: int) -> tuple[bytes, array[int]]:
    """Return a text, and the offsets in it at which slices of *size* bytes begin."""
    text = pool(kind)
    text = text * (2 * size // POOL + 1) if size > POOL // 2 else text[: max(SMALL_POOL, 16 * size)]
    chance = random.Random(f"{kind} {size}")  # noqa: S311 - reproducible, not secret
    count = max(4, min(MOST_SLICES, 64 * POOL // size))
    offsets = array("Q")
    while len(offsets) < count:
        at = chance.randrange(len(text) - size)
        if text[at] & 0xC0 != 0x80 and text[at + size] & 0xC0 != 0x80:  # UTF8-tail: within a character
            offsets.append(at)
    return text, offsets


@cache
def pool(kind: str) -> bytes:
    """Return POOL bytes or a few more of a kind of text."""
    chance = random.Random(kind)  # noqa: S311 - reproducible, not secret
    if kind in DOCUMENTS:
        return _document(chance, *DOCUMENTS[kind])
    if "/" in kind:
        other, ascii = map(int, kind.split("/"))
        return _runs(chance, other, ascii)
    if kind == "prose":
        return text_of(kind)
    count, every = map(int, kind.split(" in "))
    return _now_and_then(chance, CHARACTERS[count], every)


SIZES = (8, 16, 32, 64, 256, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 64 << 20)


def measure(
    kernels: dict[str, list[Peer]], stopwatch: ModuleType, sizes: Iterable[int], rounds: int
) -> dict[Key, float]:
    """Return the nanoseconds of a call, C function against C function, of each of our *kernels* and of its peers."""
    rows: dict[Key, float] = {}
    everybody = {peer.name: peer for group in kernels.values() for peer in group}
    for kind in KINDS:
        for size in sizes:
            data, offsets = slices(kind, size)
            probes = {
                name: partial(stopwatch.timed_slices, peer.address, peer.shape, data)
                for name, peer in everybody.items()
            }
            for name, spent in least(probes, offsets, size, rounds).items():
                rows[(name, "c", kind, size)] = spent
    return rows


def goals(kernels: dict[str, list[Peer]], rows: dict[Key, float]) -> tuple[list[Goal], list[str]]:
    """Return the goals of mixed texts, and a table of the ratios: the best peer's time to ours."""
    made, lines = [], []
    for kernel, (ours, *peers) in kernels.items():
        ratios = {
            (kind, size): min(rows[(peer.name, "c", kind, size)] for peer in peers) / spent
            for (name, _, kind, size), spent in rows.items()
            if name == ours.name
        }
        sizes = sorted({size for _, size in ratios})
        low = min(ratios, key=ratios.__getitem__)
        mean = geometric_mean(ratios.values())
        worst = f"{low[0]}, {show(low[1])}; {sum(each < 1 for each in ratios.values())} of {len(ratios)} below 1"
        made += [
            Goal(f"mixed texts, {kernel}, geometric mean, C against C", mean, 1.2),
            Goal(f"mixed texts, {kernel}, the worst cell, C against C", ratios[low], 1.0, remark=worst),
        ]
        lines += ["", f"mixed texts, {kernel}: time of the best of {', '.join(peer.name for peer in peers)} / ours"]
        lines += [f"{'':14}" + "".join(f"{show(size):>8}" for size in sizes)]
        for kind in KINDS:
            lines.append(f"{kind:14}" + "".join(f"{ratios[(kind, size)]:8.2f}" for size in sizes))
    return made, lines


def _now_and_then(chance: random.Random, characters: str, every: int) -> bytes:
    """Return English with one of *characters* at a random place of each *every* bytes."""
    out = bytearray()
    while len(out) < POOL:
        character = chance.choice(characters).encode()
        part = _english(chance, every - len(character))
        at = chance.randrange(len(part) + 1)
        out += part[:at] + character + part[at:]
    return bytes(out)


def _runs(chance: random.Random, other: int, ascii: int) -> bytes:
    """Return runs of Chinese of *other* bytes, each followed by *ascii* bytes of English."""
    out = bytearray()
    while len(out) < POOL:
        wide = chance.choices("人類社会東京語自由平等尊嚴權利", k=other // 3)
        if other % 3 == 1:
            wide[-1] = "😀"
        if other % 3 == 2:
            wide.append("λ")
        out += "".join(wide).encode() + _english(chance, ascii)
    return bytes(out)


def _document(chance: random.Random, lines: str, words: str, rate: float, special: str) -> bytes:
    out, size = [], 0
    while size < POOL:
        line = special if chance.random() < rate else chance.choice(LINES[lines])
        while "{word}" in line:
            line = line.replace("{word}", chance.choice(words.split()), 1)
        if "{n" in line:
            line = line.format(n=chance.randrange(100))
        out.append(line)
        size += len(line.encode())
    return "".join(out).encode()


def _english(chance: random.Random, size: int) -> bytes:
    at = chance.randrange(POOL - size)
    return text_of("english")[at : at + size]
