"""Numbers of C: the bits and the sign of an expression's type, and the values that fit into it."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import z3
from intrinsics import NotModelledError
from pycparser import c_ast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = tuple[int, bool]  # bits, signed
WORDS = {"size_t", "ptrdiff_t", "uintptr_t", "long"}  # as wide as an address
BITS = {"_Bool": 1, "uint8_t": 8, "char": 8, "int": 32, "unsigned": 32, "uint32_t": 32, "int32_t": 32}
SIGNED = {"char", "int", "int32_t", "ptrdiff_t", "long"}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
NO_NUMBERS = ("vector", "objections", "progress", "void")


class Types:
    """The types of a source file's variables and functions."""

    def __init__(self, tree: c_ast.FileAST, functions: dict[str, c_ast.FuncDef], word: int) -> None:
        """Read the declarations. *word*: the bits of an address."""
        self.functions, self.word = functions, word
        self.names = {
            name: {each.name: each.type for part in (function.decl, function.body) for each in every(part, c_ast.Decl)}
            for name, function in functions.items()
        }
        self.fields = {each.name: each.type for struct in every(tree, c_ast.Struct) for each in struct.decls or ()}

    def declared(self, function: str, name: str) -> Kind | None:
        """Return the type of a variable of a function; None for what is not a number."""
        return self.of(self.names[function].get(name))

    def of(self, declared: Any) -> Kind | None:
        """Return how many bits a type has and whether it is signed; None for what is not a number."""
        if not isinstance(declared, c_ast.TypeDecl) or not isinstance(declared.type, c_ast.IdentifierType):
            return None
        name = declared.type.names[-1]
        bits = self.word if name in WORDS else BITS.get(name, 64)
        return None if name.startswith("__m") or name in NO_NUMBERS else (bits, name in SIGNED)

    def kind(self, function: str, *operands: Any) -> Kind | None:
        """Return the type of an expression, or the one that C brings several operands to."""
        kinds = [each for each in (self._kind(function, operand) for operand in operands) if each is not None]
        kinds = [(32, True) if bits < 32 else (bits, signed) for bits, signed in kinds]
        return max(kinds, key=lambda each: (each[0], not each[1])) if len(kinds) == len(operands) else None

    def _kind(self, function: str, node: Any) -> Kind | None:
        match node:
            case c_ast.Constant():
                return (64 if int(node.value.rstrip("uUlL"), 0) >> 31 else 32), "u" not in node.value.lower()
            case c_ast.ID() if node.name in self.names[function]:
                return self.declared(function, node.name)
            case c_ast.Cast():
                return self.of(node.to_type.type)
            case c_ast.BinaryOp(op="-") if not self._kind(function, node.left) and not self._kind(function, node.right):
                return self.word, True  # of two pointers
            case c_ast.BinaryOp(op=op) if op not in COMPARISONS and op not in ("&&", "||"):
                return self.kind(function, node.left, node.right)
            case c_ast.TernaryOp():
                return self.kind(function, node.iftrue, node.iffalse)
            case c_ast.UnaryOp(op=op) if op != "!":
                return self.kind(function, node.expr)
            case c_ast.FuncCall():
                called = self.functions.get(node.name.name)
                return self.of(called.decl.type.type) if called is not None else None
            case c_ast.StructRef():
                return self.of(self.fields[node.field.name])
            case c_ast.ID() | c_ast.BinaryOp() | c_ast.UnaryOp():  # a named constant, or 0 and 1
                return 32, True
        return None


def fits(value: Any, kind: Kind) -> Any:
    """Return that a value fits into a type."""
    bits, signed = kind
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    return z3.And(low <= value, value < high)


def arithmetic(op: str, x: Any, y: Any) -> Any:
    """Return what C computes, if all fits: AND is with 2^n - 1 or -2^n."""
    if op in COMPUTED:
        return COMPUTED[op](x, y)
    if op == "&" and isinstance(y, int) and y >= 0 and y & y + 1 == 0:
        return x % (y + 1)
    if op == "&" and isinstance(y, int) and y < 0 and -y & -y - 1 == 0:
        return x - x % -y
    raise NotModelledError(f"{x} {op} {y}")


COMPUTED: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def every(node: Any, kind: Any) -> Iterator[Any]:
    """Yield every node of a kind in a syntax tree, in the source's order."""
    if isinstance(node, kind):
        yield node
    for _, child in node.children() if node is not None else ():
        yield from every(child, kind)
