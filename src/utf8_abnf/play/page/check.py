"""Check the page's answers with the package's parsers; Pyodide runs this file in the page's worker."""

import json
import sys

sys.path.insert(0, "/packages")

from utf8_abnf import is_valid
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers.lark import LarkParser
from utf8_abnf.parsers.reference import ReferenceParser

UTF8 = Grammar.load("utf8")
PARSERS = {"abnf": ReferenceParser(UTF8).accepts, "Lark": LarkParser(UTF8).accepts, "is_valid": is_valid}


def check(question: str) -> str:
    """Return how Python's answer differs from the page's, which is *question* in JSON; "" where they agree."""
    answer = json.loads(question)
    if "grammar" in answer:
        word = compile_grammar(Grammar.parse(answer["grammar"].rstrip() + "\n")).equivalent(compile_grammar(UTF8))
        found = None if word is None else list(word)
        return "" if found == answer["word"] else f"{answer['word']} / {found}"
    data = bytes(answer["bytes"])
    verdicts = {name: accepts(data) for name, accepts in PARSERS.items()}
    return "" if set(verdicts.values()) == {answer["accepted"]} else f"{data.hex(' ')}: {verdicts}"
