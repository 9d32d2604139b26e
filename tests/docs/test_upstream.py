"""The findings for authors: each reproduction prints what its page shows."""

import json
import os
import re
import shutil
import tempfile

import pytest

from utf8_abnf.conformance.harness.known import find, packages

# The page, the row whose program or package it runs, and the program that runs the reproduction.
PAGES = {
    "b4a": ("npm-b4a", "node"),
    "capnp-ts": ("npm-capnp-ts", "node"),
    "clickhouse": ("pypi-chdb", ""),
    "clisp": ("clisp-bytes", "clisp"),
    "cpython-utf-8-sig": ("python-utf-8-sig-incremental", ""),
    "ecl": ("ecl-bytes", "ecl"),
    "fflate": ("npm-fflate", "node"),
    "hi-base32": ("npm-hi-base32", "node"),
    "ion-js": ("npm-ion-js", "node"),
    "jackson-core": ("jackson-core", "java"),
    "jq": ("jq-raw", "jq"),
    "json-c": ("json-c-validating", "cc"),
    "jsonjoy-buffers": ("npm-jsonjoy-decode-utf8", "node"),
    "msgpack-javascript": ("npm-msgpack", "node"),
    "nginx": ("nginx-charset", "nginx"),
    "paho-mqtt": ("npm-paho-mqtt", "node"),
    "pbf": ("npm-pbf", "node"),
    "pyjson5": ("pypi-pyjson5", ""),
    "qpdf": ("qpdf-get-next-utf8-codepoint", "c++"),
    "raptor": ("raptor-check-utf8-string", "cc"),
    "stablelib-utf8": ("npm-stablelib-utf8", "node"),
    "swi-prolog-utf8": ("swipl-utf8-codes", "swipl"),
    "utf8-h": ("utf8-h-utf8valid", "cc"),
    "webassemblyjs-utf8": ("npm-webassemblyjs-utf8", "node"),
    "xerces-c": ("xerces-c", "SAXPrint"),
    "ygoe-msgpack": ("npm-ygoe-msgpack", "node"),
    "zsh": ("zsh-read", "zsh"),
}
EXHAUSTIVE = os.environ.get("UTF8_ABNF_EXHAUSTIVE")


@pytest.fixture
def packages_of_rows(tmp_path, monkeypatch):
    """Where the reproductions run, ``node`` finds the rows' packages above, and ``python`` is the one with theirs."""
    (tmp_path / "node_modules").symlink_to(packages.npm_folder() / "node_modules")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PATH", f"{packages.python_program().parent}{os.pathsep}{os.environ['PATH']}")


def read(root, page):
    return (root / "docs" / "upstream" / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.usefixtures("packages_of_rows")
@pytest.mark.parametrize("page", [page for page in PAGES if find(PAGES[page][0]).core or EXHAUSTIVE])
def test_a_reproduction_prints_what_its_page_shows(page, root, lessons):
    row, program = PAGES[page]
    decoder = find(row)
    if not decoder.available() or (program and not shutil.which(program)):
        pytest.skip(f"needs {decoder.install or decoder.program}")
    _, differences = lessons.run(read(root, page))
    assert not differences


def test_a_page_and_the_index_have_the_severity_of_the_published_row(root):
    rows = json.loads((root / "docs/data/matrix.json").read_text(encoding="utf-8"))["rows"]
    severities = {row["name"]: row["severity"] for row in rows}
    index = read(root, "index")
    for page, (row, _) in PAGES.items():
        assert re.search(r"^- Severity: \*\*(.*?)\*\*", read(root, page), re.M)[1] == severities[row], page
        assert re.search(rf"<{page}>` \|.*\| ([\w ]+).*\|$", index, re.M)[1].strip() == severities[row], page


def test_every_page_is_tested_and_is_in_the_index(root):
    pages = sorted(path.stem for path in (root / "docs" / "upstream").glob("*.md") if path.stem != "index")
    index = read(root, "index")
    assert pages == sorted(PAGES)
    assert sorted(re.findall(r"\{doc\}`[^`<]*<([\w-]+)>`", index)) == pages
