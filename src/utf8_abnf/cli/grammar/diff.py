"""``utf8-abnf grammar diff``: two grammars in; out, whether they accept the same bytes, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.cli.grammar.grammars import load_unrolled, print_json
from utf8_abnf.cli.names import shown
from utf8_abnf.cli.status import ILL_FORMED, OK
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    import argparse

    from utf8_abnf.automaton.forms import Form
    from utf8_abnf.grammar import Grammar


def run_diff(args: argparse.Namespace) -> int:
    """Print whether the two grammars that *args* name accept the same bytes, or what only one of them accepts."""
    from utf8_abnf.automaton import compile_grammar
    from utf8_abnf.automaton.depth import only_in
    from utf8_abnf.automaton.forms import difference_forms

    left = load_unrolled(args.left, args.start, args.depth)
    right = load_unrolled(args.right, args.start_b or args.start, args.depth)
    starts = args.start or left.start, args.start_b or args.start or right.start
    sides = [(left, starts[0]), (right, starts[1])]
    mine, yours = (compile_grammar(grammar, start) for grammar, start in sides)
    names = [f"{shown(grammar.file)} {grammar[start].name}" for grammar, start in sides]
    forms = difference_forms(mine, yours) if left.depth is right.depth is None else None
    only = [only_in(left, right, starts), only_in(right, left, starts[::-1])]
    depth = max((side.depth for side in (left, right) if side.depth is not None), default=None)
    if args.format == "json":
        found: dict[str, object] = {"equal": only == [None, None], "depth": depth, "sides": names}
        found["only"] = [None if word is None else hex_bytes(word) for word in only]
        found["extra"] = forms and [str(form) for form in forms.extra]
        found["missing"] = forms and [str(form) for form in forms.missing]
        print_json(found)
    elif only == [None, None]:
        size = f"{len(mine.table) - len(mine.dead)} live states"
        if depth is not None:
            size = f"to depth {depth}, which is how often a rule is used within itself"
        print(f"equal: {names[0]} and {names[1]} accept the same bytes ({size})")
    else:
        _print_difference(names, sides, only, depth)
        if forms:
            print(f"\ncharacters that only {names[0]} accepts (extra), and that only the other accepts (missing):")
            _print_forms("extra", forms.extra)
            _print_forms("missing", forms.missing)
    return OK if only == [None, None] else ILL_FORMED


def _print_difference(
    names: list[str], sides: list[tuple[Grammar, str]], only: list[bytes | None], depth: int | None
) -> None:
    from utf8_abnf.automaton.explain import explain_failure

    print(f"different: {names[0]} and {names[1]}" + ("" if depth is None else f" (to depth {depth})"))
    for side, other in ((0, 1), (1, 0)):
        word = only[side]
        if word is None:
            print(f"  {names[side]} accepts nothing that {names[other]} rejects")
        else:
            grammar, start = sides[other]
            print(f"  {names[side]} accepts {_word(word)}, the shortest that {names[other]} rejects:")
            if failure := explain_failure(grammar, word, start):
                print(f"    {failure.message}")


def _word(word: bytes) -> str:
    """Return *word* in hex, and behind it as text, if it is visible ASCII or other UTF-8 text that can be printed."""
    if not word:
        return "the empty input"
    text = word.decode("utf-8", "replace")
    return hex_bytes(word) + (f" ({text!r})" if text.isprintable() and "\ufffd" not in text else "")


def _print_forms(title: str, forms: tuple[Form, ...]) -> None:
    for form in forms:
        print(f"{title:9}{form!s:<40} ; shortest {hex_bytes(form.example)}")
        title = ""
