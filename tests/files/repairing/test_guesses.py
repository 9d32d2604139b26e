"""The encodings of words among UTF-8, as ``tools/measure/guesses.py`` makes such files: claims are right."""

import random
import sys
from collections import Counter
from itertools import pairwise

import pytest

from utf8_abnf.explain import encodings
from utf8_abnf.files.repairing import NoGuessError, Repairer, repair

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def tool(root):
    sys.path.insert(0, str(root / "tools" / "measure"))
    try:
        import guesses
    finally:
        sys.path.pop(0)
    return guesses


def test_what_is_claimed_with_confidence_is_right(tool):
    found = Counter(said[0] for number in range(400) if (said := tool.verdict(tool.made(number))))
    assert not found["wrong"]
    assert found["right"] > found["unsure"]


def test_auto_keeps_every_character_of_utf_8_beside_words_in_another_encoding(tool):
    repaired = 0
    for number in range(250):
        case = tool.made(number)
        try:
            done = repair(case.data, "auto")
        except NoGuessError:
            continue
        repaired += bool(case.kept and done.log)
        made = iter(done.data.decode())
        assert all(character in made for character in case.kept), number
        assert done.undo() == case.data
    assert repaired > 80


def glued(tool, number):
    """Return words in UTF-8 and in another encoding, with or without a sign between them, and those in UTF-8.

    Some are a letter alone, which is not returned: where it touches characters of East Asia, it can be one of them.
    """
    chance = random.Random(number)
    language, other = chance.choice([*tool.LANGUAGES]), chance.choice([*tool.LANGUAGES])
    codec = chance.choice(tool.LANGUAGES[language][0].split())
    between, share = chance.choice(("", "", " ", ",", "\n", "a")), chance.choice((0.1, 0.5))
    kept, parts = "", []
    for _ in range(chance.choice((2, 5, 20, 60))):
        if chance.random() < share:
            word = tool.words_of(chance, other, 1)
            is_whole = chance.random() < 0.6
            kept += word if is_whole else ""
            parts.append((word if is_whole else chance.choice(word)).encode())
        else:
            parts.append(tool.words_of(chance, language, chance.randint(1, 4)).encode(codec))
        parts.append((between if chance.random() < 0.7 else chance.choice(("", " ", "\n"))).encode())
    return b"".join(parts), wide(kept)


def wide(text):
    return "".join(character for character in text if not character.isascii())


def test_auto_alters_no_character_of_utf_8_that_touches_another_encoding(tool):
    """Beside UTF-8 only what is ill-formed is converted, and ASCII that is a second byte; or all is in one encoding."""
    converted = 0
    for number in range(400):
        data, meant = glued(tool, number)
        repairer, parts = Repairer("auto"), []
        cut = random.Random(number).randrange(len(data))
        try:
            parts += [repairer.feed(data[:cut]), repairer.feed(data[cut:]), repairer.finish()]
        except NoGuessError:
            with pytest.raises(NoGuessError):
                repair(data, "auto")
            continue
        repaired = repair(data, "auto")
        assert b"".join(part.data for part in parts) == repaired.data
        assert [change for part in parts for change in part.log] == list(repaired.log)
        assert repaired.undo() == data
        made = iter(repaired.data.decode())
        assert all(character in made for character in meant), number
        changed = [(change.offset, change.offset + len(change.old)) for change in repaired.log]
        assert all(data[start] > 0x7F for start, _ in changed)
        if "characters that are UTF-8 by chance" not in repairer.guess:
            converted += bool(meant and changed)
            unchanged = b"".join(data[a:b] for (_, a), (b, _) in pairwise([(0, 0), *changed, (len(data), 0)]))
            assert wide(unchanged.decode()) == wide(data.decode(errors="ignore")), number
    assert converted > 60


# Words that the models were not made with, and too few of them to be sure, or in an encoding that has no row.
@pytest.mark.parametrize("text", ["Größe", "Ðóða", "Įžą", "Łódź", "çà"])
@pytest.mark.parametrize("codec", ["cp1252", "cp1257", "cp1250", "cp437", "mac_roman", "cp775", "cp1258", "cp1026"])
def test_a_word_alone_is_never_claimed_with_high_confidence(text, codec):
    data = "naïve ".encode() + text.encode(codec, "ignore") + b" and"
    found = encodings.guess(data)
    assert found is None or found.confidence < encodings.HIGH


TOGETHER = "日本語のテキスト".encode(), "表示ソフトを設定してください".encode("cp932")


@pytest.mark.parametrize("between", [b"", b" ", b",", b"\n"])
def test_shift_jis_in_one_line_with_utf_8_is_never_windows_1252_and_damages_nothing(between):
    data = between.join(TOGETHER) + b"\n"
    found = encodings.guess(data)
    assert found is None or "cp1252" not in found.codecs
    with pytest.raises(NoGuessError, match=r"CP932|nothing shows"):
        repair(data, "auto")


SISTER = "une sœur, là, à côté"
PRICES = "Größe: 5 €, für die Gäste über 10 €, Straße"


@pytest.mark.parametrize(
    ("text", "codec", "confidence", "said"),
    [
        (PRICES, "iso8859-15", encodings.FAIR, "ISO-8859-15 (€), Windows-1252 (¤)"),
        (PRICES, "cp1252", encodings.FAIR, "Windows-1252"),
        (
            "το βιβλίο σήμερα κοστίζει 5 € εδώ",
            "iso8859-7",
            encodings.FAIR,
            "ISO-8859-7 (€), Windows-1253 (¤)",
        ),
        (SISTER, "iso8859-15", encodings.LOW, "ISO-8859-15 (sœur), Windows-1252 (s½ur)"),
        ("größer: ½ Liter", "cp1252", encodings.LOW, "Windows-1252 (½), ISO-8859-15 (œ)"),
    ],
)
def test_encodings_that_differ_in_a_sign_are_named_with_what_they_make_of_it(text, codec, confidence, said):
    data = text.encode(codec)
    found = encodings.guess(data)
    assert (str(found), found.confidence) == (said, confidence)
    with pytest.raises(NoGuessError):
        repair(data, "auto")
