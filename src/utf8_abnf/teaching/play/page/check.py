"""Check the page's answers with the package's parsers, and run commands: for Pyodide in the page's worker."""

import contextlib
import io
import json
import os
import shlex
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

sys.path.insert(0, "/packages")

# The package is imported where it is used, because the page is ready for a command sooner without it.
MAX_PRINTED = 100_000  # characters of a command's output


def check(question: str) -> str:
    """Return how Python's answer differs from the page's, which is *question* in JSON; "" where they agree."""
    answer = json.loads(question)
    if "grammar" in answer and "rule" not in answer:
        return _check_grammar(answer)
    data = bytes(answer["bytes"])
    verdicts = {name: accepts(data) for name, accepts in _parsers(answer).items()}
    return "" if set(verdicts.values()) == {answer["accepted"]} else f"{data.hex(' ')}: {verdicts}"


@cache
def _utf8() -> dict[str, Callable[[bytes], bool]]:
    from utf8_abnf import is_valid
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.lark import LarkParser
    from utf8_abnf.parsers.reference import ReferenceParser

    utf8 = Grammar.load("utf8")
    return {"abnf": ReferenceParser(utf8).accepts, "Lark": LarkParser(utf8).accepts, "is_valid": is_valid}


def _parsers(answer: dict[str, Any]) -> dict[str, Callable[[bytes], bool]]:
    from utf8_abnf.grammar import Grammar
    from utf8_abnf.parsers.reference import ReferenceParser

    if "rule" not in answer:
        return _utf8()
    rule = answer["rule"]  # of another language than UTF-8
    return {"abnf": ReferenceParser(Grammar.parse(answer["grammar"], start=rule), rule).accepts}


def _check_grammar(answer: dict[str, Any]) -> str:
    """Return how Python differs from the page about a student's grammar; the page's limits of size are its own."""
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.errors import GrammarError
    from utf8_abnf.grammar import Grammar

    utf8 = Grammar.load("utf8")
    refused = answer.get("refused")
    try:
        grammar = Grammar.parse(answer["grammar"].rstrip() + "\n", values=answer["values"])
        mine = compile_grammar(grammar, utf8.start if utf8.start in grammar.rules else None)
    except GrammarError as error:
        return "" if refused else str(error)
    if refused:
        return "" if refused in {"abnf.too_large", "abnf.too_many"} else f"{refused} / -"
    word = mine.equivalent(compile_grammar(utf8))
    found = None if word is None else list(word)
    return "" if found == answer["word"] else f"{answer['word']} / {found}"


def run(question: str) -> str:
    """Return as JSON what the command line in *question* prints, and its exit status; *question* is in JSON."""
    from utf8_abnf.cli import main

    asked = json.loads(question)
    os.environ["LANGUAGE"] = asked["language"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            words = shlex.split(asked["command"].removeprefix("$"))
            status = main(words[1:] if words[:1] == ["utf8-abnf"] else words)
        except ValueError as error:  # a quotation mark without a second one
            print(error)
            status = 2
    return json.dumps({"printed": printed.getvalue()[:MAX_PRINTED], "status": status})
