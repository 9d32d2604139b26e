"""The lessons and the site: what they show comes out, and the site builds without warnings."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from utf8_abnf.cli.progress import Progress
from utf8_abnf.language import catalogue
from utf8_abnf.language.catalogue import LANGUAGES
from utf8_abnf.language.explanations import ONLY_ENGLISH
from utf8_abnf.teaching.play import page as play_page

DOCS = Path(__file__).parents[2] / "docs"
# Pages whose commands need what not every machine has, or run elsewhere: with a server, for hours.
ELSEWHERE = {"check-remote-files", "test-all-decoders", "translate", "index"}
LONG = {"lessons/validator.md", "lessons/learning.md", "how-to/test-a-parser.md"}  # 20 to 30 s each, all others 3 s
PAGES = ["index.md", "tutorial.md", "codec.md"]
PAGES += sorted(f"how-to/{path.name}" for path in DOCS.glob("how-to/*.md") if path.stem not in ELSEWHERE)
PAGES += sorted(f"lessons/{path.name}" for path in DOCS.glob("lessons/*.md"))


def row(page):
    """Return a row of the test below; what takes longest is run by hand (UTF8_ABNF_EXHAUSTIVE=1)."""
    return pytest.param(page, marks=pytest.mark.sampled(*((0, 0) if page in LONG else (6, 1))))


@pytest.mark.thorough
@pytest.mark.parametrize("page", [row(page) for page in PAGES])
def test_commands_and_sessions_print_what_the_page_shows(page, root, tools):
    _, differences = tools("lessons").run((root / "docs" / page).read_text(encoding="utf-8"))
    assert not differences


def test_the_bucket_of_csv_is_checked_as_the_page_shows(root, tools, monkeypatch):
    pytest.importorskip("moto.server", reason="needs moto: pip install 'moto[s3]' flask flask-cors")
    s3fs = pytest.importorskip("s3fs", reason="needs s3fs: pip install s3fs")
    for name in ("AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "any")  # the page sets them, and this puts them back
    s3fs.S3FileSystem.clear_instance_cache()  # of other tests, with another server
    try:
        _, differences = tools("lessons").run((root / "docs/how-to/check-remote-files.md").read_text(encoding="utf-8"))
    finally:
        s3fs.S3FileSystem.clear_instance_cache()
    assert not differences


def test_a_wrong_output_is_found(tools):
    file = "```{code-block} text\n:caption: a.txt\n\nhello\n```\n"
    console = "```console\n$ cat a.txt\nhullo\n```\n"
    session = "```python\n>>> 1 + 1\n3\n```\n"
    text, differences = tools("lessons").run(file + console + session)
    assert [(each.shown, each.real) for each in differences] == [("hullo\n", "hello\n"), ("3\n", "2\n")]
    assert tools("lessons").run(text)[1] == []


@pytest.mark.parametrize(("unit", "total"), [("questions", None), ("cases", 3_000_000), ("GB", None), ("GB", 10**10)])
def test_the_progress_of_a_busy_machine_is_no_output(tools, tmp_path, unit, total):
    stream = io.StringIO()
    progress = Progress(unit, stream=stream, clock=iter(range(0, 1000, 40)).__next__)
    progress.start("L1", total)
    progress.advance(572_803)
    assert stream.getvalue().startswith("utf8-abnf: ")
    (tmp_path / "told").write_text(stream.getvalue() + "utf8-abnf: 3 files differ\n")
    console = f"```console\n$ cat {tmp_path / 'told'}\nutf8-abnf: 3 files differ\n```\n"
    assert tools("lessons").run(console)[1] == []


def test_the_nine_lines_are_the_grammars(root):
    assert (root / "grammar/utf8.abnf").read_text() in (root / "docs/lessons/abnf.md").read_text()


def in_language(heading, language, root, page="lessons/bits"):
    """Return a *heading* of *page* as the catalogue of *language* has it."""
    from babel.messages.pofile import read_po

    with (root / "docs/locale" / language / f"LC_MESSAGES/{page}.po").open("rb") as file:
        return read_po(file)[heading].string


@pytest.mark.sampled(0, 0)  # before a release: it takes as long as a hundred other tests
@pytest.mark.parametrize("language", ["ja"])
def test_the_site_in_another_language_builds_without_warnings(language, root, tmp_path):
    pytest.importorskip("babel", reason="needs babel: pip install --group docs")
    pytest.importorskip("sphinx", reason="needs Sphinx: pip install --group docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-t", "languages", "-D", f"language={language}", "docs", tmp_path]
    locale = root / "docs/locale" / language / "LC_MESSAGES"
    translated = [path.relative_to(locale).with_suffix(".md") for path in locale.rglob("*.po") if path.stem != "sphinx"]
    # Of the pages that stay English, two: the others are the English site's, and to write them takes half the time.
    written = ["docs" / page for page in (*translated, Path("play.md"))]
    done = subprocess.run([*command, *written], cwd=root, capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if "the index will be incomplete" not in line]
    assert (done.returncode, complaints) == (0, [])
    assert (tmp_path / "play-page.html").read_text(encoding="utf-8") == play_page(language)
    lessons = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "lessons").glob("*.html"))
    led = re.findall(r'href="([^"]*play-page[^"]*)"', lessons)
    assert len(led) > 10
    assert not [link for link in led if not re.fullmatch(r"\.\./play-page\.html#(b=[0-9A-F]+&amp;p=\d|t=\w+)", link)]
    page = (tmp_path / "lessons/bits.html").read_text(encoding="utf-8")
    assert in_language("Build it", language, root) in page
    assert in_language("Build it", language, root) in (tmp_path / "slides/bits.html").read_text(encoding="utf-8")
    assert not [text for text in ("On this page", "Back to top", ">Next<", "Skip to", "Toggle") if text in page]
    assert 'lang="en" class="reference internal" href="../how-to/check-files.html"' in page
    english = (tmp_path / "play.html").read_text(encoding="utf-8")  # the manual has no translation
    assert f'<p class="admonition">{catalogue.catalogue(language).gettext(ONLY_ENGLISH)}</p><div lang="en">' in english
    index = json.loads((tmp_path / "searchindex.js").read_text(encoding="utf-8")[len("Search.setIndex(") : -1])
    assert all(len(index["terms"][word]) > 5 for word in ("後続バイト", "先頭バイト", "後続", "先頭", "文法"))
    others = set(LANGUAGES) - {language}
    assert all(f'href="../../{other}/lessons/bits.html"' in page for other in others)
