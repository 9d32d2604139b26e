"""The quick answers of ``explain.twice``: its pattern and its tables are those of all bytes that were encoded twice."""

import re

import pytest

from utf8_abnf.explain import twice
from utf8_abnf.files.profiles.look import sieve

CODECS = ("cp1252", "latin-1")
TAILS = {bytes([byte]).decode(codec, "ignore").encode()[:1] for byte in range(0x80, 0xC0) for codec in CODECS} - {b""}
LEADS = {chr(byte).encode() for byte in range(0xC2, 0xF5)}  # of several bytes; they are the same in both codecs


def test_the_pattern_is_a_lead_and_the_first_byte_of_a_tail_encoded_once_more():
    pairs = (bytes([one, two, three]) for one in range(0xC0, 0xC8) for two in range(256) for three in range(256))
    assert {found for found in pairs if re.fullmatch(twice.SUSPECT, found)} == {
        lead + tail for lead in LEADS for tail in TAILS
    }


def test_the_tables_are_those_of_the_pattern():
    least, most = min(LEADS), max(LEADS)
    forms = [((least[0], most[0]), (least[1], most[1]), (tail[0], tail[0])) for tail in sorted(TAILS)]
    assert sieve(forms) == twice.SIEVE


@pytest.mark.parametrize("loops", [twice.loops, None])
def test_with_c_and_without_the_same_is_found(loops, monkeypatch):
    monkeypatch.setattr(twice, "loops", loops)
    assert twice.encoded_twice("Größe: ".encode() + "Größe".encode().decode("latin-1").encode()) is not None
    assert twice.encoded_twice("Größe, é, été\u00a0: « œuvre »".encode()) is None
