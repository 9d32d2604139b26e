"""The adapter templates: each is short, has one place to fill in, and speaks the protocol when built and run."""

import importlib.util
import json
import shutil
import struct
import subprocess

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.conformance.framing import frame
from utf8_abnf.conformance.harness.adapters import TEMPLATES, canonical, template
from utf8_abnf.errors import UsageError

from .filled_adapters import FILLED, filled

PACKAGES = {
    "c++": "g++",
    "rust": "rustc",
    "go": "golang-go",
    "java": "default-jdk",
    "javascript": "nodejs",
    "c#": "mono-mcs",
    "php": "php-cli",
}


ALL = ("v", "p", "r", "s")


@pytest.mark.parametrize("language", TEMPLATES)
def test_a_template_is_short_with_one_place_to_fill_in_for_each_mode(language):
    assert len(template(language).splitlines()) < 70
    for count in range(1, 5):
        text = template(language, ALL[:count])
        assert text.count("TODO") == count
        assert f"modes={','.join(ALL[:count])} " in text
        assert "// [" not in text
    assert len(template(language, ALL).splitlines()) < 170


def frames_of(data):
    return len(data).to_bytes(4, "little") + data


def right_answers(mode, data):
    """Return what the template as it stands answers: it takes ASCII and nothing else."""
    if mode == "v":
        return b"1" if data.isascii() else b"0"
    if mode == "p":
        found = [at for at, byte in enumerate(data) if byte > 0x7F]
        return struct.pack("<IB", found[0], 1) if found else struct.pack("<IB", 0xFFFFFFFF, 0)
    if mode == "r":
        return frames_of(data.decode("ascii", "replace").encode())
    sizes = struct.unpack_from(f"<{int.from_bytes(data[:4], 'little')}I", data, 4)
    data = data[4 + 4 * len(sizes) :]
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    said = b"".join(b"?" if data[:end].isascii() else b"0" for end in ends)
    return said + (b"1" if data.isascii() else b"0")


CASES = {bytes([byte]) for byte in range(256)} | {b"", b"ab\xc3\xa9cd", b"a" * 70_000, b"\r\n\x1a\0", bytes(range(256))}
CUTS = [(), (0,), (1,), (1, 1, 1, 2), (2, 0, 3)]
STREAMS = [frame(b"ab\xc3\xa9cd"[: sum(cut)], cut)[4:] for cut in CUTS] + [frame(b"a" * 5, cut)[4:] for cut in CUTS[3:]]


@pytest.mark.thorough
@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", TEMPLATES)
def test_a_template_as_it_stands_speaks_the_protocol_in_each_mode(language, tmp_path, monkeypatch):
    start = built(language, tmp_path, monkeypatch)
    for mode in ALL:
        cases = STREAMS if mode == "s" else sorted(CASES)
        sent = mode.encode() + b"\n" + b"".join(map(frames_of, cases))
        done = subprocess.run(start.split(), input=sent, capture_output=True, timeout=60)
        hello, _, answers = done.stdout.partition(b"\n")
        assert hello.startswith(b"utf8-abnf 1 modes=v,p,r,s ")
        assert answers == b"".join(right_answers(mode, case) for case in cases)
        assert not done.stderr


def dotnet(folder):
    """Return the commands that build and start .NET's template where its SDK is not to be had.

    Mono compiles it. PyPI has .NET Core's runtime, which takes the framework's version from a file beside the program.
    """
    found = importlib.util.find_spec("dotnetcore2")
    if found is None:
        pytest.skip("needs dotnetcore2: pip install dotnetcore2")
    framework = {"name": "Microsoft.NETCore.App", "version": "3.1.0"}
    options = {"framework": framework, "configProperties": {"System.Globalization.Invariant": True}}
    (folder / "Adapter.runtimeconfig.json").write_text(json.dumps({"runtimeOptions": options}))
    (package,) = found.submodule_search_locations
    return TEMPLATES["c#"][1], f"{package}/bin/dotnet Adapter.exe"


def built(language, folder, monkeypatch, text=None):
    """Build *text*, or the template for all modes as it stands, and return the command that starts it."""
    file, build, start = TEMPLATES[language]
    if language == "dotnet" and not shutil.which("dotnet"):
        build, start = dotnet(folder)
    (folder / file).write_text(text or template(language, ALL), encoding="utf-8")
    monkeypatch.chdir(folder)
    for command in filter(None, (build, start)):
        program = command.split()[0]
        if not program.startswith("./") and not shutil.which(program):
            pytest.skip(f"needs {program}: apt-get install {PACKAGES.get(language, program)}")
    if build:
        done = subprocess.run(build.split(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert not done.stderr, "a template compiles without a warning"
    return start


@pytest.mark.thorough
@pytest.mark.sampled(12, 6)
@pytest.mark.parametrize("language", FILLED)
def test_a_template_with_a_right_decoder_in_it_conforms_in_each_mode(language, tmp_path, monkeypatch):
    start = built(language, tmp_path, monkeypatch, filled(language, template(language, ALL)))
    report = run(f"stream:{start}", level="L1", timeout=20)
    assert (report.conforms, report.modes, report.not_judged) == (True, ALL, ())


@pytest.mark.parametrize(("name", "meant"), [("CPP", "c++"), ("js", "javascript"), ("C#", "c#"), ("csharp", "c#")])
def test_a_language_is_known_by_its_usual_names(name, meant):
    assert canonical(name) == meant


def test_an_unknown_language_is_answered_with_the_known_ones(capsys):
    with pytest.raises(UsageError, match="c, c\\+\\+, rust"):
        template("cobol")
    assert cli.main(["adapter", "cobol"]) == 2
    assert "cobol" in capsys.readouterr().err


def test_the_command_prints_the_template(capsys):
    assert cli.main(["adapter", "perl"]) == 0
    assert capsys.readouterr().out == template("perl")
    assert cli.main(["adapter", "perl", "--modes", "s,v"]) == 0
    assert capsys.readouterr().out == template("perl", ("v", "s"))
    assert cli.main(["adapter", "perl", "--modes", "v,x"]) == 2
