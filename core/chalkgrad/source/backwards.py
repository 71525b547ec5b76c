"""Reading what runs a backward: ``y.backward()``, ``torch.autograd.backward`` and ``torch.autograd.grad``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chalkgrad.program.statement import Kind, Operand, Ref
from chalkgrad.source.meaning import Meaning, Several, is_tensor
from chalkgrad.source.problem import refuse

if TYPE_CHECKING:
    from chalkgrad.source.operands import Operands

BACKWARD_ARGUMENTS = ("gradient", "retain_graph", "create_graph", "inputs")
BACKWARD_FUNCTION = ("tensors", "grad_tensors", "retain_graph", "create_graph")
GRAD_ARGUMENTS = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph")
GRAD_KEYWORDS = (*GRAD_ARGUMENTS, "allow_unused")


def read_backward(reader: Operands, node: ast.Call, root: Ref) -> Meaning:
    """``root.backward()``."""
    options = _options(reader, node, node.args, BACKWARD_ARGUMENTS, BACKWARD_ARGUMENTS)
    reader.make(Kind.BACKWARD, "backward", (), (root,), options, "method")
    return None


def read_backward_function(reader: Operands, node: ast.Call) -> Meaning:
    """``torch.autograd.backward``: one statement with all its roots."""
    named = {str(keyword.arg): keyword.value for keyword in node.keywords}
    first = node.args[0] if node.args else named.get("tensors")
    if first is None:
        raise refuse(node, "missing_argument", name="torch.autograd.backward", argument="tensors")
    roots = _tensors(reader, first)
    options = _options(
        reader, node, node.args[1:], BACKWARD_FUNCTION[1:], (*BACKWARD_FUNCTION, "inputs"), skip=("tensors",)
    )
    renamed = [("gradient" if key == "grad_tensors" else key, value) for key, value in options]
    reader.make(Kind.BACKWARD, "backward", (), roots, renamed)
    return None


def read_grad(reader: Operands, node: ast.Call) -> Meaning:
    """``torch.autograd.grad``: the gradients that it returns."""
    named = {str(keyword.arg): keyword.value for keyword in node.keywords}
    both = [*node.args[:2], *(named[key] for key in ("outputs", "inputs")[len(node.args[:2]) :] if key in named)]
    if len(both) != 2:
        raise refuse(node, "missing_argument", name="torch.autograd.grad", argument="inputs")
    outputs, inputs = _tensors(reader, both[0]), _tensors(reader, both[1])
    skip = ("outputs", "inputs")
    options = _options(reader, node, node.args[2:], GRAD_ARGUMENTS[2:], GRAD_KEYWORDS, skip)
    id_ = reader.make(Kind.GRAD, "grad", ("",) * len(inputs), (outputs, inputs), options)
    return Several(tuple(Ref(id_, output) for output in range(len(inputs))))


def _options(
    reader: Operands,
    node: ast.Call,
    positional: Sequence[ast.expr],
    order: Sequence[str],
    known: Sequence[str],
    skip: Sequence[str] = (),
) -> list[tuple[str, Operand]]:
    called = ast.unparse(node.func).rpartition(".")[2]
    if len(positional) > len(order):
        raise refuse(node, "argument_count", name=called)
    given = [*zip(order, positional, strict=False)]
    given += [(str(keyword.arg), keyword.value) for keyword in node.keywords if keyword.arg not in skip]
    options: list[tuple[str, Operand]] = []
    for key, value in given:
        if key not in known or key in dict(options):
            raise refuse(value, "unknown_argument", name=called, argument=key)
        options.append((key, _option(reader, key, value)))
    return options


def _option(reader: Operands, key: str, node: ast.expr) -> Operand:
    if key == "inputs":
        return _tensors(reader, node)
    if key in ("gradient", "grad_tensors", "grad_outputs"):
        value = reader.operand(node)
        members = value if isinstance(value, tuple) else (value,)
        if not all(member is None or is_tensor(member) for member in members):
            raise refuse(node, "not_a_tensor")
        return value if isinstance(value, tuple) else _literal(reader, value)
    return reader.constant(node)


def _literal(reader: Operands, value: Operand) -> Operand:
    """The plain value where a tensor was just written out; the reference to it otherwise."""
    if not isinstance(value, Ref) or value.path or value.statement not in reader.fresh:
        return value
    leaf = reader.made[value.statement]
    if leaf.call != "tensor" or leaf.options or leaf.targets != ("",):
        return value
    del reader.made[leaf.id]
    return leaf.operands[0]


def _tensors(reader: Operands, node: ast.expr) -> tuple[Operand, ...]:
    value = reader.operand(node)
    members = value if isinstance(value, tuple) else (value,)
    if not all(is_tensor(member) for member in members):
        raise refuse(node, "not_a_tensor")
    return members
