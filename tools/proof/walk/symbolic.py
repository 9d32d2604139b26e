"""Runs a kernel's loops on a text of unknown size at an unknown address: numbers are z3's integers.

Each number has to fit into its type in C, each pointer has to stay within the text or right behind it, and each read
within the text: z3 shows it, or the run ends with a GapError. Where a loop has an invariant (invariants.py), z3 shows
that it holds before the first turn, and that one turn from any state in which it holds keeps it and makes progress;
what follows the loop starts from the invariant alone. Where z3 finds both answers to a question possible, both are
walked.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import nodes
import z3
from facts import BASE, SIZE, TEXT, Blocks, Known, Vector
from interpreter import Interpreter, _Break, _Continue, _with_pointers
from intrinsics import Pointer
from numbers_of_c import Types, arithmetic, every, fits
from pycparser import c_ast
from pycparser.c_generator import CGenerator
from walk import GapError

if TYPE_CHECKING:
    from collections.abc import Callable

    from invariants import Claim

LOOPS = (c_ast.For, c_ast.While)
FETCH = "utf8_fetch"  # returns nothing, and changes no variable
COUNTERS = ("block", "at", "i")  # what grows from turn to turn, in the loops that have an invariant
FREE = 1 << 16  # the text ends so many bytes before the last address: those belong to no program


class TurnEndedError(Exception):
    """The turn of a loop is over, and the invariant holds again."""


class Symbolic(Interpreter):
    """A source file's functions, on numbers that nobody knows."""

    def __init__(self, tree: c_ast.FileAST, least: int, word: int = 64) -> None:
        """*least*: the smallest size of a text that is walked; *word*: the bits of an address."""
        self.least, self.word = least, word
        self.invariants: dict[tuple[str, int], Callable[..., list[Claim]]] = {}
        self.mains: set[tuple[str, int]] = (
            set()
        )  # loops after which no function does anything with a variable of before
        self.used: set[tuple[str, int]] = set()
        self.blocks = (3, 64)  # of a list: see Blocks
        self.running: list[str] = []  # functions, and what each was called with
        self.arguments: list[dict[str, Any]] = []
        super().__init__(tree)
        self.types = Types(tree, self.functions, word)
        self.loops: dict[int, tuple[str, int]] = {}
        for name, function in self.functions.items():
            for number, loop in enumerate(every(function.body, LOOPS)):
                self.loops[id(loop)] = (name, number)

    # ---- paths -----------------------------------------------------------------------------------------------------

    def walk(self, name: str, ended: Callable[[Any], None], *more: Any) -> int:
        """Walk every path of function *name* on a text of any size; return their number. *ended* gets each answer.

        *more*: what the function is given after the text and its size.
        """
        pending: list[list[bool]] = [[]]
        self.seen: set[Any] = set()
        count = 0
        while pending:
            self.prefix, self.answers, self.pending = pending.pop(), [], pending
            self.fresh_names = 0
            self.forget()
            self.scopes.clear()
            self.fitting: dict[Any, Any] = {}
            self.running, self.arguments = [], []
            with suppress(TurnEndedError):
                ended(self.call(name, Pointer(TEXT, 0), SIZE, *more))
            count += 1
        return count

    def forget(self) -> None:
        """Know nothing but that there is a text."""
        self.solver, self.known = z3.SimpleSolver(), Known()
        self.solver.set("timeout", 60_000)
        largest, end = (1 << self.word - 1) - 1, (1 << self.word) - FREE
        self.assume(z3.And(self.least <= SIZE, largest >= SIZE, BASE >= 1, end >= BASE + SIZE))

    def fresh(self, boolean: bool = False) -> Any:
        """Return a value that nobody knows."""
        self.fresh_names += 1
        return z3.Bool(f"b{self.fresh_names}") if boolean else z3.Int(f"n{self.fresh_names}")

    def replays(self) -> bool:
        """Whether another path has come here and shown all."""
        return len(self.answers) < len(self.prefix)

    def assume(self, formula: Any) -> None:
        """Let a formula hold from here on."""
        self.solver.add(formula)

    def require(self, formula: Any, otherwise: str) -> None:
        """Raise GapError unless the formula follows from what holds on this path."""
        if self.replays() or formula is True:
            return
        self.solver.push()
        self.solver.add(z3.Not(formula))
        answer = self.solver.check()
        model = self.solver.model() if answer == z3.sat else None
        self.solver.pop()
        if answer != z3.unsat:
            size = f" (a text of {model.eval(SIZE)} bytes)" if model is not None else " (z3 cannot tell)"
            raise GapError(f"{self.running[-1] if self.running else 'the answer'}: {otherwise}{size}")

    def branch(self, condition: Any) -> bool:
        """Return whether the condition holds on this path; where both is possible, the other is walked later."""
        if isinstance(condition, (int, bool)):
            return bool(condition)
        here = len(self.answers)
        if here < len(self.prefix):
            answer = self.prefix[here]
        else:
            answer = self.solver.check(condition) != z3.unsat
            if answer and self.solver.check(z3.Not(condition)) != z3.unsat:
                self.pending.append([*self.answers, False])
        self.answers.append(answer)
        self.assume(condition if answer else z3.Not(condition))
        return answer

    # ---- loops -----------------------------------------------------------------------------------------------------

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what the function returns; its arguments fit into their types."""
        self.running.append(name)
        names = [each.name for each in self.functions[name].decl.type.args.params]
        self.arguments.append(dict(zip(names, arguments, strict=True)))
        for each, argument in zip(self.functions[name].decl.type.args.params, arguments, strict=True):
            self._fit(argument, self.types.of(each.type), f"{each.name} of {name}")
        answer = super().call(name, *arguments)
        self.running.pop()
        self.arguments.pop()
        return answer

    def _run(self, node: Any, scope: dict[str, Any]) -> None:
        if id(node) in self.loops and self.loops[id(node)] in self.invariants:
            self._loop(node, scope)
        elif isinstance(node, c_ast.If) and only_fetches(node):
            # Whatever the condition, because nothing follows from it; what is read is checked.
            self._run(node.iftrue, scope)
        else:
            super()._run(node, scope)

    def _loop(self, node: Any, scope: dict[str, Any]) -> None:
        if isinstance(node, c_ast.For):
            self._run(node.init, scope)
        place = self.loops[id(node)]
        self.used.add(place)
        before = scope | {"arguments": self.arguments[-1]}
        if not self.replays():
            for each in self.invariants[place](scope, before):
                each.check(self, f"before the loop of {place[0]}")
        if place in self.mains:
            self._begin_anew(place, node, scope)
        self._forget(node, scope)
        for each in self.invariants[place](scope, before):
            each.assume(self)
        counter = next(each for each in COUNTERS if each in scope and each in assigned(node))
        old = scope[counter]
        if node.cond is not None and not self._holds(node.cond, scope):
            return
        try:
            self._run(node.stmt, scope)
        except _Break:
            return
        except _Continue:
            pass
        if isinstance(node, c_ast.For) and node.next is not None:
            self._value(node.next, scope)
        for each in self.invariants[place](scope, before):
            each.check(self, f"after a turn of the loop of {place[0]}")
        new = scope[counter]
        if isinstance(old, Pointer):
            old, new = old.at, new.at
        self.require(old < new, f"a turn of the loop of {place[0]} makes no progress")
        raise TurnEndedError

    def _begin_anew(self, place: tuple[str, int], node: Any, scope: dict[str, Any]) -> None:
        """Forget all but the invariant. A path that comes here as another has come ends here."""
        kept = {name: str(value) for name, value in scope.items() if name not in assigned(node)}
        state = (place, *sorted((name, value) for name, value in kept.items() if "object at" not in value))
        if not self.replays():
            if state in self.seen:
                raise TurnEndedError
            self.seen.add(state)
        self.forget()

    def _forget(self, node: Any, scope: dict[str, Any]) -> None:
        """Let every variable that the loop changes have any value."""
        for name in {each.name for each in every(node, c_ast.ID)} & scope.keys():
            value = scope[name]
            if isinstance(value, Blocks) and name in lists_written(node):
                value.writes, value.written, value.top = [], self.fresh(), self.fresh()
            elif name in assigned(node):
                kind = self.types.declared(self.running[-1], name)
                if isinstance(value, Vector):
                    scope[name] = Vector(top=self.fresh())
                elif isinstance(value, Pointer):
                    scope[name] = Pointer(TEXT, self.fresh())
                    self.assume(z3.And(scope[name].at >= 0, scope[name].at <= SIZE))
                else:
                    scope[name] = self.fresh(boolean=kind == (1, False))
                    if kind != (1, False):
                        self.assume(fits(scope[name], kind))

    # ---- values ----------------------------------------------------------------------------------------------------

    def _boolean(self, value: Any) -> Any:
        if isinstance(value, z3.ArithRef):
            return value != 0
        return value if isinstance(value, z3.BoolRef) else super()._boolean(value)

    def _truth(self, value: Any) -> bool:
        if isinstance(value, (z3.BoolRef, z3.ArithRef)):
            return self.branch(self._boolean(value))
        return super()._truth(value)

    def _declare(self, node: Any, scope: dict[str, Any]) -> None:
        kind = getattr(node, "type", None)
        if isinstance(kind, c_ast.ArrayDecl) and isinstance(kind.type, c_ast.PtrDecl) and kind.dim is not None:
            scope[node.name] = Blocks(self._value(kind.dim, scope), *self.blocks)
            return
        super()._declare(node, scope)
        if isinstance(node, c_ast.Decl) and self.running and node.name in scope:
            self._fit(scope[node.name], self.types.of(node.type), node.name)

    def _value(self, node: Any, scope: dict[str, Any]) -> Any:
        match node:
            case c_ast.BinaryOp(op=op) if op not in ("&&", "||"):
                x, y = self._value(node.left, scope), self._value(node.right, scope)
                value = self._binary(op, x, y)
                if any(isinstance(each, z3.ArithRef) for each in (x, y, value)):
                    self._fit(value, self.types.kind(self.running[-1], node), node)
                    kind = self.types.kind(self.running[-1], node.left, node.right)
                    if kind is not None and not kind[1]:
                        self._fit(x, kind, node.left)  # becomes unsigned for this operation
                        self._fit(y, kind, node.right)
                return value
            case c_ast.UnaryOp(op="!"):
                value = self._value(node.expr, scope)
                if isinstance(value, (z3.BoolRef, z3.ArithRef)):
                    return z3.Not(self._boolean(value))
                return int(not self._truth(value))
            case c_ast.UnaryOp(op="*"):
                self.reads(self._value(node.expr, scope).at, 1)
                return nodes.text(0)
            case c_ast.ArrayRef():
                at = self._value(node.name, scope)
                if isinstance(at, Blocks):
                    return self._entry(at, self._value(node.subscript, scope))
        return super()._value(node, scope)

    def _store(self, target: Any, value: Any, scope: dict[str, Any]) -> Any:
        if isinstance(target, c_ast.ArrayRef) and isinstance(array := self._value(target.name, scope), Blocks):
            place = self._value(target.subscript, scope)
            self.require(z3.And(place >= 0, place < array.room), f"an entry outside the list of {array.room}")
            self.require(z3.And(place <= array.written, array.base[0] <= place), "the list has a gap")
            self.reads(value.at - array.back, array.back + array.span)
            array.write(place, value)
            return value
        if isinstance(target, c_ast.ID):
            self._fit(value, self.types.declared(self.running[-1], target.name), target.name)
        return super()._store(target, value, scope)

    def _entry(self, array: Blocks, place: Any) -> Pointer:
        self.require(z3.And(place >= 0, place < array.written), "an entry of the list that was not written is read")
        block = self.fresh()
        self.assume(z3.And(block >= array.back, block + array.span <= SIZE, block + array.span <= array.top))
        array.read = (place, block)
        return Pointer(TEXT, block)

    def _cast(self, kind: Any, value: Any) -> Any:
        if isinstance(kind, c_ast.PtrDecl):
            return value
        name = kind.type.names[0]
        if isinstance(value, Pointer) and name == "uintptr_t":
            return BASE + value.at
        if isinstance(value, z3.ArithRef):
            self._fit(value, self.types.of(kind), f"what is cast to {name}")
            return value
        return super()._cast(kind, value)

    def _binary(self, op: str, x: Any, y: Any) -> Any:
        x, y = (z3.If(each, 1, 0) if isinstance(each, z3.BoolRef) else each for each in (x, y))
        if isinstance(x, Pointer) and isinstance(y, Pointer):
            return arithmetic(op, x.at, y.at)
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            moved = _with_pointers(op, x, y) if not isinstance(x, Pointer) else Pointer(x.room, arithmetic(op, x.at, y))
            if moved.room is TEXT and not self.replays():
                self.require(z3.And(moved.at >= 0, moved.at <= SIZE), "a pointer leaves the text")
            return moved
        if isinstance(x, z3.ArithRef) or isinstance(y, z3.ArithRef):
            return arithmetic(op, x, y)
        return super()._binary(op, x, y)

    def reads(self, at: Any, count: Any) -> None:
        """Raise GapError unless *count* bytes at an offset lie within the text."""
        if not self.replays():
            self.require(z3.And(at >= 0, at + count <= SIZE), "bytes outside the text are read")

    def _fit(self, value: Any, kind: tuple[int, bool] | None, what: Any) -> None:
        """Raise GapError unless the value of *what*, a name or part of the syntax tree, fits into its type."""
        if isinstance(value, z3.ArithRef) and kind is not None and not self.replays():
            key = (value.get_id(), kind, len(self.answers))
            if key not in self.fitting:
                what = what if isinstance(what, str) else f"`{CGenerator().visit(what)}`"
                self.require(fits(value, kind), f"{what} does not fit into {kind[0]} bits")
                self.fitting[key] = value


def only_fetches(node: c_ast.If) -> bool:
    """Whether what depends on the condition is a hint to the processor."""
    return isinstance(node.iftrue, c_ast.FuncCall) and node.iftrue.name.name == FETCH and node.iffalse is None


@cache
def assigned(node: Any) -> frozenset[str]:
    """Return the names of the variables that a part of the syntax tree assigns to."""
    targets = [each.lvalue for each in every(node, c_ast.Assignment)]
    targets += [each.expr for each in every(node, c_ast.UnaryOp) if each.op in ("p++", "p--")]
    return frozenset(each.name for each in targets if isinstance(each, c_ast.ID))


def lists_written(node: Any) -> set[str]:
    """Return the names of what a part of the syntax tree writes entries of, or passes to a function that may."""
    written = [each.lvalue.name for each in every(node, c_ast.Assignment) if isinstance(each.lvalue, c_ast.ArrayRef)]
    passed = [argument for call in every(node, c_ast.ExprList) for argument in call.exprs]
    return {each.name for each in (*written, *passed) if isinstance(each, c_ast.ID)}
