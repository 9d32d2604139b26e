"""The data of the play page: the automaton, grammars, reasons, examples, exercises, and the texts in every language."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import grammar_folder
from utf8_abnf.grammar.model import VALUE
from utf8_abnf.grammar.remedies import CUT_VALUE, DEFINED_AS, ELEMENT, EMPTY, PASTED, REST, RULE
from utf8_abnf.language import syntax_errors
from utf8_abnf.language.catalogue import LANGUAGES, catalogue
from utf8_abnf.language.codes import ADVICE, REASONS, SECTION
from utf8_abnf.teaching.play.texts import TEXTS
from utf8_abnf.validator.ill_formed import LONE_TAIL, MISSING_TAIL, TRUNCATED

# The chips under the input: well-formed and ill-formed sequences of every length and kind.
EXAMPLES = (
    "41", "C3 9F", "C2 A9", "E2 82 AC", "E4 BD A0", "E6 97 A5 E6 9C AC", "F0 9F 98 80", "F0 A3 8E B4",
    "C0 80", "C0 AF", "E0 80 AF", "ED A0 80", "ED A1 8C ED BE B4", "F4 90 80 80", "F5 80 80 80", "E4 BD",
    "63 61 66 E9 21", "80",
)  # fmt: skip

# The grammar that the guided exercise begins with: it knows the lengths of sequences and nothing else.
NAIVE = """\
UTF8-octets = *( UTF8-char )
UTF8-char   = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4
UTF8-1      = %x00-7F
UTF8-2      = %xC0-DF UTF8-tail
UTF8-3      = %xE0-EF 2( UTF8-tail )
UTF8-4      = %xF0-F7 3( UTF8-tail )
UTF8-tail   = %x80-BF
"""

# The steps of the guided exercise: the rule to tighten, and the first bytes of the ill-formed sequences it must reject.
PATH = (
    ("two", "UTF8-2", ((0xC0, 0xDF),)),
    ("three", "UTF8-3", ((0xE0, 0xEC),)),
    ("surrogates", "UTF8-3", ((0xE0, 0xEF),)),
    ("four", "UTF8-4", ((0xF0, 0xF3),)),
    ("last", "UTF8-4", ((0xF0, 0xFF),)),
)

# Each entry replaces a part of the RFC's grammar by a mistake that real decoders make.
BROKEN = {
    "surrogates": ("%xED %x80-9F UTF8-tail", "%xED 2( UTF8-tail )"),
    "overlong": ("%xE0 %xA0-BF UTF8-tail", "%xE0 2( UTF8-tail )"),
    "two": ("%xC2-DF", "%xC1-DF"),
    "last": ("%xF4 %x80-8F 2( UTF8-tail )", "%xF4-F7 3( UTF8-tail )"),
    "tail": ("UTF8-tail   = %x80-BF", "UTF8-tail   = %x80-BE"),
    "three": ("%xEE-EF 2( UTF8-tail )", "%xEE 2( UTF8-tail )"),
    "one": ("*( UTF8-char )", "1*( UTF8-char )"),
}

DIALECTS = (
    "mutf8", "java-readutf", "cesu8", "wtf8", "rfc2279", "perl-utf8", "perl-strict", "lua-lax", "utf8mb3",
)  # fmt: skip

# The exercise "Other languages", in the order of levels: the grammar, one that ships, and the rule.
OTHERS = {"date-time": ("date-time", "date-time"), "json-number": ("json", "number"), "uri": ("uri", "URI")}


def page_data() -> dict[str, Any]:
    """Return all that the page's JavaScript reads, ready for ``json.dumps``."""
    derived = files(__package__) / "derived" / "utf8-automaton.json"
    folder = grammar_folder()
    text = (folder / "utf8.abnf").read_text("ascii")
    return {
        "automaton": json.loads(derived.read_text("ascii")),
        "grammar": text,
        "reasons": [
            {
                "code": code,
                "kind": _kind(code),
                "low": reason.low,
                "high": reason.high,
                "key": f"{code}.{reason.low:02X}",
            }
            for code, reasons in REASONS.items()
            for reason in reasons
        ],
        "sections": SECTION,
        "examples": EXAMPLES,
        "naive": NAIVE,
        "path": [{"name": name, "rule": rule, "ranges": ranges} for name, rule, ranges in PATH],
        "broken": {name: text.replace(*change) for name, change in BROKEN.items()},
        "dialects": {name: (folder / "dialects" / f"{name}.abnf").read_text("ascii") for name in DIALECTS},
        "languages": {
            exercise: {"rule": rule, "grammar": _lines(Grammar.load(name, start=rule), rule)}
            for exercise, (name, rule) in OTHERS.items()
        },
        "hints": _hints(),
        "strings": {language: strings(language) for language in LANGUAGES},
    }


def strings(language: str) -> dict[str, str]:
    """Return all texts in *language* by key: the page's own, and the reasons and advice of ``messages``."""
    texts = dict(TEXTS)
    for code, reasons in REASONS.items():
        texts |= {f"reason.{code}.{reason.low:02X}": reason.text for reason in reasons}
    texts |= {f"advice.{code}": text for code, text in ADVICE.items()}
    texts |= {f"syntax.{key}": text for key, text in _syntax_errors().items()}
    say = catalogue(language).gettext
    return {"name": LANGUAGES[language].name} | {key: say(text) for key, text in texts.items()}


def _syntax_errors() -> dict[str, str]:
    """Return what is said of a text that is not ABNF, by the names that it has in ``language.syntax_errors``."""
    found = {name: text for name, text in vars(syntax_errors).items() if name.isupper() and isinstance(text, str)}
    return found | {f"DIGITS.{base}": text for base, text in syntax_errors.DIGITS.items()}


def _hints() -> dict[str, Any]:
    """Return the tables of ``grammar.remedies``, with the names of their texts, for ``page/hints.js``."""
    names = {text: name for name, text in _syntax_errors().items()}
    tables = {"rule": RULE, "defined_as": DEFINED_AS, "element": ELEMENT, "pasted": tuple(PASTED.items())}
    found: dict[str, Any] = {key: [(what, names[text]) for what, text in rows] for key, rows in tables.items()}
    patterns = {"value": VALUE.pattern, "cut_value": CUT_VALUE.pattern, "rest": REST.pattern}
    return found | patterns | {"pasted": dict(found["pasted"]), "empty": EMPTY}


def _lines(grammar: Grammar, start: str) -> str:
    """Return the lines of the rules of *grammar* that *start* reaches, *start* first."""
    rules = {each.partition("=")[0].strip().lower(): each.rstrip() for each in re.split(r"\n(?=\S)", grammar.text)}
    names = [rule.name.lower() for rule in grammar.reachable(start)]
    return "\n".join(rules[name] for name in sorted(names, key=start.lower().__ne__) if name in rules) + "\n"


def _kind(code: str) -> str:
    """Return the kind of error that *code* is; by it the page chooses a code without a table of bytes of its own."""
    return {LONE_TAIL: "lone", MISSING_TAIL: "missing", TRUNCATED: "truncated"}.get(code, "value")
