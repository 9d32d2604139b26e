"""The baseline of ``check``: known errors by file and content, as JSON; it is written once, and then only shrinks.

An error is known by its code, its bytes and the letters and digits of ASCII directly beside them. It stays known when
lines move, and when something else in its line is mended or becomes wrong.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import TYPE_CHECKING

from utf8_abnf.cli.files.rewriting import Rewriting
from utf8_abnf.cli.sources import STDIN, reason_of, shown
from utf8_abnf.errors import UsageError
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from utf8_abnf.explain.located import Located

_VERSION = 2
_BEFORE, _AFTER = re.compile(rb"[0-9A-Za-z]*\Z"), re.compile(rb"[0-9A-Za-z]*")


class Baseline:
    """The errors in the file *path*; with *update*, that file need not be there, and then every error is known.

    ``UsageError`` where it is not there, or is not a baseline. *known* counts the errors that were known, in all files.
    """

    def __init__(self, path: str, *, update: bool) -> None:
        self._path = path
        self._folder = os.path.dirname(os.path.abspath(path))
        self._is_new = update and not os.path.exists(path)
        self._files = {} if self._is_new else _read(path)
        self._seen: dict[str, Counter[str]] = {}  # files that were read to their end, with the known errors they have
        self.known = 0

    def unknown(self, path: str, errors: Iterable[Located]) -> Iterator[Located]:
        """Yield those *errors* of the file *path* that are not known."""
        if path == STDIN:
            yield from errors
            return
        name = self._name(path)
        kept = Counter(self._seen.get(name))  # members of an archive may share a name
        left = Counter(self._files.get(name)) - kept
        for located in errors:
            key = f"{located.error.code} {hex_bytes(_in_its_word(located))}"
            if self._is_new or left[key]:
                left[key] -= 1
                kept[key] += 1
                self.known += 1
            else:
                yield located
        self._seen[name] = kept

    def knows(self, path: str) -> bool:
        """Return whether the file *path*, which was read to its end, has known errors."""
        return path != STDIN and bool(self._seen.get(self._name(path)))

    @property
    def gone(self) -> int:
        """The number of errors in the baseline that are gone from the files that were read."""
        if self._is_new:
            return 0
        return sum(map(Counter.total, self._files.values())) - sum(map(Counter.total, self._left().values()))

    def write(self) -> None:
        """Write the known errors that there still are."""
        files = {name: dict(sorted(errors.items())) for name, errors in sorted(self._left().items()) if errors}
        text = json.dumps({"version": _VERSION, "files": files}, indent=1) + "\n"
        try:
            with Rewriting(self._path) as new:
                new.write(text.encode())
                new.commit()
        except OSError as error:
            raise UsageError(f"{shown(self._path)}: {reason_of(error)}") from None

    def _name(self, path: str) -> str:
        return os.path.relpath(os.path.abspath(path), self._folder).replace(os.sep, "/")

    def _left(self) -> dict[str, Counter[str]]:
        read = {path for name in self._seen for path in _paths(name)}
        not_read = {
            name: errors
            for name, errors in self._files.items()
            if name not in self._seen and self._is_there(name) not in ("", *read.intersection(_paths(name)[1:]))
        }
        return not_read | self._seen

    def _is_there(self, name: str) -> str:
        """Return which path of *name* is there: its own or that of the archive that has it; "" for none."""
        return next((path for path in _paths(name) if os.path.lexists(os.path.join(self._folder, path))), "")


def _paths(name: str) -> list[str]:
    """Return *name* and the names of the archives in which it may be, the innermost first."""
    return [name, *(name[:at] for at in range(len(name) - 1, 0, -1) if name[at] == "!")]


def _in_its_word(located: Located) -> bytes:
    """Return the bytes of the error and what the window has of the word around them."""
    start = located.error.start - located.window_start
    end = start + located.error.length
    before, after = _BEFORE.search(located.window, 0, start), _AFTER.match(located.window, end)
    assert before
    assert after
    return located.window[before.start() : after.end()]


def _read(path: str) -> dict[str, Counter[str]]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            record = json.load(file)
        if record["version"] != _VERSION:
            raise ValueError(record["version"])
        return {str(name): Counter({str(key): _number(number) for key, number in errors.items()})
                for name, errors in record["files"].items()}  # fmt: skip
    except FileNotFoundError:
        raise UsageError(f"there is no {shown(path)}; --update-baseline writes it") from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise UsageError(f"{shown(path)} is not a baseline of `utf8-abnf check`") from None


def _number(found: object) -> int:
    if type(found) is not int or found < 0:
        raise ValueError(found)
    return found
