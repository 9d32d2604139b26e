"""The lessons and the site: what they show comes out, all is translated, and it builds without warnings."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from utf8_abnf.language import catalogue
from utf8_abnf.language.catalogue import LANGUAGES, SOURCE
from utf8_abnf.language.explanations import ONLY_ENGLISH
from utf8_abnf.teaching.play import page as play_page

PAGES = [
    "index.md",
    "tutorial.md",
    "how-to/check-columns.md",
    "how-to/check-files.md",
    "how-to/check-for-a-database.md",
    "how-to/check-packed-files.md",
    "how-to/grammars-in-documents.md",
    "how-to/python-3.15.md",
    "how-to/repair-files.md",
    "how-to/test-a-decoder.md",
    "how-to/test-a-parser.md",
    "how-to/use-a-grammar.md",
    "lessons/abnf.md",
    "lessons/attacks.md",
    "lessons/automaton.md",
    "lessons/bits.md",
    "lessons/errors.md",
    "lessons/graphemes.md",
    "lessons/history.md",
    "lessons/learning.md",
    "lessons/mojibake.md",
    "lessons/speed.md",
    "lessons/special.md",
    "lessons/subsets.md",
    "lessons/testing.md",
    "lessons/trees.md",
    "lessons/urn.md",
    "lessons/validator.md",
]


TRANSLATIONS = Path(catalogue.__file__).parent / "locale"


@pytest.mark.thorough
@pytest.mark.sampled(6)
@pytest.mark.parametrize("page", PAGES)
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


def test_every_lesson_is_in_the_list_above(root):
    lessons = {f"lessons/{path.name}" for path in (root / "docs/lessons").glob("*.md")} - {"lessons/index.md"}
    assert lessons == {page for page in PAGES if page.startswith("lessons/")}
    shown = re.search(r"\{toctree\}.*?^```", (root / "docs/lessons/index.md").read_text(), re.M | re.S)[0]
    assert {f"lessons/{name}.md" for name in re.findall(r"^\w+$", shown, re.M)} == lessons


def test_a_wrong_output_is_found(tools):
    file = "```{code-block} text\n:caption: a.txt\n\nhello\n```\n"
    console = "```console\n$ cat a.txt\nhullo\n```\n"
    session = "```python\n>>> 1 + 1\n3\n```\n"
    text, differences = tools("lessons").run(file + console + session)
    assert [(each.shown, each.real) for each in differences] == [("hullo\n", "hello\n"), ("3\n", "2\n")]
    assert tools("lessons").run(text)[1] == []


def test_the_nine_lines_are_the_grammars(root):
    assert (root / "grammar/utf8.abnf").read_text() in (root / "docs/lessons/abnf.md").read_text()


def test_every_lesson_has_a_question_a_wrong_try_something_built_and_exercises(root):
    for page in PAGES:
        if page.startswith("lessons/"):
            text = (root / "docs" / page).read_text(encoding="utf-8")
            assert text.splitlines()[0].endswith("?"), page
            assert re.search(r"^## (A first try|The naive pattern|What the first try)", text, re.M), page
            assert "\n## Build it" in text, page
            assert "\n## Exercises\n" in text, page
            questions, answers = (
                len(re.findall(r"^\d\. ", part, re.M)) for part in text.partition("## Exercises")[2].split("Answers")
            )
            assert questions == answers > 0, page
            run = re.split(r"^\d\. ", text.partition("Answers")[2], flags=re.M)[1:]
            assert all(re.search(r"^```(console|python)$", answer, re.M) for answer in run), page


def test_every_lesson_names_the_words_of_the_field_and_ends_with_links(root):
    """Sphinx finds a link to a term that the glossary does not have; here: a term that no lesson needs."""
    glossary = re.findall(r"^(\S.*)\n  \S", (root / "docs/glossary.md").read_text(encoding="utf-8"), re.M)
    assert len(glossary) == len(set(glossary)) > 40
    linked = set()
    for path in sorted({root / "docs" / page for page in PAGES if page.startswith("lessons/")}):
        text = path.read_text(encoding="utf-8")
        box = re.search(r"^:::\{admonition\} Words you will meet elsewhere\n(.*?)^:::$", text, re.M | re.S)[1]
        terms = re.findall(r"^- \{term\}`([^`]+)`: ", box, re.M)
        assert len(terms) == len(set(terms)) >= 3, path.name
        linked |= set(terms)
        assert re.search(r"^## Read on\n\n(- .*\]\(https://.*\n)+\Z", text, re.M), path.name
    assert linked == set(glossary)


def test_commands_use_only_programs_that_a_new_unix_shell_has(root):
    """The one way for Windows is WSL, as ``lessons/index.md`` says: nothing else has to be installed there."""
    usual = {"cat", "cmp", "echo", "grep", "head", "printf", "python3", "sed", "sort", "tail", "utf8-abnf", "wc"}
    for path in sorted((root / "docs" / "lessons").glob("*.md")):
        commands = re.findall(r"^\$ (.*)", path.read_text(encoding="utf-8"), re.M)
        quoted = [re.sub(r"'[^']*'|\"[^\"]*\"", "", command) for command in commands]
        used = {words.split()[0] for command in quoted for words in re.split(r"\|\|?|&&|;", command) if words.strip()}
        assert used <= usual, path.name


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("lessons/")])
def test_the_last_exercise_is_graded_by_a_command(page, root):
    text = (root / "docs" / page).read_text(encoding="utf-8").partition("## Exercises")[2]
    questions, answers = text.split("{admonition} Answers")
    command = r"`?utf8-abnf (grade|check|test|repair)\b"
    assert re.search(rf"^4\. \*Hand in:\*.*{command}", questions, re.M)
    assert re.search(rf"^\$ {command}", answers.partition("\n4. ")[2], re.M)


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("lessons/")])
def test_exercises_have_levels_that_rise(page, root):
    questions = (root / "docs" / page).read_text(encoding="utf-8").partition("## Exercises")[2].split("Answers")[0]
    levels = re.findall(r"^\d\. \*([^*]+):\* \S", questions, re.M)
    with_what = "With the program" if "With the program" in levels else "With the tool"
    assert levels == ["To begin with", "With pencil", with_what, "Hand in"]


@pytest.fixture(scope="module")
def catalogues(tools):
    pytest.importorskip("babel", reason="needs babel: pip install --group docs")
    pytest.importorskip("sphinx", reason="needs Sphinx: pip install --group docs")
    return tools("catalogues")


def test_every_sentence_of_the_lessons_is_translated_and_none_is_stale(catalogues, tmp_path, root):
    templates = list(catalogues.templates(tmp_path))
    assert len(templates) >= 13
    left = []
    for template in templates:
        entries = list(catalogues.read(template))
        assert entries
        for language in catalogues.TRANSLATED:
            name = template.relative_to(tmp_path).with_suffix(".po")
            path = root / "docs/locale" / language / "LC_MESSAGES" / name
            left += catalogues.bring(path, entries, language, write=False)
    assert not left


def test_a_translated_link_to_the_glossary_has_its_own_words_and_the_same_term(catalogues):
    def complaints(translation):
        return list(catalogues.complaints(SimpleNamespace(id="a {term}`code point` and `text`", string=translation)))

    assert not complaints("ein {term}`Codepunkt <code point>` und `text`")
    assert complaints("ein {term}`Codepunkt <code unit>` und `text`")
    assert complaints("ein {term}`Codepunkt` und `text`")
    assert complaints("ein {term}`Codepunkt <code point>` und `Text`")


def test_a_translation_with_another_number_is_found(catalogues):
    def complaints(translation):
        return list(catalogues.complaints(SimpleNamespace(id="498 of 13,785 texts", string=translation)))

    assert not complaints("498 von 13.785 Texten")
    assert not complaints("13,785個のテキストのうち498個")
    assert complaints("446 von 13.785 Texten")
    assert complaints("13,758個のテキストのうち498個")


def test_translations_use_the_words_of_the_table(root):
    """The last column of the table in the how-to on translating has the words that no translation uses."""
    rows = re.findall(r"^\|(.*)\|$", (root / "docs/how-to/translate.md").read_text(encoding="utf-8"), re.M)
    shunned = [word.strip() for row in rows[2:] for word in row.split("|")[3].split(",") if word.strip()]
    assert len(shunned) > 10
    catalogue_files = [*root.glob("docs/locale/*/LC_MESSAGES/**/*.po"), *TRANSLATIONS.glob("*/LC_MESSAGES/*.po")]
    assert len(catalogue_files) > 20
    used = [
        (path.name, word)
        for path in catalogue_files
        for text in re.findall(r'^(?:msgstr.*|".*)$', path.read_text(encoding="utf-8"), re.M)
        for word in shunned
        if word in text
    ]
    assert used == []


def in_language(heading, language, root, page="lessons/bits"):
    """Return a *heading* of *page* as the catalogue of *language* has it."""
    from babel.messages.pofile import read_po

    with (root / "docs/locale" / language / f"LC_MESSAGES/{page}.po").open("rb") as file:
        return read_po(file)[heading].string


@pytest.mark.sampled(0)  # CI builds them: it takes as long as a hundred other tests, and the catalogues are read above
@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {SOURCE}))  # test_reference.py builds the English one
def test_the_site_builds_without_warnings(language, root, tmp_path, catalogues):
    command = [sys.executable, "-m", "sphinx", "-q", "-t", "languages", "-D", f"language={language}", "docs", tmp_path]
    locale = root / "docs/locale" / language / "LC_MESSAGES"
    translated = [path.relative_to(locale).with_suffix(".md") for path in locale.rglob("*.po") if path.stem != "sphinx"]
    # Of the pages that stay English, two: the others are the English site's, and to write them takes half the time.
    written = ["docs" / page for page in (*translated, Path("play.md"), Path("notebook.md"))]
    done = subprocess.run([*command, *written], cwd=root, capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if "the index will be incomplete" not in line]
    assert (done.returncode, complaints) == (0, [])
    assert (tmp_path / "play-page.html").read_text(encoding="utf-8") == play_page(language)
    led = [
        link
        for lesson in (tmp_path / "lessons").glob("*.html")
        for link in re.findall(r'href="([^"]*play-page[^"]*)"', lesson.read_text(encoding="utf-8"))
    ]
    assert len(led) > 10
    assert not [link for link in led if not re.fullmatch(r"\.\./play-page\.html#(b=[0-9A-F]+&amp;p=\d|t=\w+)", link)]
    slides = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "slides").glob("*.html")}
    assert set(slides) == {"index", *(Path(page).stem for page in PAGES if page.startswith("lessons/"))}
    assert all(
        text.count("<section>") > 8 and "collapsible" not in text for name, text in slides.items() if name != "index"
    )
    assert in_language("Build it", language, root) in slides["bits"]
    page = (tmp_path / "lessons/bits.html").read_text(encoding="utf-8")
    assert in_language("Build it", language, root) in page
    assert "E6 97 A5" in page
    assert not [text for text in ("On this page", "Back to top", ">Next<", "Skip to", "Toggle") if text in page]
    assert 'lang="en" class="reference internal" href="../how-to/check-files.html"' in page
    assert not re.findall('lang="en" class="reference internal" href="(?:../lessons/)?abnf.html"', page)
    notebook = (tmp_path / "notebook.html").read_text(encoding="utf-8")
    cells = json.loads((root / "docs/tour.ipynb").read_text(encoding="utf-8"))["cells"]
    drawn = [each["data"] for cell in cells for each in cell.get("outputs", ()) if len(each.get("data", ())) > 1]
    assert notebook.count('<div class="output" ') == len(drawn) > 5
    english = (tmp_path / "play.html").read_text(encoding="utf-8")  # the manual has no translation
    assert f'<p class="admonition">{catalogue.catalogue(language).gettext(ONLY_ENGLISH)}</p><div lang="en">' in english
    assert '<div lang="en">' not in page
    kit = (tmp_path / "teaching/index.html").read_text(encoding="utf-8")
    assert '<div lang="en">' not in kit
    assert in_language("Teach with this course", language, root, "teaching/index") in kit
    index = json.loads((tmp_path / "searchindex.js").read_text(encoding="utf-8")[len("Search.setIndex(") : -1])
    if language == "ja":
        assert all(len(index["terms"][word]) > 5 for word in ("後続バイト", "先頭バイト", "後続", "先頭", "文法"))
    others = set(LANGUAGES) - {language}
    assert all(f'href="../../{other}/lessons/bits.html"' in page for other in others)
