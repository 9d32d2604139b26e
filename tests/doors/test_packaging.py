"""What users install: wheel, sdist, editable and compiler-free installs all carry the RFC's grammar, byte for byte."""

import hashlib
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

import pytest

pytestmark = [pytest.mark.thorough, pytest.mark.sampled(0)]  # most of them wait for the wheel
SHA256 = "e9114bf656f4360482910df6551b0de16847cbc244030dadc09df4c4023fb754"
QUESTION = (
    "import hashlib, utf8_abnf; from utf8_abnf.grammar.files import grammar_folder;"
    "print(hashlib.sha256((grammar_folder() / 'utf8.abnf').read_bytes()).hexdigest(), utf8_abnf.kernel.name)"
)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# setuptools is that of the tests: an environment made for each build costs as much as the build.
BUILD = (sys.executable, "-m", "build", "--no-isolation")


def run(*command, **variables):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=os.environ | variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(root):
    """The checkout with the package in it: tests of the wheel run in a copy that has none."""
    folder = os.environ.get("UTF8_ABNF_CHECKOUT", root)
    if not os.path.isdir(os.path.join(folder, "src", "utf8_abnf")):
        pytest.skip("needs the checkout's src/utf8_abnf: run by tools/test.py, which names it in UTF8_ABNF_CHECKOUT")
    return folder


@pytest.fixture(scope="module")
def built(checkout, once):
    """A wheel made from the sdist, and the sdist."""
    # quickly: which kernel runs is asked, not how fast
    folder = once("dist", lambda folder: run(*BUILD, "--outdir", folder, checkout, CFLAGS="-O0"))
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def fresh_environment(folder):
    run(sys.executable, "-m", "venv", "--without-pip", folder)  # to unpack pip takes longer than what it installs
    return folder / "bin" / "python"


def install(python, *arguments, **variables):
    """Install with our own pip and setuptools; -I: what the tests have would else count as installed there."""
    ours = sysconfig.get_path("purelib")
    command = [sys.executable, "-m", "pip", "--python", python, "install", "-qI", "--no-deps", "--no-build-isolation"]
    run(*command, *arguments, PYTHONPATH=ours, **variables)


def test_the_grammar_of_the_checkout_and_the_one_in_use_are_the_rfcs(root):
    assert sha256((root / "grammar" / "utf8.abnf").read_bytes()) == SHA256
    assert run(sys.executable, "-c", QUESTION).split()[0] == SHA256


def test_wheel_and_sdist_carry_the_same_bytes_and_no_debug_information(built):
    wheel, sdist = built
    assert "-cp311-abi3-" in wheel.name  # for every CPython from 3.11 up
    with zipfile.ZipFile(wheel) as archive:
        assert sha256(archive.read("utf8_abnf/grammar/abnf/utf8.abnf")) == SHA256
        assert {"utf8_abnf/py.typed", "utf8_abnf/teaching/play/derived/utf8-automaton.json"} <= set(archive.namelist())
        extensions = [name for name in archive.namelist() if name.endswith(".so")]
        assert len(extensions) == 3
        assert [name for name in extensions if b".debug_info" in archive.read(name)] == []
    with tarfile.open(sdist) as archive:
        name = next(name for name in archive.getnames() if name.endswith("/grammar/utf8.abnf"))
        assert sha256(archive.extractfile(name).read()) == SHA256


def test_the_wheel_made_from_the_sdist_runs_a_c_kernel(built, tmp_path):
    python = fresh_environment(tmp_path / "wheel")
    install(python, built[0])
    grammar, kernel = run(python, "-c", QUESTION).split()
    assert grammar == SHA256
    assert kernel != "python"


def test_without_a_compiler_the_install_succeeds_and_says_so(built, tmp_path):
    python = fresh_environment(tmp_path / "bare")
    install(python, built[1], CC="/bin/false", CXX="/bin/false")
    assert run(python, "-c", QUESTION).split() == [SHA256, "python"]
    assert "kernel python" in run(python, "-m", "utf8_abnf", "--version")


def test_what_an_earlier_build_left_behind_reaches_no_wheel(built, tmp_path):
    run("tar", "-xzf", built[1], "-C", tmp_path)
    (source,) = tmp_path.iterdir()
    for stale in ("lib", f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"):
        (source / "build" / stale / "utf8_abnf" / "parsers").mkdir(parents=True)
        (source / "build" / stale / "utf8_abnf" / "parsers" / "renamed_since.py").touch()
    run(*BUILD, "--wheel", "--outdir", tmp_path, source, CC="/bin/false", CXX="/bin/false")
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        names = archive.namelist()
    assert "utf8_abnf/parsers/__init__.py" in names
    assert "utf8_abnf/parsers/renamed_since.py" not in names
