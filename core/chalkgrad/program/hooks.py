"""Hooks as a program writes them: ``print``, or a ``lambda`` that makes another gradient of one with operators alone.

They are kept as text and read as data: nothing is compiled, and only operators of the table are ever called.
"""

from __future__ import annotations

import ast
from functools import cache

import chalkgrad.torch  # noqa: F401  fills OPS
from chalkgrad.engine.record import OPS
from chalkgrad.program.arithmetic import Number, arithmetic
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref

CALL = "register_hook"
REMOVE = "remove"
"""What a hook's handle is called with: ``h.remove()``."""
NAME = "h"
PRINT = "print"
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
}
"""The signs that may stand between two values, by how they are read."""

Body = ast.expr


def hooks_of(program: Program, ref: Ref) -> list[int]:
    """Ids of the lines that hook a tensor, in order."""
    users = map(program.statements.__getitem__, program.users.get(ref.statement, ()))
    return [user.id for user in users if user.call == CALL and user.kind is Kind.ATTRIBUTE and user.operands[0] == ref]


def removals(program: Program, hook: int) -> list[int]:
    """Ids of the lines that remove a hook again."""
    users = (program[id_] for id_ in program.users.get(hook, ()))
    return [user.id for user in users if user.kind is Kind.ATTRIBUTE and user.call == REMOVE]


@cache
def methods() -> frozenset[str]:
    """Names of the methods that a hook may call."""
    return frozenset(record.method for record in OPS.values() if record.method)


@cache
def functions() -> frozenset[str]:
    """Names of the functions that a hook may call: ``torch.clamp``."""
    return frozenset(record.function for record in OPS.values() if record.function)


def parsed(text: str) -> tuple[str, Body] | None:
    """The parameter of a hook and what it computes; None for a text that is no hook."""
    if "#" in text or text.splitlines() != [text]:
        return None  # it is written into a line as it is, where a comment would hide what follows
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if refused(node) is not None else (_parameter(node), _body(node))


def refused(node: ast.expr) -> ast.AST | None:
    """The part of a hook that is not understood; None where all of it is."""
    if isinstance(node, ast.Name) and node.id == PRINT:
        return None
    if not isinstance(node, ast.Lambda):
        return node
    given = node.args
    more = given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults
    if more or len(given.args) != 1:
        return node
    if is_print(node.body, given.args[0].arg) or _is_none(node.body):
        return None
    return _unknown(node.body, given.args[0].arg)


def is_print(node: ast.expr, parameter: str) -> bool:
    """True for ``print(g)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != PRINT:
        return False
    return not node.keywords and [name.id for name in node.args if isinstance(name, ast.Name)] == [parameter]


def dotted(node: ast.expr) -> str:
    """``torch.nn.functional.relu`` of such a node; the empty string of others."""
    if isinstance(node, ast.Name):
        return node.id
    inner = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def _too_large(node: ast.expr) -> ast.expr | None:
    """An expression of numbers alone that comes to one which would take long to work out: ``10**9**9``."""
    try:
        _number(node)
    except OverflowError:
        return node
    except (ArithmeticError, KeyError):
        pass  # what Python says of it, the backward says
    return None


def _number(node: ast.expr) -> Number | None:
    """What an expression of numbers alone comes to; None for one with the gradient in it."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(operand=operand):
            number = _number(operand)
            return None if number is None else -number
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _number(left), _number(right)
            return None if first is None or second is None else arithmetic(SIGNS[type(op)], first, second)
    return None


def _parameter(node: ast.expr) -> str:
    return node.args.args[0].arg if isinstance(node, ast.Lambda) else "g"


def _body(node: ast.expr) -> Body:
    if isinstance(node, ast.Lambda):
        return node.body
    return ast.Call(node, [ast.Name("g", ast.Load())], [])


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _unknown(node: ast.expr, parameter: str) -> ast.AST | None:
    """The first part of an expression that a hook may not have."""
    if isinstance(node, ast.Name):
        return None if node.id == parameter else node
    if isinstance(node, ast.Constant):
        return None if isinstance(node.value, int | float) else node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _unknown(node.operand, parameter)
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        return _unknown(node.left, parameter) or _unknown(node.right, parameter) or _too_large(node)
    if not isinstance(node, ast.Call):
        return node
    values = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg)]
    if len(values) < len(node.args) + len(node.keywords):
        return node
    if dotted(node.func) not in functions():
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in methods():
            return node.func
        values.insert(0, node.func.value)
    return next((found for found in (_unknown(value, parameter) for value in values) if found is not None), None)
