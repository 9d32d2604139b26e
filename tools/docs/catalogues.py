"""Bring the translations up to date: ``python tools/docs/catalogues.py [--check]``.

Needs the dependency group ``docs``.

Messages: what TABLES and ``play/texts.py`` hold, into ``messages.po`` in
``src/utf8_abnf/language/locale/``, and compiled beside it. Lessons: what Sphinx takes out of ``docs/``, into
``docs/locale/``; Sphinx compiles those itself.
A text that changed loses its translation, because no guess is kept, and is shown in English until it has a new one.
``--check`` writes nothing. Both print what is left to translate; no test asks for it.
"""

from __future__ import annotations

import argparse
import io
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src/utf8_abnf/language/locale"
sys.path.insert(0, str(ROOT / "src"))  # the sources beside this tool, whatever is installed

from utf8_abnf.language import codes, explanations, feedback, refusals, syntax_errors  # noqa: E402
from utf8_abnf.language.catalogue import TRANSLATED, Counted  # noqa: E402
from utf8_abnf.language.codes import Entry, Reason  # noqa: E402
from utf8_abnf.language.refusals import Refusal  # noqa: E402
from utf8_abnf.teaching.play.texts import TEXTS  # noqa: E402
from utf8_abnf.validator import ill_formed  # noqa: E402

TABLES = (codes, refusals, explanations, syntax_errors, feedback)
PAGES = (  # of docs/
    "index",
    "tutorial",
    "explanation",
    "how-to/index",
    "reference/index",
    "glossary",
    "lessons/*",
    "teaching/*",
    "teaching/recipes/*",
)


def main() -> int:
    """Return 0 when everything is translated, else 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args()
    left: dict[Path, list[str]] = {}
    for language in TRANSLATED:
        path = PACKAGE / language / "LC_MESSAGES" / "messages.po"
        left[path] = bring(path, messages(), language, write=not args.check)
        if not args.check:
            path.with_suffix(".mo").write_bytes(machine_object(path))
    with tempfile.TemporaryDirectory() as folder:
        for template in templates(Path(folder)):
            entries = list(read(template))
            for language in TRANSLATED:
                path = ROOT / "docs/locale" / language / "LC_MESSAGES" / template.relative_to(folder).with_suffix(".po")
                left[path] = bring(path, entries, language, write=not args.check)
    for path in left:
        text = "\n".join(re.findall(r'^(?:msgstr.*|".*)$', path.read_text(encoding="utf-8"), re.M))
        left[path] += [
            f"has {word!r}, for which docs/how-to/translate.md has another" for word in shunned() if word in text
        ]
    lines = [f"{path.relative_to(ROOT)}: {complaint}" for path, complaints in left.items() for complaint in complaints]
    print("\n".join(lines) or "all is translated")
    return 1 if lines else 0


def shunned() -> list[str]:
    """Return the words that no translation uses: the last column of the table in the how-to on translating."""
    rows = re.findall(r"^\|(.*)\|$", (ROOT / "docs/how-to/translate.md").read_text(encoding="utf-8"), re.M)
    return [word.strip() for row in rows[2:] for word in row.split("|")[3].split(",") if word.strip()]


def messages() -> Iterator[tuple[str | tuple[str, str], str]]:
    """Yield every message of the package, with its name."""
    for name, text in [*translatable(), *((f"play {key}", text) for key, text in TEXTS.items())]:
        yield (text if isinstance(text, str) else (text.one, text.many)), name


def translatable() -> Iterator[tuple[str, str | Counted]]:
    """Yield every message that the package shows in the user's language, with the name under which it stands."""
    for table in TABLES:
        for name, value in vars(table).items():
            if name.strip("_").isupper():
                for place, text in _texts(name, value):
                    is_code = text in ill_formed.CODES or text in refusals.CODES
                    if text and not is_code and place.rpartition(".")[2] != "example":  # bytes
                        yield place, text


def _texts(place: str, value: object) -> Iterator[tuple[str, str | Counted]]:
    match value:
        case Counted() | str():
            yield place, value
        case Reason():
            yield place, value.text
        case Refusal():
            yield place, value.why
            yield place, value.fix
        case Entry():
            for field, text in value._asdict().items():
                yield from _texts(f"{place}.{field}", text)
        case dict():
            for key, item in value.items():
                yield from _texts(f"{place}[{key}]", item)
        case tuple():
            for item in value:
                yield from _texts(place, item)


def templates(folder: Path) -> Iterator[Path]:
    """Have Sphinx write what there is to translate in ``docs/`` into *folder*; yield the files that we translate."""
    docs = ROOT / "docs"
    ours = {page for pattern in PAGES for page in docs.glob(f"{pattern}.md")}
    others = ",".join(str(page.relative_to(docs)) for page in docs.rglob("*.md") if page not in ours)
    # Only our pages are read, a quarter of the time; what is wrong with links to others, the site's build says.
    command = [sys.executable, "-m", "sphinx", "-Q", "-D", f"exclude_patterns={others}", "-b", "gettext", docs, folder]
    subprocess.run(command, check=True)
    for pattern in PAGES:
        yield from sorted(folder.glob(f"{pattern}.pot"))


def read(path: Path) -> Iterator[tuple[str | tuple[str, str], str]]:
    """Yield the messages of the catalogue *path*, without their places, which change too often."""
    with path.open("rb") as file:
        for message in read_po(file):
            if message.id:
                yield message.id, ""


def bring(path: Path, entries: Iterable[tuple[str | tuple[str, str], str]], language: str, *, write: bool) -> list[str]:
    """Write *entries* into the catalogue *path*, in their order, with its translations; return what is left to do."""
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    new = Catalog(locale=language, project="utf8-abnf", charset="utf-8", fuzzy=False, header_comment="")
    for text, place in entries:
        known = old.get(text if isinstance(text, str) else text[0])
        translation = known.string if known and not known.fuzzy else ""
        if isinstance(text, str) and _NO_LANGUAGE.fullmatch(text):
            translation = text
        new.add(text, translation, auto_comments=[place] if place else [])
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(portable(new))
    return [complaint for message in new if message.id for complaint in complaints(message)]


def complaints(message: object) -> Iterator[str]:
    """Yield what is wrong with a translation: it is missing, or its facts are not those of the message."""
    sources = [message.id] if isinstance(message.id, str) else list(message.id)
    targets = [message.string] if isinstance(message.string, str) else list(message.string)
    if not all(targets):
        yield f"not translated: {sources[0]!r}"
        return
    for target in targets:
        differing = facts(target) ^ facts(sources[-1])
        if differing and not (differing <= facts(target) and all(fact.isdecimal() for fact in differing)):  # 10 for ten
            yield f"other facts than the message's: {target!r}"


# Code alone, names of files, bytes, code points and numbers: the same in every language.
_NO_LANGUAGE = re.compile(
    r"(`[^`]*`[ ,]*)+|\d+( \+ \d+)*|[a-z]+\.(py|abnf)|[0-9A-F]{1,2}(, [0-9A-F]{2})*|ABNF|utf8-abnf"
)

# What no language changes: fields, code, the targets of links, bytes and ranges, code points, options.
_FACTS = re.compile(
    r"\{\w+\}|`[^`]+`|(?<=\]\()[^)]+|(?<![A-Za-z0-9+])[0-9A-F]{2}(?:\.\.[0-9A-F]{2})?(?![A-Za-z0-9])|U\+[0-9A-F]+|--[a-z][a-z-]+"
)

# Numbers of three digits or more, which German groups with a full stop.
_LARGE_NUMBER = re.compile(r"(?<![\w.+#-])[0-9]{1,3}(?:[.,][0-9]{3})+(?![0-9])|(?<![\w+#-])[0-9]{3,}(?!\w)", re.ASCII)
_LINK_TARGET = re.compile(r"(?<=\]\()[^)]*")

# A link to the glossary: its words are translated, the term that it leads to is the English one.
_TERM = re.compile(r"\{term\}`(?:[^`<>]*<)?([^`<>]+)>?`")


def facts(text: str) -> set[str]:
    """Return the parts of *text* that have to be the same in every language."""
    numbers = {re.sub("[.,]", "", number) for number in _LARGE_NUMBER.findall(_LINK_TARGET.sub("", text))}
    return set(_FACTS.findall(_TERM.sub(r"{term}`\1`", text))) | numbers


def portable(catalogue: Catalog) -> bytes:
    """Return *catalogue* as the content of a file, without dates and names, so that it is reproducible."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=0, omit_header=False)
    others = re.compile(rb'^"(?!(Language:|Plural|MIME|Content))[A-Z][\w-]+: .*\n', re.M)
    head, blank, rest = buffer.getvalue().partition(b"\n\n")
    return others.sub(b"", head + b"\n") + blank[1:] + rest


def machine_object(path: Path) -> bytes:
    """Return the compiled form of the catalogue *path*, reproducible to the byte.

    The layout is GNU gettext's: a head of seven numbers, for each text its length and offset, then for each
    translation, then all of them with a NUL after each. Babel's own has the date in it.
    """
    with path.open("rb") as file:
        catalogue = read_po(file)
    header = f"Content-Type: text/plain; charset=utf-8\nPlural-Forms: {catalogue.plural_forms}\n"
    pairs = [(b"", header.encode())]
    translated = [entry for entry in catalogue if entry.id and _joined(entry.string).strip(b"\0")]
    pairs += sorted((_joined(entry.id), _joined(entry.string)) for entry in translated)
    texts = [text for text, _ in pairs] + [translation for _, translation in pairs]
    at = 28 + 8 * len(texts)
    places = b""
    for text in texts:
        places += struct.pack("<2I", len(text), at)
        at += len(text) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 28 + 8 * len(texts))
    return head + places + b"".join(text + b"\0" for text in texts)


def _joined(text: str | tuple[str, ...]) -> bytes:
    return (text if isinstance(text, str) else "\0".join(text)).encode()


if __name__ == "__main__":
    raise SystemExit(main())
