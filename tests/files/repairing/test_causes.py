"""Broken files as people have them, one for each cause, and which of them come out as they were."""

import argparse

import pytest

from utf8_abnf.cli.files import repair_options
from utf8_abnf.files.repairing import repair

TEXT = "Größe: 12 µm; naïve café, 日本語 😀\n"


def among(text, encoding):
    """Return *text* among lines of UTF-8: in *encoding*, and right."""
    return TEXT.encode() + text.encode(encoding) + TEXT.encode(), (TEXT + text + TEXT).encode()


def cesu8(text):
    units = text.encode("utf-16-be")
    return b"".join(
        chr(int.from_bytes(units[at : at + 2])).encode(errors="surrogatepass") for at in range(0, len(units), 2)
    )


LOG = ("2026-11-22 naïve café\n" * 400).encode()
CUT = LOG[: LOG.index("é".encode(), 4000) + 1]
NAMES = [name.encode() for name in ("Hans Müller", "Ana López", "Zoë Smith", "Søren Ångström", "José Muñoz")]
JAPANESE = "今日は天気がいいので、公園へ散歩に行きます。ソフトの表示を確認してください。\n"
PIECES = [("x" + "日本語" * 4000).encode()[at : at + 4095] for at in range(0, 36_000, 4095)]
CAUSES = (
    ("lines pasted from Windows-1252", "--from windows-1252", *among("“Señor” – 5 €\n", "cp1252")),
    ("CESU-8 from a database driver", "--cesu8",
          TEXT.encode() + cesu8("😀 𝄞\n"), f"{TEXT}😀 𝄞\n".encode()),
    ("modified UTF-8 from Java", "--cesu8 --overlong shortest",
          b"a\xc0\x80" + cesu8("é😀\n"), "a\0é😀\n".encode()),
    ("UTF-16 appended by PowerShell", "--from utf-16",
          TEXT.encode() + f"\ufeffnaïve\r\n{TEXT}".encode("utf-16-le"), f"{TEXT}naïve\r\n{TEXT}".encode()),
    ("cut at the size of a buffer", "--to fffd", CUT, CUT[:-1] + "\ufffd".encode()),
    ("names cut to fit a field of 8 bytes", "--to fffd", b"".join(row[:8] + b"\n" for row in NAMES),
          b"".join(row[:8] + b"\n" for row in NAMES).replace(b"\xc3\n", "\ufffd\n".encode())),
    ("half a surrogate pair from JavaScript", "--to fffd:surrogate-as-one",
          TEXT.encode() + b"\xed\xa0\xbd\n", f"{TEXT}\ufffd\n".encode()),
    ("all in UTF-16", "--from utf-16", f"\ufeff{TEXT}".encode("utf-16-le"), TEXT.encode()),
    ("all in Shift_JIS", "--from shift_jis", (JAPANESE * 9).encode("cp932"), (JAPANESE * 9).encode()),
    ("a line end after each 4,095 bytes", "--to fffd", b"\n".join(PIECES), b"".join(PIECES)),
    ("nothing: an odd text that is right", "--from windows-1252",
          "Ã la “carte”\n".encode(), "Ã la “carte”\n".encode()),
)  # fmt: skip


def answer(options, broken):
    """What ``repair`` makes of *broken* with *options*."""
    parser = argparse.ArgumentParser()
    repair_options.configure(parser)
    policy, unit = repair_options.policy_of(parser.parse_args(options.split()))
    return repair(broken, policy, unit=unit).data


@pytest.mark.parametrize(("cause", "options", "broken", "right"), CAUSES, ids=[row[0] for row in CAUSES])
def test_a_file_with_one_cause_comes_out_right(cause, options, broken, right):
    assert (answer(options, broken) == right) == (cause != "a line end after each 4,095 bytes")
