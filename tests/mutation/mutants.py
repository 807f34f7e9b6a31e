"""Mutants of a rule's source: one small change each, at places that decide what is found.

Left out is what no sample can tell: the words of findings, titles and clauses, pointers of evidence, annotations, and
decorators (`@when` spares calls and changes no finding; tests/rules/test_when.py holds it to that).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import shorten
from typing import Any, NamedTuple

from mcpsniff.protocol.revisions import REVISIONS

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
DESCRIPTIVE = {"id", "title", "tier", "spec", "SPEC", "confidence", "text", "why"}  # what these are given is only read
POINTING = {"where", "evidence", "fault"}  # keywords
TELLING = {"quote", "pointer", "member"}  # functions and methods
TYPES = {"tuple", "Mapping"}  # of aliases
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list", "ctx", "ops", "op"}
SKIPPED = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise)


class Mutant(NamedTuple):
    """A changed source."""

    line: int
    was: str
    now: str
    source: str


class Spot(NamedTuple):
    """A node and where it hangs."""

    parent: ast.AST
    field: str
    at: int | None  # in a list of the field
    node: ast.AST


def mutants(source: str) -> Iterator[Mutant]:
    """Gives every mutant of a module."""
    tree = ast.parse(source)
    for spot in _spots(tree):
        for changed in _changes(spot):
            with _put(spot, changed):
                was, now = (_shown(node) for node in (spot.node, changed))
                yield Mutant(getattr(spot.node, "lineno", 0), was, now, ast.unparse(tree))


def _shown(node: ast.AST) -> str:
    return shorten(ast.unparse(node), 120, placeholder=" …")


def _spots(parent: ast.AST) -> Iterator[Spot]:
    for field, value in ast.iter_fields(parent):
        if field in SKIPPED_FIELDS or _is_muted_field(parent, field):
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(node, ast.AST) and not _is_muted(node) and not _is_aside(parent, field, index, node):
                yield Spot(parent, field, index, node)
                yield from _spots(node)


def _is_muted_field(parent: ast.AST, field: str) -> bool:
    """Whether a severity table is only read: one row alone says what any bad sample holds."""
    single = isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Dict) and len(parent.value.keys) == 1
    return single and field == "value" and _targets(parent) == {"severity"}


def _is_muted(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or _is_nothing(node.value)  # a docstring
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return bool(_targets(node) & DESCRIPTIVE)
    if isinstance(node, ast.keyword):
        return node.arg in POINTING
    if isinstance(node, ast.Call):
        return _called(node) in TELLING
    if isinstance(node, ast.Subscript):
        return getattr(node.value, "id", "") in TYPES
    return isinstance(node, SKIPPED)


def _is_nothing(node: ast.AST) -> bool:
    """Whether an expression finds nothing: for types alone, to make a generator, to say what is unchecked."""
    if isinstance(node, ast.Yield):
        return isinstance(node.value, ast.Call) and _called(node.value) == "unchecked"
    if isinstance(node, ast.YieldFrom):
        return isinstance(node.value, ast.Tuple) and not node.value.elts
    return isinstance(node, ast.Constant) and node.value == ""


def _targets(node: ast.AST) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_aside(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> bool:
    """Whether this is the sentence of a finding, a text for want of another, or words (but for a pattern's)."""
    if isinstance(parent, ast.BoolOp):
        return _is_nothing(node)
    called = _called(parent) if isinstance(parent, ast.Call) else ""
    return (called == "found" and field == "args" and index == 1) or (called != "compile" and _is_sentence(node))


def _is_sentence(node: ast.AST) -> bool:
    """Whether an expression gives words for a person, whatever it decides about them."""
    if isinstance(node, ast.IfExp):
        both = node.body, node.orelse
        return all(map(_is_text, both)) and any(map(_is_sentence, both))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _called(node) == "quote")


def _is_text(node: ast.AST) -> bool:
    return _is_sentence(node) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


# changes


def _changes(spot: Spot) -> Iterator[ast.AST]:
    """Gives what a node becomes in each mutant."""
    node = spot.node
    change = CHANGES.get(type(node))
    if change is not None and not (isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store)):
        yield from change(node)
    if spot.field in ("test", "ifs") and not isinstance(node, ast.Constant):
        yield from (ast.Constant(True), ast.Constant(False))


def _comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for index, op in enumerate(node.ops):
        for other in COMPARISONS[type(op)]:
            yield _with(node, ops=[*node.ops[:index], other(), *node.ops[index + 1 :]])


def _junction(node: ast.BoolOp) -> Iterator[ast.AST]:
    if _is_nothing(node.values[-1]):
        return
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for index in range(len(node.values)):
        rest = node.values[:index] + node.values[index + 1 :]
        yield _with(node, values=rest) if len(rest) > 1 else rest[0]


def _sum(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in SIGNS:
        yield _with(node, op=SIGNS[type(node.op)]())


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif value in REVISIONS:
        at = REVISIONS.index(value)
        yield from map(ast.Constant, (*REVISIONS[max(0, at - 1) : at], *REVISIONS[at + 1 : at + 2]))
    elif isinstance(value, str):
        yield ast.Constant(f"{value}~")


def _members(node: Any) -> Iterator[ast.AST]:
    if len(node.elts) > 1 or not isinstance(node, ast.Set):
        for index in range(len(node.elts)):
            yield _with(node, elts=node.elts[:index] + node.elts[index + 1 :])


def _entries(node: ast.Dict) -> Iterator[ast.AST]:
    for index in range(len(node.keys)):
        keys, values = node.keys[:index] + node.keys[index + 1 :], node.values[:index] + node.values[index + 1 :]
        yield _with(node, keys=keys, values=values)


def _expression(node: ast.Expr) -> Iterator[ast.AST]:
    """Drops a call; a yield gives nothing, so that its function stays a generator."""
    yields = isinstance(node.value, ast.Yield | ast.YieldFrom)
    yield ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load()))) if yields else ast.Pass()


def _assignment(node: ast.Assign) -> Iterator[ast.AST]:
    """Drops what is remembered; a name alone must stay, or the rest cannot run."""
    if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
        yield ast.Pass()


CHANGES: dict[type[ast.AST], Callable[[Any], Iterator[ast.AST]]] = {
    ast.Compare: _comparison,
    ast.BoolOp: _junction,
    ast.UnaryOp: lambda node: iter([node.operand] if isinstance(node.op, ast.Not) else []),
    ast.BinOp: _sum,
    ast.Constant: _constant,
    ast.Set: _members,
    ast.Tuple: _members,
    ast.List: _members,
    ast.Dict: _entries,
    ast.Expr: _expression,
    ast.Assign: _assignment,
    ast.Return: lambda node: iter([] if node.value and _is_sentence(node.value) else [ast.Pass()]),
    **{kind: lambda _: iter([ast.Pass()]) for kind in (ast.Continue, ast.Break, ast.AugAssign)},
}


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    """Gives a shallow copy with other fields."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


@contextmanager
def _put(spot: Spot, changed: ast.AST) -> Iterator[None]:
    """Has a node replaced until the end."""
    _hang(spot, changed)
    try:
        yield
    finally:
        _hang(spot, spot.node)


def _hang(spot: Spot, node: ast.AST) -> None:
    if spot.at is None:
        setattr(spot.parent, spot.field, node)
    else:
        getattr(spot.parent, spot.field)[spot.at] = node
