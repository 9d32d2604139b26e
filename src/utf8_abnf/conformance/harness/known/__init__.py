"""The decoders that ``known:NAME`` names: those of installed packages, and those of rows files that a user names.

A package offers decoders by an entry point of the group ``utf8_abnf.decoders``: a sequence of paths of rows
files. Our own are found in the same way. docs/reference/decoder-rows.md describes rows files.
"""

from __future__ import annotations

import logging
import shlex
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from utf8_abnf.conformance.harness.known.decoder import Decoder
from utf8_abnf.conformance.harness.known.rows import read_rows
from utf8_abnf.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["Decoder", "chosen", "decoders", "find"]

GROUP = "utf8_abnf.decoders"
# For a checkout that is not installed, which has no metadata.
OURS = EntryPoint("utf8-abnf", "utf8_abnf.conformance.decoders:FILES", GROUP)


def decoders(rows: Iterable[str] = ()) -> tuple[Decoder, ...]:
    """Return every known decoder, ours first, those of the rows files *rows* last; most need not be on this machine.

    UsageError when one of *rows* is wrong or has a name that another decoder has. An installed package whose rows are
    wrong is left out, and a warning in the log ``utf8_abnf`` says why.
    """
    found = {decoder.name: decoder for decoder in _installed()}
    for name in rows:
        _add(found, read_rows(Path(name).absolute(), name, f"--rows {shlex.quote(name)}"))
    return tuple(found.values())


def chosen(names: Collection[str], rows: Collection[str] = ()) -> list[Decoder]:
    """Return the known decoders that *names* match, in which ``*`` stands for anything; without names, all of them.

    UsageError when a name is that of none.
    """
    known = decoders(rows)
    for name in names:
        if not any(fnmatchcase(each.name, name) for each in known):
            find(name, rows)  # raises, and names what is near
    return [each for each in known if not names or any(fnmatchcase(each.name, name) for name in names)]


def find(name: str, rows: Iterable[str] = ()) -> Decoder:
    """Return the decoder called *name*; UsageError names similar ones when there is none.

    >>> find("python").claim
    'UTF-8'
    """
    known = {decoder.name: decoder for decoder in decoders(rows)}
    if name in known:
        return known[name]
    near = get_close_matches(name, known)
    hint = f"did you mean {', '.join(near)}?" if near else "`utf8-abnf test --list` names them"
    raise UsageError(f"there is no known decoder {name!r}; {hint}")


@cache
def _installed() -> tuple[Decoder, ...]:
    # A checkout that is installed may be found twice.
    points = {(point.name, point.value): point for point in entry_points(group=GROUP) if point.value != OURS.value}
    installed: dict[str, Decoder] = {}
    for point in [OURS, *(points[key] for key in sorted(points))]:
        try:
            _add(installed, _of(point))
        except Exception as error:  # whatever a package of somebody else does, the other decoders stay
            if point is OURS:
                raise
            package = point.dist.name if point.dist else point.value
            reason = str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
            message = "utf8-abnf: warning: the decoders of the package %s (entry point %s) are left out: %s"
            logging.getLogger("utf8_abnf").warning(message, package, point.name, reason)
    return tuple(installed.values())


def _of(point: EntryPoint) -> tuple[Decoder, ...]:
    """Return the decoders that *point* offers."""
    files = point.load()
    if isinstance(files, str | bytes) or not all(isinstance(file, Path) for file in files):
        raise UsageError(f"{point.value} must be a sequence of paths of rows files")
    return tuple(decoder for file in files for decoder in read_rows(file, str(file)))


def _add(known: dict[str, Decoder], more: Iterable[Decoder]) -> None:
    """Put *more* into *known*, all of them or none; UsageError for a name that is there already."""
    names = dict(known)
    for decoder in more:
        if decoder.name in names:
            first = names[decoder.name].place
            raise UsageError(f"{decoder.place}: there is a decoder {decoder.name!r} already, at {first}")
        names[decoder.name] = decoder
    known.update(names)
