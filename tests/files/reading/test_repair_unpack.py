"""``repair --unpack``: compressed in, compressed out, and back again."""

import bz2
import gzip
import io
import lzma
import sys
import zipfile

import pytest

from utf8_abnf.cli import main

pytestmark = pytest.mark.thorough
BAD, REPAIRED = b"caf\xe9\n" * 5000, "café\n".encode() * 5000


def zstd():
    return pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


FORMATS = {"gzip": lambda: gzip, "bzip2": lambda: bz2, "xz": lambda: lzma, "zstd": zstd}


@pytest.mark.parametrize("name", FORMATS)
def test_the_output_is_compressed_as_the_input_was_and_undo_gives_it_back(name, tmp_path, monkeypatch, capsys):
    library = FORMATS[name]()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_bytes(library.compress(BAD))
    assert main(["repair", "-z", "--from", "windows-1252", "-o", "b", "a"]) == 0
    assert library.decompress((tmp_path / "b").read_bytes()) == REPAIRED
    assert main(["repair", "-z", "--from", "windows-1252", "--in-place", "--log", "log", "a"]) == 0
    assert library.decompress((tmp_path / "a").read_bytes()) == REPAIRED
    assert main(["repair", "-z", "--undo", "log", "--in-place"]) == 0
    assert library.decompress((tmp_path / "a").read_bytes()) == BAD
    assert "5,000 changes" in capsys.readouterr().err


def test_a_file_that_needs_no_repair_is_not_written(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(REPAIRED))
    before = path.stat().st_ino
    assert main(["repair", "-z", "--in-place", str(path)]) == 0
    assert path.stat().st_ino == before


def test_archives_are_left_alone_with_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("b.txt", BAD)
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    (tmp_path / "b.gz").write_bytes(gzip.compress(out.getvalue()))
    for name in ("a.zip", "b.gz"):
        before = (tmp_path / name).read_bytes()
        assert main(["repair", "-z", "--in-place", name]) == 2
        assert "a file of the format zip is not repaired; unpack it first" in capsys.readouterr().err
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (gzip.compress(BAD)[:-9], "is truncated"),
        (gzip.compress(BAD) + b"junk", "cannot be unpacked: Not a gzipped file"),
    ],
    ids=["cut", "junk"],
)
def test_a_file_with_a_broken_end_is_not_replaced(before, reason, tmp_path, capsys):
    path = tmp_path / "a.gz"
    path.write_bytes(before)
    assert main(["repair", "-z", "--in-place", str(path)]) == 2
    assert reason in capsys.readouterr().err
    assert (path.read_bytes(), [each.name for each in tmp_path.iterdir()]) == (before, ["a.gz"])


def test_without_the_option_the_message_names_it(tmp_path, capsys):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(BAD))
    assert main(["repair", "--in-place", str(path)]) == 2
    assert "-z (--unpack) repairs what is in it" in capsys.readouterr().err
