"""From a record to the node class that runs its formulas.

The formulas of a record are written over a namespace of operators. Here they are bound to two of them: :data:`ARRAYS`,
whose operators compute on arrays, and :data:`TENSORS`, whose operators compute on tensors and are recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from chalkgrad.engine.base import counter_of
from chalkgrad.engine.graph import Node
from chalkgrad.engine.own_code import with_own_code
from chalkgrad.engine.raw_saved import saved_properties
from chalkgrad.engine.record import OPS, Formula, Record, formula_names, is_geometry
from chalkgrad.engine.saved import array_saved, arrays_saved, tensors_saved, two_saved

Rule = Callable[[Any, list[Any]], Any]
"""Gradient and saved values in, gradient of one input out."""


class Operators:
    """A namespace of operators, one attribute each, filled as they are registered."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]: ...


class LateOperators(Operators):
    """The same where each is made when it is first asked for."""

    make: Callable[[Record], Callable[..., Any]]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in OPS:
            raise AttributeError(f"there is no operator {name!r}")
        made = self.make(OPS[name])
        setattr(self, name, made)
        return made


ARRAYS = Operators()
"""Operators on arrays."""

TENSORS = LateOperators()
"""Operators on tensors."""


class NodeClasses(dict[str, type[Node]]):
    """The node class of each operator that has formulas, by the operator's name; made when first asked for."""

    def __missing__(self, name: str) -> type[Node]:
        record = OPS[name]
        if not record.vjps:
            raise KeyError(name)
        made = self[name] = node_class(record)
        return made


NODE_CLASSES = NodeClasses()


def saved_layout(record: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the tensors and of the other values that nodes of ``record`` save, in PyTorch's order: inputs first."""
    names = sorted(record.saved(frozenset(record.inputs)))
    tensors = tuple(name for kind in (record.inputs, record.outputs) for name in names if name in kind)
    attributes = {attribute.name for attribute in record.attributes}
    return tensors, tuple(name for name in names if name in attributes or is_geometry(record, name))


def node_class(record: Record) -> type[Node]:
    """The class of the nodes that ``record`` leaves behind, named as PyTorch names it."""
    tensors, constants = saved_layout(record)
    order, name = (*tensors, *constants), record.grad_fn or ""
    members = {
        "__slots__": ("__weakref__",) if record.name == "as_strided" else (),  # what overwritten views have
        "__module__": "builtins",
        "__doc__": f"Backward of ``{record.name}``.",
        "record": record,
        "saved_names": tensors,
        "constant_names": constants,
        "many": record.many,
        "accumulates": name == "NotImplemented",  # what refuses does so as early as leaves get their gradients
        "_writes": _writes(record, tensors, constants),
        "__init__": with_own_code(Node.__init__),
        "run": with_own_code(_quick_runner(record, order) or _runner(record, ARRAYS, order, arrays_saved)),
        "run_recorded": _counting(record, _runner(record, TENSORS, order, tensors_saved)),
    }
    members |= saved_properties(tensors, constants)
    if name in ("CopyBackwards", "NotImplemented", "Error"):
        members["cxx_name"] = f"torch::autograd::{name}"
    return type(name, (Node,), members)


def _writes(record: Record, tensors: tuple[str, ...], constants: tuple[str, ...]) -> Any:
    """How often PyTorch writes into each gradient.

    A property of the node where that depends on the call, a method where it depends on which gradients ``came``, too.
    """
    fills = record.fills
    if not callable(fills):
        return record.filled
    names = fills.__code__.co_varnames[: fills.__code__.co_argcount]
    order = (*tensors, *constants)
    read = [order.index(name) for name in names if name != "came"]

    def writes(node: Node, *came: Any) -> tuple[int, ...]:
        kept = (*(node.saved or (None,) * len(tensors)), *node.constants)
        return tuple(map(int, fills(*came, *[kept[place] for place in read])))

    return writes if "came" in names else property(writes)


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
    read = itemgetter(*picks)
    return lambda g, values: formula(o, g, *read(values))


def _runner(
    record: Record, o: Operators, order: tuple[str, ...], saved: Callable[[Node], list[Any]]
) -> Callable[..., Any]:
    """The method that runs all formulas for which there is an edge, in the order of their names as PyTorch does."""
    if record.joint is not None:
        return _joint_runner(record.joint, o, order, saved)
    rules = [_rule(record.vjps.get(name), o, order) for name in record.sources]
    if record.variadic:
        return _variadic_runner(rules[0], saved)
    turns = sorted([(record.sources[place], place, rule) for place, rule in enumerate(rules) if rule is not None])

    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        values = saved(node)
        found: list[Any] = [None] * len(edges)
        for _, place, rule in turns:
            if edges[place] is not None:
                found[place] = rule(g, values)
        return found

    def refuse(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        return [rule(g, []) for rule in rules if rule is not None]

    return refuse if record.grad_fn == "NotImplemented" else run


def _joint_runner(
    formula: Formula, o: Operators, order: tuple[str, ...], saved: Callable[[Node], list[Any]]
) -> Callable[..., Any]:
    """For an operator with one formula for all its gradients: it says itself which are made."""
    picks = [order.index(name) for name in formula_names(formula)]

    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        values = saved(node)
        wanted = tuple([edge is not None for edge in edges])
        found = formula(o, g, *[values[pick] for pick in picks], grad_input_mask=wanted)
        return [gradient if edge is not None else None for gradient, edge in zip(found, edges, strict=True)]

    return run


def _counting(record: Record, run: Callable[..., Any]) -> Callable[..., Any]:
    """``run`` on tensors, with the writes counted that PyTorch makes into the gradients it finds."""
    writes = record.filled  # where calls differ the formula itself writes as PyTorch does
    if not writes:
        return run
    return lambda node, g, edges: count_writes(run(node, g, edges), writes)


def count_writes(found: list[Any], writes: Sequence[int]) -> list[Any]:
    """``found``, gradients that are tensors, with as many writes counted as ``writes`` says of each.

    Where the formula writes as PyTorch does, they have been counted.
    """
    for gradient, count in zip(found, writes, strict=False):
        if count and gradient is not None:
            counter = counter_of(gradient)
            counter.version = counter.version or count
    return found


def _quick_runner(record: Record, order: tuple[str, ...]) -> Callable[..., Any] | None:
    """The same on arrays with fewer calls, for the simplest operators; None for the others."""
    formulas = [record.vjps.get(name) for name in record.sources]
    if record.variadic or record.joint is not None or None in formulas or record.grad_fn == "NotImplemented":
        return None
    picks = [[order.index(name) for name in formula_names(formula)] for formula in formulas if formula is not None]
    if len(formulas) == 1 and picks == [[]] and not order:
        return _nothing_read(formulas[0])
    if len(formulas) == 1 and picks == [[0]] and len(order) == 1 and order[0] in (*record.inputs, *record.outputs):
        return _one_read(formulas[0])
    if len(formulas) == 1 and not saved_layout(record)[0] and picks == [[*range(len(order))]]:
        return _constants_read(formulas[0])
    if len(formulas) == 2 and all(len(read) == 1 for read in picks):
        saved = two_saved if len(order) == len(saved_layout(record)[0]) == 2 else arrays_saved
        return _one_read_each(formulas[0], formulas[1], picks[0][0], picks[1][0], saved)
    if len(formulas) == 2 and not picks[0] and len(picks[1]) == 1 and order == ("alpha",):
        return _only_alpha_read(formulas[0], formulas[1])
    return None


def _nothing_read(formula: Any) -> Callable[..., Any]:
    return lambda node, g, edges: [None if edges[0] is None else formula(ARRAYS, g)]


def _one_read(formula: Any) -> Callable[..., Any]:
    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        saved = node.saved
        value = saved[0] if saved and type(saved[0]) is ndarray else array_saved(node)  # most keep their own result
        return [None if edges[0] is None else formula(ARRAYS, g, value)]

    return run


def _constants_read(formula: Any) -> Callable[..., Any]:
    return lambda node, g, edges: [None if edges[0] is None else formula(ARRAYS, g, *node.constants)]


def _only_alpha_read(first: Any, second: Any) -> Callable[..., Any]:
    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        left, right = edges
        return [
            None if left is None else first(ARRAYS, g),
            None if right is None else second(ARRAYS, g, node.constants[0]),
        ]

    return run


def _one_read_each(first: Any, second: Any, pick: int, other_pick: int, saved: Any) -> Callable[..., Any]:
    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        left, right = edges
        values = saved(node)
        return [
            None if left is None else first(ARRAYS, g, values[pick]),
            None if right is None else second(ARRAYS, g, values[other_pick]),
        ]

    return run


def _variadic_runner(rule: Rule | None, saved: Callable[[Node], list[Any]]) -> Callable[..., Any]:
    """For an operator on a list: its one formula gives the gradients of all members as soon as one is wanted."""

    def run(node: Node, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        if rule is None or not any(edges):
            return [None] * len(edges)
        return list(rule(g, saved(node)))

    return run
