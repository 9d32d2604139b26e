"""Adapters in C and C++: built again when a part of them changes, and right in every mode where the library is."""

import shutil

import pytest

from utf8_abnf.conformance import run
from utf8_abnf.errors import TargetError
from utf8_abnf.harness.known import decoder as module
from utf8_abnf.harness.known import find

pytestmark = pytest.mark.slow  # the adapters know no Python

BUILD = ("cc", "-o", "{output}", "{source}")


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Return a folder that stands in for ``decoders/sources``."""
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler: apt-get install gcc")
    monkeypatch.setattr(module, "_source", lambda name: str(tmp_path / name))
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    (tmp_path / "part.h").write_text("#define STATUS 0\n")
    (tmp_path / "adapter.c").write_text('#include "part.h"\nint main(void) { return STATUS; }\n')
    return tmp_path


def _built(folder, versions=""):
    build = [word.replace("{source}", str(folder / "adapter.c")) for word in BUILD]
    return module._built("adapter.c", tuple(build), versions)


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


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("icu-ucnv", {"replacement: U+FFFD for each maximal subpart (Unicode 3.9, WHATWG)"}),
        ("harfbuzz-add-utf8", {"replacement: one U+FFFD for each byte"}),
        ("glib-utf8-validate", {"offsets: the start of the ill-formed sequence; length: not told"}),
    ],
)
def test_a_strict_library_conforms_in_every_mode_and_its_conventions_are_told(name, notes):
    row = find(name)
    if not row.available():
        pytest.skip(f"needs {row.install}: python3 tools/decoders.py '{name}'")
    report = run(f"known:{name}", level="L1")
    assert report.verdict == "pass"
    assert notes <= set(report.notes)
    assert {each.mode for each in report.families} == set(report.modes)
