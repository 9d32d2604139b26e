"""What the decoders' rows want installed, and the tool that installs it."""

import importlib
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from utf8_abnf.conformance.harness.known import decoders
from utf8_abnf.conformance.harness.known.packages import NOWHERE, in_shell, npm_folder, packages, python_program

WANTED = sorted({package for each in decoders() for package in each.install.split()})
PINNED = {
    "apt": r"[a-z0-9][a-z0-9+.-]+",
    "pip": r"[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*",
    "npm": r"(@[a-z0-9.-]+/)?[a-z0-9_.-]+@\d+\.\d+\.\d+",
}


@pytest.fixture
def folder(monkeypatch):
    packages.cache_clear()
    yield monkeypatch
    packages.cache_clear()


@pytest.fixture
def installer(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    tool = importlib.import_module("decoders")
    monkeypatch.setattr(tool, "PAUSE", 0)
    return tool


@pytest.mark.parametrize("package", WANTED)
def test_a_package_of_pypi_or_npm_has_its_version(package):
    kind, _, name = package.partition(":")
    assert re.fullmatch(PINNED[kind], name)


def test_no_package_is_wanted_in_two_versions():
    versions = defaultdict(set)
    for package in WANTED:
        name = re.split("==|(?<=.)@", package.partition(":")[2])[0]
        versions[package[:3], name].add(package)
    assert [each for each in versions.values() if len(each) > 1] == []


def test_the_folder_is_the_one_that_is_chosen(folder, tmp_path):
    folder.setenv("UTF8_ABNF_DECODERS", str(tmp_path))
    assert packages() == tmp_path
    assert python_program().is_relative_to(tmp_path)
    assert npm_folder().is_relative_to(tmp_path)


def test_a_folder_that_others_can_write_to_is_none(folder, tmp_path):
    folder.delenv("UTF8_ABNF_DECODERS", raising=False)
    folder.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert packages() == tmp_path / "utf8-abnf" / "decoders"
    (tmp_path / "utf8-abnf").mkdir()
    (tmp_path / "utf8-abnf").chmod(0o777)
    packages.cache_clear()
    assert packages() == NOWHERE


@pytest.mark.parametrize("name", ["a b", "it's", "plain"])
def test_a_folder_is_one_word_in_a_shell(name):
    asked = subprocess.run(["sh", "-c", f"printf %s {in_shell(Path.home() / name)}"], capture_output=True, text=True)
    assert asked.stdout == str(Path.home() / name)


def test_what_is_not_here_is_listed_with_its_decoders(root):
    command = [sys.executable, root / "tools" / "decoders.py", "no-decoder", "--list", "--apt", "no-such-package-here"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert listed == "apt:no-such-package-here\n"


def test_a_package_that_fails_twice_is_named_and_the_others_are_installed(installer):
    installed = []

    def install(names):
        if "wrong" in names:
            return False
        installed.extend(names)
        return True

    assert installer.tried(install, ["one", "wrong", "two"]) == ["wrong"]
    assert installed == ["one", "two"]
    answers = [False, True]
    assert installer.tried(lambda names: answers.pop(0), ["one"]) == []


def test_a_program_from_elsewhere_serves(installer, tmp_path, monkeypatch):
    (tmp_path / "node").write_text("#!/bin/sh\n")
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installer.debian_here(["nodejs", "no-such-package-here"]) == {"nodejs"}
