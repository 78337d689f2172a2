"""Mutants of a source file: small syntactic changes that make it wrong."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "type_comment", "ctx"}
SKIPPED_KEYWORDS = {"repr", "strict", "maxsize", "at_most"}
"""Arguments that bear on nothing but how a fault shows and how much is remembered."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where it is, what was there and what stands there instead."""

    path: str
    number: int
    """The change's place among all changes of the file, in the order of `changes`."""
    function: str
    """The outermost function it is in, with its class; empty at module or class level."""
    first_line: int
    """The statement, or head of a compound statement, from its first line to its last."""
    last_line: int
    kind: str
    before: str
    after: str
    statement: str
    """The first line of the statement; with a number if it holds the same change before."""

    @property
    def key(self) -> str:
        """What names the change when lines above it have moved."""
        where = self.function or "module"
        return f"{self.path} | {where} | {self.statement} | {self.before} -> {self.after}"


@dataclass(slots=True)
class Change:
    """A change to a syntax tree that has not been made yet."""

    node: ast.AST
    kind: str
    function: str
    statement: ast.stmt
    make: Callable[[], ast.AST]
    """Changes the tree in place and returns the node to print."""


def mutants(path: Path, root: Path) -> list[Mutant]:
    """Every mutant of a file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    name = path.relative_to(root).as_posix()
    found: list[Mutant] = []
    seen: Counter[tuple[int, str]] = Counter()
    for number, change in enumerate(changes(tree)):
        before, statement = shown(change.node), shown(change.statement)
        what = f"{before} -> {preview(change)}"
        seen[id(change.statement), what] += 1
        if (again := seen[id(change.statement), what]) > 1:
            statement += f" #{again}"
        found.append(
            Mutant(
                name,
                number,
                change.function,
                *head(change.statement),
                change.kind,
                before,
                preview(change),
                statement,
            )
        )
    return found


def preview(change: Change) -> str:
    """What the change makes of its node, leaving the tree as it was."""
    fields = dict(ast.iter_fields(change.node))
    after = shown(change.make())
    for field, value in fields.items():
        setattr(change.node, field, value)
    return after


def mutated(text: str, number: int) -> ast.Module:
    """The syntax tree of a file with one change made."""
    tree = ast.parse(text)
    for at, change in enumerate(changes(tree)):
        if at == number:
            made = change.make()
            if made is not change.node:
                Swap(change.node, made).visit(tree)
            return ast.fix_missing_locations(tree)
    raise IndexError(number)


class Swap(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """The new node for the old one, every other node as it is."""
        if node is self.old:
            return ast.copy_location(self.new, self.old)
        return self.generic_visit(node)


def shown(node: ast.AST) -> str:
    """The first line of a node's code."""
    text = ast.unparse(node).splitlines()
    return text[0] if len(text) == 1 else f"{text[0]} …"


def changes(tree: ast.Module) -> Iterator[Change]:
    """All changes to a tree, in the order of its nodes."""
    yield from _in_body(tree.body, "", "")


def _in_body(body: list[ast.stmt], function: str, scope: str) -> Iterator[Change]:
    for at, statement in enumerate(body):
        if at == 0 and is_docstring(statement):
            continue
        if isinstance(statement, ast.ClassDef):
            yield from _in_body(statement.body, function, f"{scope}{statement.name}.")
        elif isinstance(statement, FUNCTIONS):
            yield from _in_expression(statement.args, function, statement)
            inner = function or f"{scope}{statement.name}"
            yield from _in_body(statement.body, inner, scope)
        elif not isinstance(statement, ast.Import | ast.ImportFrom):
            yield from _in_statement(statement, function, scope)


def _in_statement(statement: ast.stmt, function: str, scope: str) -> Iterator[Change]:
    if function and _removable(statement):
        yield Change(statement, "removed statement", function, statement, ast.Pass)
    if isinstance(statement, ast.AugAssign):
        yield from _of_node(statement, function, statement)
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield from _returned(statement, function)
    for field, value in ast.iter_fields(statement):
        if field in SKIPPED_FIELDS:
            continue
        if field in ("body", "orelse", "finalbody"):
            yield from _in_body(value, function, scope)
        elif field in ("handlers", "cases"):
            for part in value:
                yield from _in_body(part.body, function, scope)
        elif field == "test" and isinstance(value, ast.expr):
            yield from _condition(value, function, statement)
        else:
            yield from _in_value(value, function, statement)


def _returned(statement: ast.Return, function: str) -> Iterator[Change]:
    if not isinstance(statement.value, ast.Constant):

        def nothing() -> ast.AST:
            statement.value = ast.Constant(None)
            return statement

        yield Change(statement, "returned None", function, statement, nothing)


def _in_value(value: object, function: str, statement: ast.stmt) -> Iterator[Change]:
    if isinstance(value, ast.AST):
        yield from _in_expression(value, function, statement)
    elif isinstance(value, list):
        for part in value:
            yield from _in_value(part, function, statement)


def _condition(test: ast.expr, function: str, statement: ast.stmt) -> Iterator[Change]:
    """A condition is negated unless its own operator is changed anyway."""
    if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
        yield Change(
            test, "negated condition", function, statement, lambda: ast.UnaryOp(ast.Not(), test)
        )
    yield from _in_expression(test, function, statement)


def _in_expression(node: ast.AST, function: str, statement: ast.stmt) -> Iterator[Change]:
    if isinstance(node, ast.keyword) and node.arg in SKIPPED_KEYWORDS:
        return
    yield from _of_node(node, function, statement)
    for field, value in ast.iter_fields(node):
        if field in SKIPPED_FIELDS or isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.IfExp) and field == "test":
            yield from _condition(node.test, function, statement)
        elif isinstance(node, ast.comprehension) and field == "ifs":
            for test in node.ifs:
                yield from _condition(test, function, statement)
        else:
            yield from _in_value(value, function, statement)


def _of_node(node: ast.AST, function: str, statement: ast.stmt) -> Iterator[Change]:
    def change(kind: str, make: Callable[[], ast.AST]) -> Change:
        return Change(node, kind, function, statement, make)

    if isinstance(node, ast.Compare):
        for at, old in enumerate(node.ops):
            for kind, others in (("boundary", BOUNDARY), ("opposite", OPPOSITE)):
                if type(old) in others:
                    yield change(kind, _operator(node, at, others[type(old)]()))
    elif isinstance(node, ast.BoolOp):
        yield change("and/or", _set(node, "op", _other(node.op)))
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield change("arithmetic", _set(node, "op", ARITHMETIC[type(node.op)]()))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield change("dropped not", lambda: node.operand)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield change("dropped minus", lambda: node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield change("constant", _set(node, "value", value))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield change("function", _set(node, "func", ast.Name(NAMES[node.func.id], ast.Load())))


def _operator(node: ast.Compare, at: int, new: ast.cmpop) -> Callable[[], ast.AST]:
    def make() -> ast.AST:
        node.ops = [*node.ops[:at], new, *node.ops[at + 1 :]]
        return node

    return make


def _set(node: ast.AST, field: str, value: object) -> Callable[[], ast.AST]:
    def make() -> ast.AST:
        setattr(node, field, value)
        return node

    return make


def _other(op: ast.boolop) -> ast.boolop:
    return ast.Or() if isinstance(op, ast.And) else ast.And()


def _removable(statement: ast.stmt) -> bool:
    """Statements a function runs without: guards, calls for their effect, stores, jumps."""
    if isinstance(statement, ast.If):
        return not statement.orelse
    if isinstance(statement, ast.Assign):
        return all(isinstance(one, ast.Attribute | ast.Subscript) for one in statement.targets)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant | ast.Yield | ast.YieldFrom)
    return isinstance(statement, ast.AugAssign | ast.Continue | ast.Break | ast.For)


def head(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement without the blocks in it."""
    last = statement.end_lineno or statement.lineno
    first = min(
        [statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))]
    )
    blocks = [
        part
        for field, value in ast.iter_fields(statement)
        if field in ("body", "orelse", "finalbody", "handlers", "cases")
        for part in value
    ]
    if blocks:
        last = max(statement.lineno, min(_line(part) for part in blocks) - 1)
    return first, last


def _line(part: ast.AST) -> int:
    if isinstance(part, ast.match_case):
        return part.pattern.lineno
    return int(getattr(part, "lineno", 0))


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is only a text."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
