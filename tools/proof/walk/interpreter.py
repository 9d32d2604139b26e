"""Runs a kernel's C source, read by pycparser, on a text of known size and unknown bytes.

Where the source asks about the text (are these bytes ASCII? does a lane object?), ``decide`` answers: the caller walks
every path. Reads outside a room end with an IndexError. Only what the kernels use is understood; all else is refused.
"""

from __future__ import annotations

import operator
import os
import re
import subprocess
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nodes
from intrinsics import INTRINSICS, Condition, Largest, NotModelledError, Pointer, ZeroWhen
from nodes import Node
from pycparser import CParser, c_ast
from pycparser.c_parser import ParseError

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
MACHINES = {"neon": "__aarch64__", "wasm": "__wasm_simd128__"}  # what a compiler for them defines; the rest is for x86
WIDTHS = {"uint8_t": 8, "uint32_t": 32, "uint64_t": 64, "uintptr_t": 64, "size_t": 64, "long": 64}


def parse(source: Path) -> c_ast.FileAST:
    """Return the syntax tree of a kernel's source, its headers taken in, GCC's own words taken out."""
    x86 = "__x86_64__"
    machine = MACHINES.get(source.stem, x86)
    command = [
        os.environ.get("CC", "cc"),
        "-E",
        "-nostdinc",
        *(f"-U{each}" for each in (x86, *MACHINES.values()) if each != machine),
        f"-D{machine}",
        "-D__attribute__(x)=",
        "-D__asm__(...)=",
        "-DUTF8_KEEP(vector)=",
        "-D__builtin_expect(condition,_)=(condition)",
    ]
    command += ["-I", str(HERE / "headers"), "-I", str(source.parent), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ParseError(next(line for line in done.stderr.splitlines() if "error:" in line))
    parser = CParser()
    try:
        return parser.parse(done.stdout)
    except ParseError as error:
        if re.search(r":\d+", str(error)):
            raise
        file, _, what = str(error).partition(": ")  # pycparser 3 does not say the line of some errors
        raise ParseError(f"{file}:{getattr(parser.clex, '_lineno', '?')}: {what}") from None


class _Return(Exception):  # noqa: N818 - not an error
    pass


class _Break(Exception):  # noqa: N818 - not an error
    pass


class _Continue(Exception):  # noqa: N818 - not an error
    pass


class Array(list[Any]):
    """An array that is a local variable, or a table of numbers above 255. Passed to a function it is shared."""


class Struct(dict[str, Any]):
    """A struct's fields; passed by value it is copied."""


class Interpreter:
    """A source file's functions, to be called by name."""

    def __init__(self, tree: c_ast.FileAST) -> None:
        self.functions: dict[str, c_ast.FuncDef] = {}
        self.globals: dict[str, Any] = {}
        self.fields: dict[str, list[str]] = {}
        self.stand_ins: dict[str, Callable[..., Any]] = {}  # what answers in a function's place
        self.scopes: dict[str, dict[str, Any]] = {}  # the variables of each function's last call
        self.decide: Callable[[Condition], bool] = lambda condition: bool(condition)
        self.line: Any = ""  # of the source: file and line of the statement that was run last
        for each in tree.ext:
            if isinstance(each, c_ast.FuncDef):
                self.functions[each.decl.name] = each
            else:
                self._declare(each, self.globals)

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what the function returns."""
        function = self.functions[name]
        names = [each.name for each in function.decl.type.args.params]
        scope = self.scopes[name] = dict(zip(names, map(self._copied, arguments), strict=True))
        try:
            self._run(function.body, scope)
        except _Return as answer:
            (value,) = answer.args
            returned = function.decl.type.type
            if isinstance(returned, c_ast.TypeDecl) and getattr(returned.type, "names", None) == ["_Bool"]:
                return self._boolean(value)
            return value
        return None

    def place(self) -> str:
        """Return where in the source the statement stands that was run last."""
        return f"{Path(self.line.file).name}:{self.line.line}" if self.line else "the source"

    def looked_from(self, good: int, size: int) -> int:
        """Return from where on the scalar kernel is asked to look, once ``checked`` has answered *good*."""
        asked: list[int] = []
        answers = {"checked": lambda *_: good, "utf8_first_error_from": lambda _, __, at: asked.append(at) or 0}
        others, self.stand_ins = self.stand_ins, answers
        self.call("first_error", Pointer(b"", 0), size)
        self.stand_ins = others
        return asked[0]

    # ---- declarations ----------------------------------------------------------------------------------------------

    def _declare(self, node: Any, scope: dict[str, Any]) -> None:
        if isinstance(node, c_ast.Typedef):
            kind = node.type.type
            if isinstance(kind, c_ast.Struct) and kind.decls:
                self.fields[node.name] = [each.name for each in kind.decls]
            return
        if isinstance(node.type, c_ast.Enum):
            value = -1
            for each in node.type.values.enumerators:
                value = self._value(each.value, scope) if each.value is not None else value + 1
                scope[each.name] = value
            return
        if node.init is None and isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is not None:
            scope[node.name] = Array([None] * self._value(node.type.dim, scope))
        elif node.name is None or node.init is None or isinstance(node.type, c_ast.FuncDecl):
            scope.setdefault(node.name, None)
        elif isinstance(node.init, c_ast.InitList):
            self._initialize(node, scope)
        else:
            scope[node.name] = self._copied(self._value(node.init, scope))

    def _initialize(self, node: c_ast.Decl, scope: dict[str, Any]) -> None:
        """Make a table, or a struct; no table of entry points: functions go by their names here."""
        if isinstance(node.type, c_ast.ArrayDecl):
            values = [self._value(each, scope) for each in node.init.exprs]
            if max(values) < 256:
                scope[node.name] = Pointer(bytes(values), 0)
            else:
                scope[node.name] = Array(values + [0] * (self._value(node.type.dim, scope) - len(values)))
        elif node.type.type.names != ["utf8_kernel"]:
            values = [self._value(each, scope) for each in node.init.exprs]
            scope[node.name] = Struct(zip(self.fields[node.type.type.names[0]], values, strict=True))

    # ---- statements ------------------------------------------------------------------------------------------------

    def _run(self, node: Any, scope: dict[str, Any]) -> None:
        self.line = getattr(node, "coord", None) or self.line
        match node:
            case None | c_ast.EmptyStatement():
                pass
            case c_ast.Compound():
                inner = scope  # the kernels hide no name
                for each in node.block_items or ():
                    self._run(each, inner)
            case c_ast.Decl():
                self._declare(node, scope)
            case c_ast.DeclList():
                for each in node.decls:
                    self._declare(each, scope)
            case c_ast.Return():
                raise _Return(self._copied(self._value(node.expr, scope)) if node.expr else None)
            case c_ast.Break():
                raise _Break
            case c_ast.Continue():
                raise _Continue
            case c_ast.If():
                self._run(node.iftrue if self._holds(node.cond, scope) else node.iffalse, scope)
            case c_ast.While() | c_ast.For():
                if isinstance(node, c_ast.For):
                    self._run(node.init, scope)
                while node.cond is None or self._holds(node.cond, scope):
                    try:
                        self._run(node.stmt, scope)
                    except _Break:
                        break
                    except _Continue:
                        pass
                    if isinstance(node, c_ast.For) and node.next is not None:
                        self._value(node.next, scope)
            case _:
                self._value(node, scope)

    # ---- expressions -----------------------------------------------------------------------------------------------

    def _holds(self, node: Any, scope: dict[str, Any]) -> bool:
        return self._truth(self._value(node, scope))

    def _boolean(self, value: Any) -> Any:
        return int(self._truth(value))

    def _truth(self, value: Any) -> bool:
        if isinstance(value, Condition):
            return self.decide(value)
        if isinstance(value, ZeroWhen):
            return not self.decide(value.condition)
        if not isinstance(value, (int, Pointer)):
            raise NotModelledError(f"is {value} true?")
        return bool(value)

    def _value(self, node: Any, scope: dict[str, Any]) -> Any:
        match node:
            case c_ast.Constant():
                return int(node.value.rstrip("uUlL"), 0)
            case c_ast.ID():
                return scope[node.name] if node.name in scope else self.globals[node.name]
            case c_ast.Assignment():
                old = self._value(node.lvalue, scope) if node.op != "=" else None
                new = self._value(node.rvalue, scope)
                return self._store(node.lvalue, new if node.op == "=" else self._binary(node.op[:-1], old, new), scope)
            case c_ast.TernaryOp():
                return self._value(node.iftrue if self._holds(node.cond, scope) else node.iffalse, scope)
            case c_ast.BinaryOp(op="&&"):
                return int(self._holds(node.left, scope) and self._holds(node.right, scope))
            case c_ast.BinaryOp(op="||"):
                return int(self._holds(node.left, scope) or self._holds(node.right, scope))
            case c_ast.BinaryOp():
                return self._binary(node.op, self._value(node.left, scope), self._value(node.right, scope))
            case c_ast.UnaryOp():
                return self._unary(node, scope)
            case c_ast.Cast():
                return self._cast(node.to_type.type, self._value(node.expr, scope))
            case c_ast.ArrayRef():
                at = self._value(node.name, scope)
                if isinstance(at, Array):
                    return at[self._place(at, node.subscript, scope)]
                return Pointer(at.room, at.at + self._value(node.subscript, scope)).load(1)[0]
            case c_ast.StructRef():
                return self._value(node.name, scope)[node.field.name]
            case c_ast.FuncCall():
                return self._called(node, scope)
            case c_ast.CompoundLiteral():
                values = [self._value(each, scope) for each in node.init.exprs]
                return Struct(zip(self.fields[node.type.type.type.names[0]], values, strict=True))
        raise NotModelledError(type(node).__name__)

    def _called(self, node: c_ast.FuncCall, scope: dict[str, Any]) -> Any:
        name = node.name.name
        if name == "memcpy":  # into a number
            target, source, count = node.args.exprs
            return self._store(target.expr, self._value(source, scope).load(self._value(count, scope)), scope)
        return self.run(name, *(self._value(each, scope) for each in (node.args.exprs if node.args else ())))

    def run(self, name: str, *arguments: Any) -> Any:
        """Return what a function of the source returns, an intrinsic, or what stands in for it."""
        if name in self.stand_ins:
            return self.stand_ins[name](*arguments)
        if name in INTRINSICS:
            return INTRINSICS[name](*arguments)
        return self.call(name, *arguments)

    def _unary(self, node: c_ast.UnaryOp, scope: dict[str, Any]) -> Any:
        value = self._value(node.expr, scope)
        match node.op:
            case "*":
                return value.load(1)[0]
            case "-":
                return -value
            case "~":
                return ~value
            case "!":
                return int(not self._truth(value))
            case "p++" | "p--":
                self._store(node.expr, self._binary(node.op[1], value, 1), scope)
                return value
        raise NotModelledError(node.op)

    def _store(self, target: Any, value: Any, scope: dict[str, Any]) -> Any:
        match target:
            case c_ast.ID():
                scope[target.name] = self._copied(value)
            case c_ast.StructRef():
                self._value(target.name, scope)[target.field.name] = value
            case c_ast.ArrayRef():
                array = self._value(target.name, scope)
                array[self._place(array, target.subscript, scope)] = value
            case _:
                raise NotModelledError(type(target).__name__)
        return value

    def _place(self, array: Array, subscript: Any, scope: dict[str, Any]) -> int:
        """Return the subscript's value. IndexError where it is outside."""
        place: int = self._value(subscript, scope)
        if not 0 <= place < len(array):
            raise IndexError(f"place {place} of an array of {len(array)}")
        return place

    @staticmethod
    def _copied(value: Any) -> Any:
        return Struct(value) if type(value) is Struct else value

    @staticmethod
    def _cast(kind: Any, value: Any) -> Any:
        if isinstance(kind, c_ast.PtrDecl):
            return value
        name = kind.type.names[0]
        if isinstance(value, Pointer):
            return (1 << 20) + value.skew + value.at if name == "uintptr_t" else value
        value = (value,) if isinstance(value, Node) else value
        if isinstance(value, tuple):  # a number of four or eight bytes
            return (value + (0,) * 8)[: WIDTHS.get(name, 32) // 8]
        return value & (1 << WIDTHS[name]) - 1 if name in WIDTHS else value

    def _binary(self, op: str, x: Any, y: Any) -> Any:
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            return _with_pointers(op, x, y)
        if isinstance(x, ZeroWhen) and y == 0 and op in ("==", "!="):
            return x.condition if op == "==" else x
        if isinstance(x, Largest):
            return x.compared(op, y)
        if isinstance(x, Node) and op == ">=":
            return Condition("from", frozenset({(x, y)}))
        if isinstance(x, Condition) or isinstance(y, Condition):
            return _either(op, x, y)
        if isinstance(x, (tuple, Node)) or isinstance(y, (tuple, Node)):
            return _words(op, x, y)
        return _numbers(op, x, y)


NUMBERS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _numbers(op: str, x: int, y: int) -> int:
    return int(NUMBERS[op](x, y))


def _with_pointers(op: str, x: Any, y: Any) -> Any:
    if isinstance(x, Pointer) and isinstance(y, Pointer):
        if x.room is not y.room:
            raise NotModelledError("pointers into different rooms")
        return _numbers(op, x.at, y.at)
    if isinstance(y, Pointer):
        x, y = y, x
    return Pointer(x.room, _numbers(op, x.at, y), x.skew)


def _either(op: str, x: Any, y: Any) -> Any:
    """Return x | y, where one or both are conditions and the others 0 or 1."""
    both = [each for each in (x, y) if isinstance(each, Condition)]
    if op != "|" or any(each.kind != "from" for each in both):
        raise NotModelledError(f"{op} of {both}")
    return 1 if 1 in (x, y) else Condition("from", frozenset().union(*(each.bytes for each in both)))


def _words(op: str, x: Any, y: Any) -> Any:
    """Return the OR of numbers of four or eight bytes, first byte lowest, or one shifted by whole bytes.

    Or what a number ANDed with a known one is, and whether it is 0.
    """
    if op == "|":
        parts = [each if isinstance(each, tuple) else (each,) for each in (x, y)]
        return tuple(nodes.or_(*bytes_) for bytes_ in zip_longest(*parts, fillvalue=0))
    if op in ("<<", ">>") and isinstance(y, int) and y % 8 == 0:
        zeros = (0,) * min(y // 8, len(x))
        return (zeros + x)[: len(x)] if op == "<<" else x[len(zeros) :] + zeros
    if op == "&" and isinstance(y, int):
        return tuple(nodes.and_(byte, y >> 8 * place & 0xFF) for place, byte in enumerate(x))
    if op == "==" and isinstance(y, int) and y == 0:
        return Condition("zero", frozenset().union(*map(nodes.members, x)))
    raise NotModelledError(f"{op} of {x} and {y}")
