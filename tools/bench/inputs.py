"""Makes the texts that are measured: well-formed UTF-8 of a kind and a size, the same bytes on every machine."""

from __future__ import annotations

import random
from functools import cache

# Words are shuffled, so that no branch predictor learns the text by heart.
WORDS = {
    "english": "the of and to in is that for it as was with be by on not he his but at are this have from or had an",
    "latin": "où été déjà français garçon là très même forêt naïve für über Straße schön Größe Mädchen heißt möchte",
    "two-byte": "что это как его была только если уже для когда вот быть ещё من في على أن إلى هذا التي كان عن مع كل",
    "cjk": "人類社会 すべての 構成員 固有の 尊厳と 平等で 譲ることの できない 権利 人人生而自由 在尊嚴和權利上 "
    "모든 인간은 태어날 때부터 자유로우며",
    "emoji": "😀😃 🚀🌍 👩‍🚀 🎉🎊 🐍 🦀🦉 🍕🍣 ⚽ 🏳️‍🌈 💡🔧 📚✏️ 🧪🔬 🥇🥈🥉",
    "html": '<p class="note"> </p> <a href="/wiki/Ελλάδα"> Ελλάδα </a> <li>東京</li> <b>Zürich</b> &amp; <td> a </td> '
    '<!-- été --> <div id="main"> naïve <span lang="ru"> слово </span> <h2> Überschrift </h2> 😀 <br/> and plain words',
}
RARE = ("don’t", "it’s", "“so”", "café", "–", "naïve", "résumé", "…", "£5", "Zürich", "§")  # one word in fifty of prose
KINDS = (*WORDS, "random")
NON_ASCII = KINDS[1:]
MEASURED = (*KINDS, "prose")  # prose is in no goal, but stands beside them
_POOL = 1 << 20


def text(kind: str, size: int) -> bytes:
    """Return *size* bytes of well-formed UTF-8 of the named *kind*; ASCII stands where a character does not fit."""
    pool = text_of(kind)
    whole = pool * (size // len(pool) + 1)
    end = size
    while end and 0x80 <= whole[end] <= 0xBF:  # UTF8-tail: never cut within a character
        end -= 1
    return whole[:end] + b"." * (size - end)


@cache
def text_of(kind: str) -> bytes:
    """Return a mebibyte of the named *kind*, or a few bytes more."""
    chance = random.Random(kind)  # noqa: S311 - reproducible, not secret
    if kind == "random":  # scalar values, drawn evenly
        scalars = (chance.randrange(0x110000 - 0x800) for _ in range(_POOL // 4))
        return "".join(chr(each if each < 0xD800 else each + 0x800) for each in scalars).encode()
    words = WORDS["english" if kind == "prose" else kind].split()
    out: list[str] = []
    size = 0
    while size < _POOL:
        out.append(chance.choice(RARE if kind == "prose" and chance.random() < 0.02 else words))
        size += len(out[-1].encode()) + 1
    return " ".join(out).encode()
