"""From a record to the node class that runs its formulas.

The formulas of a record are written over a namespace of operators. Here they are bound to two of them: :data:`ARRAYS`,
whose operators compute on arrays, and :data:`TENSORS`, whose operators compute on tensors and are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine.graph import Node, arrays_saved, tensors_saved
from chalkgrad.engine.record import GEOMETRY, Formula, Record, formula_names

Rule = Callable[[Any, list[Any]], Any]
"""Gradient and saved values in, gradient of one input out."""


class Operators:
    """A namespace of operators, one attribute each, filled as they are registered."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]: ...


ARRAYS = Operators()
"""Operators on arrays."""

TENSORS = Operators()
"""Operators on tensors."""

NODE_CLASSES: dict[str, type[Node]] = {}
"""The node class of each operator that has formulas, by the operator's name."""


def saved_layout(record: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the tensors and of the other values that nodes of ``record`` save, in PyTorch's order."""
    names = sorted(record.saved(frozenset(record.inputs)))
    tensors = tuple(name for name in names if name in record.inputs or name in record.outputs)
    attributes = {attribute.name for attribute in record.attributes}
    return tensors, tuple(name for name in names if name in attributes or is_geometry(record, name))


def is_geometry(record: Record, name: str) -> bool:
    """True for ``self_sym_sizes`` and its kin."""
    return any(name == f"{source}_{fact}" for source in record.inputs for fact in GEOMETRY)


def node_class(record: Record) -> type[Node]:
    """The class of the nodes that ``record`` leaves behind, named as PyTorch names it."""
    tensors, constants = saved_layout(record)
    order = (*tensors, *constants)
    arrays = tuple(_rule(record.vjps.get(name), ARRAYS, order) for name in record.inputs)
    recorded = tuple(_rule(record.vjps.get(name), TENSORS, order) for name in record.inputs)
    members = {
        "__slots__": (),
        "__doc__": f"Backward of ``{record.name}``.",
        "record": record,
        "saved_names": tensors,
        "constant_names": constants,
        "many": len(record.outputs) > 1,
        "run": _runner(arrays, arrays_saved, variadic=record.variadic),
        "run_recorded": _runner(recorded, tensors_saved, variadic=record.variadic),
    }
    name = record.grad_fn or ""
    if name == "CopyBackwards":
        members["cxx_name"] = "torch::autograd::CopyBackwards"
    return type(name, (Node,), members)


def _rule(formula: Formula | None, o: Operators, order: tuple[str, ...]) -> Rule | None:
    """``formula`` over ``o``, taking what it reads from the list of saved values."""
    if formula is None:
        return None
    picks = [order.index(name) for name in formula_names(formula)]
    if not picks:
        return lambda g, values: formula(o, g)
    if len(picks) == 1:
        first = picks[0]
        return lambda g, values: formula(o, g, values[first])
    if len(picks) == 2:
        first, second = picks
        return lambda g, values: formula(o, g, values[first], values[second])
    return lambda g, values: formula(o, g, *[values[pick] for pick in picks])


def _runner(rules: tuple[Rule | None, ...], saved: Callable[[Node], list[Any]], *, variadic: bool) -> Callable[..., Any]:
    """The method that runs all rules for which there is an edge."""
    if variadic:
        return _variadic_runner(rules[0], saved)
    if len(rules) == 1:
        return _one_runner(rules[0], saved)
    if len(rules) == 2:
        return _two_runner(rules[0], rules[1], saved)

    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> tuple[Any, ...]:
        values = saved(node)
        return tuple(
            None if edge is None or rule is None else rule(g, values)
            for edge, rule in zip(edges, rules, strict=True)
        )

    return run


def _one_runner(rule: Rule | None, saved: Callable[[Node], list[Any]]) -> Callable[..., Any]:
    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> tuple[Any, ...]:
        return (None if rule is None else rule(g, saved(node)),)

    return run


def _two_runner(first: Rule | None, second: Rule | None, saved: Callable[[Node], list[Any]]) -> Callable[..., Any]:
    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> tuple[Any, ...]:
        values = saved(node)
        left, right = edges
        return (
            None if left is None or first is None else first(g, values),
            None if right is None or second is None else second(g, values),
        )

    return run


def _variadic_runner(rule: Rule | None, saved: Callable[[Node], list[Any]]) -> Callable[..., Any]:
    """For an operator on a list: its one formula gives the gradients of all members."""

    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> tuple[Any, ...]:
        if rule is None:
            return (None,) * len(edges)
        found = rule(g, saved(node))
        return tuple(None if edge is None else gradient for edge, gradient in zip(edges, found, strict=True))

    return run


def array_operator(record: Record) -> Callable[..., Any]:
    """``record`` as an operator on arrays: results stay arrays, also without dimensions."""
    forward = record.forward
    if not isinstance(forward, np.ufunc):
        return _array_result(forward) if len(record.outputs) == 1 else forward
    ufunc = forward
    if ufunc.nin == 1:
        return lambda self: ufunc(self, out=...)
    if any(attribute.name == "alpha" for attribute in record.attributes):

        def with_alpha(self: Any, other: Any, alpha: Any = 1) -> Any:
            return ufunc(self, other if alpha == 1 else np.multiply(other, alpha, out=...), out=...)

        return with_alpha
    return lambda self, other: ufunc(self, other, out=...)


def _array_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """``forward`` with its result as an array, where NumPy would make it a scalar."""
    return lambda *values, **attributes: np.asarray(forward(*values, **attributes))
