"""Adapters in C and C++: built again when a part of them changes, and right in every mode where the library is."""

import shutil

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


def test_a_strict_library_conforms_in_every_mode_and_its_convention_is_told():
    if not find("icu-ucnv").available():
        pytest.skip("needs ICU: python3 tools/decoders.py icu-ucnv")
    report = run("known:icu-ucnv", level="L0")
    assert report.verdict == "pass"
    assert "replacement: U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)" in report.notes
    assert {each.mode for each in report.families} == set(report.modes) == set("vprs")


def test_what_an_adapter_includes_is_a_part_of_it_also_by_way_of_another_file(sources):
    modules = {"one": "from two import word", "two": "from three import word", "three": "word = 'there'"}
    for name, text in modules.items():
        (sources / f"{name}.py").write_text(text)
    (sources / "adapter.py").write_text("from os import sep\nfrom one import word\n")
    assert building.adapter_of(sources / "adapter.py").endswith("".join(modules.values()).encode())
