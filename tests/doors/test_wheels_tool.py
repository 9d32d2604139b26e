"""The tools of a release: archives that are the same bytes each time, the one-file program, what stops a release."""

import subprocess
import sys
import zipfile

import pytest

EPOCH = 1_700_000_000


@pytest.fixture
def tools(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))


@pytest.fixture
def parts():
    info = "thing-1.0.dist-info"
    return {f"{info}/METADATA": b"Name: thing\n", "thing/__init__.py": b"", "thing/data": bytes(1000)}


def test_a_wheel_is_the_same_bytes_each_time_and_names_every_file_and_platform(tools, tmp_path, parts):
    from wheel_parts.archives import pure_parts, write_wheel

    made = []
    for number, inner in enumerate((parts, dict(reversed(parts.items())))):
        (tmp_path / str(number)).mkdir()
        extensions = {"thing/_fast.pyd": b"MZ"}
        made.append(write_wheel(tmp_path / str(number), inner, "cp311-abi3-one.two", extensions, EPOCH))
    assert made[0].name == "thing-1.0-cp311-abi3-one.two.whl"
    assert made[0].read_bytes() == made[1].read_bytes()
    with zipfile.ZipFile(made[0]) as archive:
        record = archive.read("thing-1.0.dist-info/RECORD").decode().splitlines()
        assert {line.partition(",")[0] for line in record} == set(archive.namelist())
        about = archive.read("thing-1.0.dist-info/WHEEL").decode().splitlines()
        assert archive.getinfo("thing/_fast.pyd").external_attr >> 16 == 0o755
    assert [line for line in about if line.startswith("Tag")] == ["Tag: cp311-abi3-one", "Tag: cp311-abi3-two"]
    assert "Root-Is-Purelib: false" in about
    assert pure_parts(made[0]).keys() == {*parts, "thing/_fast.pyd"}


@pytest.mark.thorough
@pytest.mark.parametrize("cache", ["fresh", "full", "not a folder"])
def test_the_one_file_program_runs_what_it_holds(root, tools, tmp_path, monkeypatch, cache):
    from wheel_parts.archives import write_zip

    program = tmp_path / "program.pyz"
    cli = b"import pathlib\ndef command():\n    print(pathlib.Path(__file__).with_name('data').read_text())\n"
    inner = {"utf8_abnf/__init__.py": b"", "utf8_abnf/cli.py": cli, "utf8_abnf/data": b"grammar"}
    inner["__main__.py"] = (root / "tools" / "wheel_parts" / "one_file.py").read_bytes()
    write_zip(program, inner, EPOCH, before=b"#!/usr/bin/env python3\n")
    folder = tmp_path / "cache"
    if cache == "not a folder":
        folder.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    for _ in range(2 if cache == "full" else 1):
        done = subprocess.run([sys.executable, "-I", program], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "grammar\n", "")
    left = [] if cache == "not a folder" else [path.name for path in (folder / "utf8-abnf").iterdir()]
    assert left == ([] if cache == "not a folder" else ["CONTENT"])


def test_what_stops_a_release_is_said(root, tools, tmp_path, monkeypatch):
    release = pytest.importorskip("release")
    (tmp_path / "src" / "utf8_abnf").mkdir(parents=True)
    (tmp_path / "src" / "utf8_abnf" / "__init__.py").write_text('__version__ = "0.1.0"')
    for name in ("CHANGELOG.md", "README.md", "docs"):
        (tmp_path / name).symlink_to(root / name)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    found = release.problems("9.9.9", " M README.md", "v9.9.9")
    assert [line.split()[0] for line in found[:4]] == ["the", "the", "src/utf8_abnf/__init__.py", "CHANGELOG.md"]
