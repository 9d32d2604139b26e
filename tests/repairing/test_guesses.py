"""The encodings of words among UTF-8, as ``tools/measure/guesses.py`` makes such files: claims are right."""

import sys
from collections import Counter

import pytest

from utf8_abnf.explain import encodings
from utf8_abnf.repairing import NoGuessError, repair

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
    try:
        assert repair(data, "auto").data.startswith(TOGETHER[0])
    except NoGuessError:
        assert not between  # without a sign between the words nothing shows where one ends


SISTER = "un bœuf, une sœur, là, à côté"
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
