"""Find the grammar files of a wheel, an editable install or a checkout: from a name to a ``Path``."""

import difflib
import errno
from importlib.resources import files
from pathlib import Path


def grammar_folder() -> Path:
    """Return the folder that holds ``utf8.abnf``.

    In a wheel it is packaged as ``utf8_abnf/grammar/abnf``; in an editable install or under ``PYTHONPATH=src``
    it is the checkout's top-level ``grammar`` (setuptools cannot import a mapped folder there: pypa/setuptools #4943).
    """
    packaged = Path(str(files("utf8_abnf.grammar"))) / "abnf"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "grammar"


def shipped_grammars() -> dict[str, Path]:
    """Return the grammars that ship with the package, by the name that ``Grammar.load`` takes, in sorted order."""
    folder = grammar_folder()
    found = {path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.abnf")}
    return dict(sorted(found.items()))


def grammar_path(name: str) -> Path:
    """Return the path of the grammar that ships under *name*, or else of the file *name*.

    ``FileNotFoundError``, with what there is instead, if there is neither.
    """
    shipped = shipped_grammars()
    path = shipped.get(name, Path(name))
    if not path.exists():
        near = difflib.get_close_matches(name, shipped, n=1)
        names = ", ".join(each for each in shipped if "/" not in each)
        remedy = f"did you mean {near[0]}?" if near else f"those are {names}"
        reason = f"there is no such file, and no grammar of this name comes with utf8-abnf; {remedy}"
        raise FileNotFoundError(errno.ENOENT, reason, name)
    return path
