"""Rows files: from a TOML file to ``Decoder`` values; docs/reference/decoder-rows.md describes the format.

Everything is checked when a file is read. A message begins with the file and the line that has to be changed.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED
from utf8_abnf.conformance.harness.known.decoder import Decoder
from utf8_abnf.conformance.harness.known.packages import in_shell, npm_folder, python_program
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TEXT, WORDS, LIST, TABLE = "a text", "a list of words, or a text for sh", "a list of texts", "a table of texts"
FLAG = "true or false"
NUMBER = "a number of seconds above 0"
OF_ONE_TEXT = ("quote", "link", "language", "kind", "newest", "known", "told", "fixed", "refuses", "where", "change")
KEYS = {
    **dict.fromkeys(("name", "about", "claim", *OF_ONE_TEXT, "how", "program", "argument", "source"), TEXT),
    **dict.fromkeys(("install", "package", "direct", "direct_source", "judge"), TEXT),
    **dict.fromkeys(("command", "build", "version", "probe"), WORDS),
    **dict.fromkeys(("library", "environment", "statuses"), TABLE),
    **dict.fromkeys(("core", "expensive"), FLAG),
    "deviations": LIST,
    "start": NUMBER,
}
OF_ONE_ROW = ("name", "about", "quote")  # these make no sense as defaults
LIBRARY_KEYS = ("module", "header", "flags")
VERDICTS = {"accept": ACCEPT, "reject": REJECT, "unjudged": UNSUPPORTED}
# What a reader without our folders does before the direct command.
FETCH = {
    "apt": "# in a container of Debian 12\n(apt-get update && apt-get install -qq {}) </dev/null >/dev/null && ",
    "npm": 'p=$(mktemp -d) && npm install --silent --ignore-scripts --prefix "$p" {} </dev/null && ',
    "pip": 'p=$(mktemp -d) && python3 -m venv "$p" && "$p/bin/python" -m pip install -q {} </dev/null && ',
}
COMPILE = '"$1" -O1 -w -o "$2" "$3"'
# A compiler ends with 1 for an error of its own, and so do many languages: 10 and 11 are verdicts for certain.
DIRECT = """t=$(mktemp -d) && cd $t || exit 2
cat >{name} <<'END'
{text}END
{command}; s=$?; rm -r $t; exit $((s - 10))"""


def read_rows(file: Path, shown: str, option: str = "") -> tuple[Decoder, ...]:
    """Return the decoders of the rows file *file*, which messages call *shown*; UsageError says what is wrong.

    *option* is what ``utf8-abnf`` must be given to find them, such as ``--rows mine.toml``.
    """
    lines, content = _content(file, shown)
    defaults, entries = content.get("defaults", {}), content.get("decoder", [])
    for key, value in defaults.items():
        if key in OF_ONE_ROW:
            lines.fail(None, key, f"{key} belongs to a row, not to the defaults")
        _check(lines, None, key, value)
    rows: dict[str, Decoder] = {}
    for number, entry in enumerate(entries):
        for key, value in entry.items():
            _check(lines, number, key, value)
        row = _Row(lines, number, defaults | entry, file).decoder(option)
        if row.name in rows:
            lines.fail(number, "name", f"there is a decoder {row.name!r} already, at {rows[row.name].place}")
        rows[row.name] = row
    return tuple(rows.values())


def _content(file: Path, shown: str) -> tuple[_Lines, dict[str, Any]]:
    """Return the tables of *file*: a table ``defaults`` and an array of tables ``decoder`` at most."""
    try:
        text = file.read_bytes().decode("utf-8")
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, at = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", at)
        raise UsageError(f"{shown}:{line[1] if line else len(text.splitlines())}: not TOML: {message}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{shown}: byte {error.start} is not UTF-8") from None
    except OSError as error:
        raise UsageError(f"{shown}: {error.strerror}") from None
    except RecursionError:
        raise UsageError(f"{shown}: values are nested too deeply") from None
    lines = _Lines(shown, text)
    for key, value in content.items():
        if key == "defaults" and not isinstance(value, dict):
            lines.fail(None, key, "write [defaults] before the keys that all rows have")
        elif key == "decoder" and not (isinstance(value, list) and all(isinstance(entry, dict) for entry in value)):
            lines.fail(None, key, "write [[decoder]], with two brackets, before each row")
        elif key not in ("defaults", "decoder"):
            lines.fail(None, key, f"a rows file has [defaults] and [[decoder]], not {key!r}")
    return lines, content


class _Lines:
    """Where things stand in a rows file: tomllib does not say, so headers and keys are looked for in the text."""

    def __init__(self, shown: str, text: str) -> None:
        self._shown = shown
        self._lines = text.splitlines()
        self._headers = [at for at, line in enumerate(self._lines) if re.match(r"\s*\[\[\s*decoder\s*\]\]", line)]

    def place(self, number: int | None, key: str = "") -> str:
        """Return ``FILE:LINE`` of *key* in row *number*, or before the first row; else that of the row's header."""
        if number is None:
            first, last = 0, self._headers[0] if self._headers else len(self._lines)
        elif number < len(self._headers):
            first, last = self._headers[number], [*self._headers[1:], len(self._lines)][number]
        else:
            return self._shown  # rows that are not written as [[decoder]]
        wanted = re.compile(rf'\s*\[*\s*(\w+\.)*"?{re.escape(key)}"?\s*[].=]')
        found = (at for at in range(first, last) if key and wanted.match(self._lines[at]))
        return f"{self._shown}:{next(found, first) + 1}"

    def fail(self, number: int | None, key: str, message: str) -> NoReturn:
        """Raise the UsageError that *message* is about *key* in row *number*."""
        raise UsageError(f"{self.place(number, key)}: {message}")


def _check(lines: _Lines, number: int | None, key: str, value: Any) -> None:
    """Raise UsageError unless *key* is known and *value* of its type."""
    if key not in KEYS:
        near = get_close_matches(key, KEYS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(KEYS)}"
        lines.fail(number, key, f"there is no key {key!r}; {hint}")
    of_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    table = isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    right = {TEXT: isinstance(value, str), WORDS: of_texts or isinstance(value, str), LIST: of_texts, TABLE: table}
    right[FLAG] = isinstance(value, bool)
    right[NUMBER] = type(value) in (int, float) and 0 < value < float("inf")
    if not right[KEYS[key]]:
        lines.fail(number, key, f"{key} is {KEYS[key]}, not {value!r}")


class _Row:
    """One row: its own keys and the defaults of its file, of the right types."""

    def __init__(self, lines: _Lines, number: int, keys: Mapping[str, Any], file: Path) -> None:
        self._lines = lines
        self._number = number
        self._keys = keys
        self._file = file
        self._marks = {"{pypi}": str(python_program()), "{npm}": str(npm_folder())}
        self._marks |= {f"{{{key}}}": keys[key] for key in ("argument", "judge") if key in keys}
        self._marks["{package}"] = _package_name(keys.get("package", ""))

    def decoder(self, option: str) -> Decoder:
        """Return the decoder; UsageError says what the row lacks."""
        name, about = self._needed("name"), self._needed("about")
        if not re.fullmatch(r"[\w.+-]+", name):
            self._fail("name", f"a name has letters, digits and . _ + - alone, not {name!r}")
        how = self._text("how", "stream")
        if how not in ("stream", "exec"):
            self._fail("how", f'how is "stream" or "exec", not {how!r}')
        library = self._library() | self._package()
        source = self._text("source")
        build = self._words("build") or library.get("build", ())
        program = self._fill("program", self._text("program"), self._marks)
        return Decoder(
            name,
            about,
            program or library.get("program") or self._needed("program"),
            self._command(source, build),
            how=how,
            claim=self._text("claim", "UTF-8"),
            **{key: self._text(key) for key in OF_ONE_TEXT},
            core=bool(self._keys.get("core")),
            start=self._keys.get("start", 0.0),
            expensive=bool(self._keys.get("expensive")) or how == "exec",
            source=source,
            build=build,
            version=self._words("version") or library.get("version", ()),
            environment=self._keys.get("environment", {}),
            statuses=self._statuses(how),
            install=" ".join(filter(None, (self._text("install"), self._text("package")))),
            probe=self._words("probe") or library.get("probe", ()),
            direct=self._direct(in_shell(python_program()), in_shell(npm_folder())),
            anywhere=self._anywhere(),
            deviations=tuple(self._keys.get("deviations", ())),
            file=self._beside("source") if source else None,
            place=self._lines.place(self._number),
            option=option,
        )

    def _fail(self, key: str, message: str) -> NoReturn:
        inherited = self._lines.place(self._number, key) == self._lines.place(self._number)
        self._lines.fail(None if inherited and key in self._keys else self._number, key, message)

    def _text(self, key: str, default: str = "") -> str:
        return str(self._keys.get(key, default))

    def _needed(self, key: str) -> str:
        if not self._text(key):
            name = self._text("name")
            self._fail(key, f"the decoder {name!r} has no {key}" if name else f"this decoder has no {key}")
        return self._text(key)

    def _fill(self, key: str, text: str, marks: Mapping[str, str]) -> str:
        """Return *text* with the values of *marks* in the place of their names."""
        for mark in ("argument", "judge"):
            if f"{{{mark}}}" in text and f"{{{mark}}}" not in marks:
                self._fail(key, f"{key} has {{{mark}}}, and decoder {self._text('name')!r} has no {mark}")
        return re.sub("|".join(map(re.escape, marks)), lambda mark: marks[mark[0]], text)

    def _words(self, key: str) -> tuple[str, ...]:
        value = self._keys.get(key, [])
        words = ["sh", "-c", value] if isinstance(value, str) else value
        return tuple(self._fill(key, word, self._marks) for word in words)

    def _command(self, source: str, build: tuple[str, ...]) -> tuple[str, ...]:
        if command := self._words("command"):
            return command
        if not source:
            self._fail("command", f"the decoder {self._text('name')!r} has neither command nor source")
        start = ("{binary}",) if build else ("{program}", "{source}")
        return (*start, self._text("argument")) if "argument" in self._keys else start

    def _beside(self, key: str) -> Path:
        """Return the file that *key* names, which stands relative to the rows file."""
        file = self._file.parent / self._text(key)
        if not file.is_file():
            self._fail(key, f"there is no file {self._text(key)} beside the rows file")
        return file

    def _library(self) -> dict[str, Any]:
        """Return what the table ``library`` stands for: how to build, whether it is there, and its version."""
        if "library" not in self._keys:
            return {}
        library = self._keys["library"]
        for key in library:
            if key not in LIBRARY_KEYS:
                self._fail("library", f"library has {', '.join(LIBRARY_KEYS)}, not {key!r}")
        source = self._needed("source")
        compilers = {".c": "cc", ".cc": "c++", ".cpp": "c++"}
        suffix = source[source.rfind(".") :]
        if suffix not in compilers:
            self._fail("source", f"with library, source is a file of C or C++ ({', '.join(compilers)}), not {source!r}")
        module, header, flags = (library.get(key, "") for key in LIBRARY_KEYS)
        asked = f" $(pkg-config --cflags --libs {module})" if module else ""
        facts: dict[str, Any] = {"program": compilers[suffix]}
        facts["build"] = ("sh", "-c", f"{COMPILE} {flags}{asked}".strip(), "sh", "{program}", "{output}", "{source}")
        if module:
            facts["probe"] = ("pkg-config", "--exists", module)
            facts["version"] = ("pkg-config", "--modversion", module)
        elif header:
            facts["probe"] = ("sh", "-c", f'echo "#include <{header}>" | c++ -x c++ -E -')
        return facts

    def _package(self) -> dict[str, Any]:
        """Return what ``package`` stands for: whether it is in its folder, and for PyPI the Python that has it."""
        package = self._text("package")
        if not package:
            return {}
        name = self._marks["{package}"]
        if not name:
            self._fail("package", f"package is pip:NAME==VERSION or npm:NAME@VERSION, not {package!r}")
        if package.startswith("npm:"):
            return {"probe": ("test", "-e", f"{npm_folder()}/node_modules/{name}/package.json")}
        probe = ("{program}", "-c", f"from importlib.metadata import version; version({name!r})")
        return {"program": str(python_program()), "probe": probe}

    def _statuses(self, how: str) -> dict[int, bytes]:
        statuses = self._keys.get("statuses", {})
        if statuses and how != "exec":
            self._fail("statuses", 'statuses are for how = "exec" alone')
        for status, verdict in statuses.items():
            if not status.isdecimal() or verdict not in VERDICTS:
                right = ", ".join(VERDICTS)
                self._fail("statuses", f"statuses maps an exit status to one of {right}, not {status} to {verdict!r}")
        return {int(status): VERDICTS[verdict] for status, verdict in statuses.items()}

    def _anywhere(self) -> str:
        """Return the direct command with the installation of what the row needs before it, "" where that is nothing."""
        needed = self._text("package") or self._text("install")
        kind = needed.partition(":")[0]
        direct = self._direct('"$p/bin/python"', '"$p"') if kind in FETCH else ""
        return FETCH[kind].format(needed.replace(f"{kind}:", "")) + direct if direct else ""

    def _direct(self, python: str, npm: str) -> str:
        """Return a text for sh that asks the decoder without an adapter; *python* and *npm* are where packages are."""
        shell = {"{pypi}": python, "{npm}": npm}
        direct = self._text("direct")
        if not self._text("direct_source"):
            if "{file}" in direct:
                self._fail("direct", f"direct has {{file}}, and decoder {self._text('name')!r} has no direct_source")
            return self._fill("direct", direct, self._marks | shell)
        file = self._beside("direct_source")
        text = file.read_text(encoding="utf-8")
        if not direct:
            if not file.name.endswith(".sh"):
                self._fail("direct_source", f"direct has to say how {file.name} is run; only a .sh file needs none")
            return text.rstrip("\n")
        command = self._fill("direct", direct, self._marks | shell | {"{file}": file.name})
        return DIRECT.format(name=file.name, text=text, command=command)


def _package_name(package: str) -> str:
    """Return the name in ``pip:NAME==VERSION`` or ``npm:NAME@VERSION``; "" in anything else."""
    match = re.fullmatch(r"pip:([\w.-]+)==[\w.]+|npm:((?:@[\w.-]+/)?[\w.-]+)@[\w.-]+", package)
    return (match[1] or match[2]) if match else ""
