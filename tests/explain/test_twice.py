"""The quick answer of ``explain.twice``: its pattern is that of all bytes that were encoded twice."""

from utf8_abnf.explain import twice

CODECS = ("cp1252", "latin-1")
TAILS = {bytes([byte]).decode(codec, "ignore").encode()[:1] for byte in range(0x80, 0xC0) for codec in CODECS} - {b""}
LEADS = {chr(byte).encode() for byte in range(0xC2, 0xF5)}  # of several bytes; they are the same in both codecs


def test_the_pattern_is_a_lead_and_the_first_byte_of_a_tail_encoded_once_more():
    words = (bytes([one, two, three]) for one in range(0xC0, 0xC8) for two in range(256) for three in range(0x7F, 256))
    assert {word for word in words if twice.SUSPECT.fullmatch(word)} == {
        lead + tail for lead in LEADS for tail in TAILS
    }
