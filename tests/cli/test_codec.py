"""The commands encode and decode: what they print, and the exit status; test_drawing.py has their pictures."""

import pytest

PRINTED = {
    "encode U+20AC": "E2 82 AC\n",
    "encode u+41 b": "41 62\n",
    "encode €": "E2 82 AC\n",
    "decode E2 82 AC 41": "U+20AC\nU+0041\n",
    r"decode \xE2\x82\xAC": "U+20AC\n",
    "decode --to text E282AC": "€\n",
}


@pytest.mark.parametrize("command", PRINTED)
def test_the_command_prints(command, call):
    assert call(*command.split()) == (0, PRINTED[command], "")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("encode a U+D800", "U+D800 is a surrogate"),
        ("encode U+110000", "110000 is not a character number"),
        ("decode 41 C0 80", "UTF8-OVERLONG: byte C0 at offset 1"),
    ],
)
def test_what_cannot_be_converted_is_status_1_with_its_place(command, said, call):
    status, out, err = call(*command.split())
    assert (status, out) == (1, "")
    assert said in err


@pytest.mark.parametrize("command", ["encode", "encode --to svg ab", "decode", "decode E", "decode --to svg 61 62"])
def test_what_cannot_be_carried_out_is_status_2_with_a_sentence(command, call):
    status, out, err = call(*command.split())
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_steps_show_the_bits_on_their_way(call):
    assert "   1110xxxx 10000010 10101100   byte 2 takes 000010\n" in call("encode", "--steps", "U+20AC")[1]
    status, out, _ = call("decode", "--steps", "41 E2 82 AC C0 80")
    assert status == 1
    assert "   xxxxxxxxx000010101100   byte 2 gives 000010\n" in out
    assert "refused: UTF8-OVERLONG: byte C0 at offset 4;" in out
