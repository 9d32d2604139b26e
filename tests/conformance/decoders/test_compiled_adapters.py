"""Adapters in C and C++: built again when a part of them changes, and right in every mode where the library is."""

import shutil
import subprocess
import sys
import zipfile

import pytest

from utf8_abnf.conformance import run
from utf8_abnf.conformance.harness.known import building, find
from utf8_abnf.errors import TargetError

pytestmark = pytest.mark.slow  # the adapters know no Python

BUILD = ("cc", "-o", "{output}", "{source}")


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Return a folder with an adapter and a header that it includes; programs are built in the same folder."""
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler: apt-get install gcc")
    monkeypatch.setattr(building, "cache_folder", lambda: tmp_path)
    (tmp_path / "part.h").write_text("#define STATUS 0\n")
    (tmp_path / "adapter.c").write_text('#include "part.h"\nint main(void) { return STATUS; }\n')
    return tmp_path


def _built(folder, versions=""):
    source = folder / "adapter.c"
    return building.built(source, tuple(word.replace("{source}", str(source)) for word in BUILD), versions)


def test_an_adapter_is_built_once_and_again_when_its_header_changes(sources):
    first = _built(sources)
    assert _built(sources) == first
    (sources / "part.h").write_text("#define STATUS 1\n")
    assert _built(sources) != first


def test_an_adapter_is_built_again_for_another_version_of_the_library(sources):
    assert _built(sources, "1.0") != _built(sources, "1.1")


def test_an_adapter_that_does_not_compile_is_a_target_error(sources):
    (sources / "part.h").write_text("")
    with pytest.raises(TargetError, match="STATUS"):
        _built(sources)


def test_an_adapter_in_a_zipped_package_is_built_from_a_copy_with_its_headers(sources):
    with zipfile.ZipFile(sources / "package.zip", "w") as package:
        for name in ("adapter.c", "part.h"):
            package.write(sources / name, f"rows/{name}")
    copy = building.source_path(zipfile.Path(sources / "package.zip", "rows/adapter.c"))
    assert copy.read_bytes() == (sources / "adapter.c").read_bytes()
    assert building.built(copy, tuple(word.replace("{source}", str(copy)) for word in BUILD), "")


def test_a_strict_library_conforms_in_every_mode_and_its_convention_is_told():
    if not find("icu-ucnv").available():
        pytest.skip("needs ICU: python3 tools/decoders.py icu-ucnv")
    report = run("known:icu-ucnv", level="L0")
    assert report.verdict == "pass"
    assert "replacement: U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)" in report.notes
    assert {each.mode for each in report.families} == set(report.modes) == set("vprs")


def test_an_adapter_in_a_zipped_package_takes_its_modules_along_and_theirs(sources):
    modules = {"one.py": "from two import word", "two.py": "from three import word", "three.py": "word = 'there'"}
    with zipfile.ZipFile(sources / "package.zip", "w") as package:
        package.writestr("rows/adapter.py", "from os import sep\nfrom one import word\nprint(word)\n")
        for name, text in modules.items():
            package.writestr(f"rows/{name}", text)
    copy = building.source_path(zipfile.Path(sources / "package.zip", "rows/adapter.py"))
    done = subprocess.run([sys.executable, copy], capture_output=True, text=True, check=True)
    assert done.stdout == "there\n"
