"""The mutants of a C source: constants up and down, operators swapped, named bits and statements left out."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change: in *file*, the text from *start* to *end* becomes *new*."""

    file: str
    start: int
    end: int
    new: str
    text: str  # the line as it stands
    old: str
    occurrence: int  # which `old` of that line, from 1

    @property
    def key(self) -> str:
        """What names the mutant in survivors.toml: neither moves nor comments change it."""
        which = f" ({self.occurrence})" if self.occurrence > 1 else ""
        change = "left out" if self.new == ";" else f"{self.old}{which} -> {self.new}"
        text = re.sub(r" */[*].*?[*]/|\\$", "", self.text).strip()
        return f"{self.file}: {text}: {change}"


SWAPS = {
    "<=": ("<",), "<": ("<=",), ">=": (">",), ">": (">=",), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "&": ("|",), "|": ("&",), "^": ("|",), "+": ("-",), "-": ("+",), "+=": ("-=",), "++": ("--",), "%": ("+",),
    "!": (" ",), "~": (" ",), "*": (), "<<": (">>",), ">>": ("<<",),
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|->)"""
    r"""|(?P<intrinsic>\b_mm\d*_(?P<operation>and|or|xor)_si\d+\b)"""
    r"""|(?P<number>\b(?:0x[0-9A-Fa-f]+|\d+)\b)|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<operator><<=|>>=|<<|>>|\+=|-=|\+\+|--|<=|>=|==|!=|&&|\|\||[<>&|^+\-%!~*])""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
OPERATIONS = ("and", "or", "xor")
BITS = frozenset(
    ["NO_TAIL", "LONE_TAIL", "NEVER", "OVERLONG_2", "OVERLONG_3", "SURROGATE", "OVERLONG_4", "TOO_LARGE", "TWO_TAILS"]
)
STATEMENT = re.compile(  # a call or an assignment, no declaration, and no second line of something longer
    r"^[ \t]+(?:if \([^\n]*?\) )?"
    r"(?P<statement>(?!return\b|_mm\d+_alignr|_mm\d+_maskz)\w+(?:->\w+)?(?:\([^\n;]*\)| [|+-]?= [^\n;/]*);)",
    re.MULTILINE,
)


def mutants(file: str, source: str) -> list[Mutant]:
    """Return every mutant of *source*, the text of *file*."""
    out = [_mutant(file, source, match.span("statement"), ";", 1) for match in STATEMENT.finditer(source)]
    for match in TOKEN.finditer(source):
        old = match.group()
        if match["number"]:
            value = int(old, 0)
            form = "0x{:02X}" if old.startswith("0x") else "{}"
            is_status = source.endswith("return -", 0, match.start())  # callers ask whether it is below 0
            news = [form.format(each) for each in (value + 1, value - 1)[is_status:] if each >= 0]
        elif match["operator"]:
            news = list(SWAPS.get(old, ()))
            if old in {"*", "&", "-"} and _unary(source, match.start()):
                news = []
        elif match["intrinsic"]:
            news = [old.replace(match["operation"], each) for each in OPERATIONS if each != match["operation"]]
        elif match["word"] and old in BITS:
            news = ["0"]
        else:
            continue
        before = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
        occurrence = 1 + sum(each.group() == old for each in TOKEN.finditer(before))
        out += [_mutant(file, source, match.span(), new, occurrence) for new in news]
    return out


def _mutant(file: str, source: str, span: tuple[int, int], new: str, occurrence: int) -> Mutant:
    text = source.splitlines()[source.count("\n", 0, span[0])]
    return Mutant(file, *span, new, text, source[slice(*span)], occurrence)


def _unary(source: str, at: int) -> bool:
    before = source[:at].rstrip()
    return (
        before[-1:] in "(,=&|<>?:{"
        or before.endswith("return")
        or re.search(r"_t$|\bchar$|__m\d+i$|int$|void$", before) is not None
    )
