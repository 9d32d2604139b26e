"""The grammar files of a wheel, an editable install or a checkout: names in, paths out."""

import difflib
import errno
from importlib.resources import files
from pathlib import Path

from utf8_abnf.language import grammars as messages
from utf8_abnf.language import syntax_errors
from utf8_abnf.language.catalogue import Message


def grammar_folder() -> Path:
    """Return the folder that holds ``utf8.abnf``.

    In a wheel it is packaged as ``utf8_abnf/grammar/abnf``; in an editable install or under ``PYTHONPATH=src``
    it is the checkout's top-level ``grammar`` (setuptools cannot import a mapped folder there: pypa/setuptools #4943).
    """
    packaged = Path(str(files("utf8_abnf.grammar"))) / "abnf"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "grammar"


def shipped_grammars() -> dict[str, Path]:
    """Return the grammars that ship with the package, by the name that ``Grammar.load`` takes, in sorted order.

    >>> shipped_grammars()["utf8"].name
    'utf8.abnf'
    """
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
        those = Message(messages.THOSE_ARE, names=names)
        remedy = Message(syntax_errors.DID_YOU_MEAN, name=near[0]) if near else those
        raise FileNotFoundError(errno.ENOENT, Message(messages.NO_GRAMMAR, remedy=remedy), name)
    return path
