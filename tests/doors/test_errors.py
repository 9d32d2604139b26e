"""Errors of all rooms can be pickled: a pool of processes hands them on so."""

import importlib
import pickle
import re
from pathlib import Path

import pytest

import utf8_abnf
from utf8_abnf.codec.errors import EncodeError, Utf16Error
from utf8_abnf.conformance.learning.teacher import NotLearnableError, TooLongError, UnsteadyError
from utf8_abnf.errors import GrammarError, NotRegularError, ParseError, TooLargeError
from utf8_abnf.files.repairing.model import UndoError

PLACE = {"file": "x.abnf", "line": 3, "column": 7}
WITH_FACTS = [  # errors that a message alone does not make
    EncodeError("a\ud800", 1, 0xD800),
    GrammarError("wrong", **PLACE),
    NotLearnableError("no automaton", b"a"),
    NotRegularError("not regular", ("a", "b"), **PLACE),
    ParseError("'c' at offset 4", offset=4, expected="80..BF"),
    TooLargeError("too large", **PLACE),
    TooLongError(b"a", accepted=True),
    UndoError(3, b"a"),
    UnsteadyError(b"a"),
    Utf16Error("utf-16-le", b"a\0\0\xd8", 2, 0xD800),
    utf8_abnf.InvalidUtf8(b"\x80", utf8_abnf.first_error(b"\x80")),
]
ERROR = re.compile(r"^class ([A-Z]\w*(?:Error|Utf8))\(.*(?:Error|Exception)\)", re.MULTILINE)


def error_classes():
    """Return all exceptions of the package that have a public name."""
    package = Path(utf8_abnf.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for name in ERROR.findall(path.read_text("utf-8")):
            module = path.relative_to(package.parent).with_suffix("").parts
            yield getattr(importlib.import_module(".".join(module)), name)


def all_errors():
    given = {type(error): error for error in WITH_FACTS}
    found = [given.pop(kind) if kind in given else kind("a reason") for kind in error_classes()]
    assert not given
    for error in found:
        error.add_note("in the third file")
    return found


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: type(error).__name__)
def test_an_error_can_be_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
