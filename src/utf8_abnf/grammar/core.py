"""Return the core rules of RFC 5234 appendix B.1 as ``Rule`` objects; every grammar may use them undefined."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from utf8_abnf.grammar.files import grammar_folder
from utf8_abnf.grammar.reader import read

if TYPE_CHECKING:
    from utf8_abnf.grammar.syntax import Rule


@cache
def core_text() -> str:
    """Return the text of ``grammar/core.abnf``, which the spans of the core rules refer to."""
    return (grammar_folder() / "core.abnf").read_text("ascii")


@cache
def core_rules() -> dict[str, Rule]:
    """Return the core rules by their names in lower case."""
    return {rule.name.lower(): replace(rule, core=True) for rule in read(core_text(), "grammar/core.abnf")}
