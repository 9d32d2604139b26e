"""``utf8_abnf.named`` makes the named tuples that typing makes, without what they cost at the start."""

from __future__ import annotations

import pickle
import subprocess
import sys
import typing

import pytest

from utf8_abnf import named


class Ours(named.NamedTuple):
    """A name and two numbers."""

    name: str
    size: int = 1
    rest: Nowhere | None = None  # noqa: F821  # an annotation is not looked at

    @property
    def double(self) -> int:
        return self.size * 2


class Theirs(typing.NamedTuple):
    """A name and two numbers."""

    name: str
    size: int = 1
    rest: object = None

    @property
    def double(self) -> int:
        return self.size * 2


def facts(made):
    one = made("a", rest=3)
    return (
        one, one.double, one._asdict(), one._replace(size=2), made._make("abc"), made._fields, made._field_defaults,
        repr(one).partition("(")[2], made.__doc__, made.__module__, made.__mro__[-2:], hasattr(one, "__dict__"),
        pickle.loads(pickle.dumps(one)) == one,
    )  # fmt: skip


def test_it_is_as_that_of_typing():
    assert facts(Ours) == facts(Theirs)
    assert repr(Ours("a")) == "Ours(name='a', size=1, rest=None)"


@pytest.mark.parametrize("arguments", [(), ("a", 1, 2, 3)])
def test_wrong_arguments_are_refused(arguments):
    for made in (Ours, Theirs):
        with pytest.raises(TypeError):
            made(*arguments)


def test_a_check_of_well_formed_text_compiles_no_annotation(tmp_path):
    """The first ``compile`` makes all classes of ``ast``: a fifth of what such a check takes beside Python's start."""
    (tmp_path / "good.txt").write_text("größe", encoding="utf-8")
    program = """
import sys, typing
def refuse(*_, **__): raise AssertionError("an annotation was compiled")
typing.ForwardRef.__init__ = refuse
from utf8_abnf.cli import main
sys.exit(main(["check", "-z", sys.argv[1]]))
"""
    subprocess.run([sys.executable, "-c", program, "good.txt"], check=True, cwd=tmp_path, timeout=60)
