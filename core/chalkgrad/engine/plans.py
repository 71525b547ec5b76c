"""What is known of an operator before it is called, worked out once: how its calls are computed and what nodes keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.graph import Node
from chalkgrad.engine.record import Record
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES
from chalkgrad.engine.shapes import same, size_at
from chalkgrad.engine.storage import element_strides, geometry_of

Edges = tuple[Node | None, ...]
Constant = Callable[[tuple[Any, ...], dict[str, Any], tuple[TensorBase, ...]], Any]


class Layout:
    """What a node keeps when gradients go along certain edges: where each saved value and each constant comes from.

    ``saved`` has for each saved name the position of an input, that of an output counted from -1 downwards, or None.
    """

    __slots__ = ("constants", "nothing", "saved")

    def __init__(self, record: Record, cls: type[Node], needed: frozenset[str]) -> None:
        self.saved = tuple([_place(record, name) if name in needed else None for name in cls.saved_names])
        self.nothing = bool(self.saved) and not any(place is not None for place in self.saved)
        self.constants = tuple([_constant(record, name, name in needed) for name in cls.constant_names])


def _place(record: Record, name: str) -> int:
    return record.inputs.index(name) if name in record.inputs else -1 - record.outputs.index(name)


class Plan:
    """What is known of a record before it is called, worked out once.

    ``sources`` are the positions of the inputs that gradients can go to, None for all, ``constant`` of those that may
    not require grad; ``differentiable`` the numbers of the outputs that get the node, None for all, ``first`` the
    first of them. ``shape`` is the shape rule where it has to be asked, ``follows`` whether results are laid out as
    the operands are, ``full`` the layout for edges to all sources.
    """

    __slots__ = (
        "check",
        "cls",
        "constant",
        "defaults",
        "differentiable",
        "first",
        "follows",
        "forward",
        "full",
        "keeps",
        "layouts",
        "many",
        "not_implemented",
        "promotes",
        "record",
        "shape",
        "sources",
        "variadic",
        "view",
    )

    def __init__(self, record: Record) -> None:
        self.record = record
        self.forward = _forward_of(record)
        self.check = record.check
        self.promotes = record.promotes != "none"
        self.follows = record.follows_layout and not record.view
        self.constant = tuple([place for place, name in enumerate(record.inputs) if name in record.no_gradient])
        self.defaults = {attribute.name: attribute.default for attribute in record.attributes}
        self.cls: type[Node] | None = NODE_CLASSES[record.name] if record.vjps else None
        given = record.inputs
        whole = record.variadic or len(record.vjps) == len(given)
        self.sources = None if whole else tuple([n for n, name in enumerate(given) if name in record.vjps])
        self.differentiable = record.differentiable
        self.first = (record.differentiable or (0,))[0]
        self.many = record.many
        self.shape = None if record.checks_shapes or record.shape is same else record.shape
        self.variadic = record.variadic
        self.view = record.view
        self.not_implemented = record.grad_fn == "NotImplemented"
        self.keeps = self.cls is not None and bool(self.cls.saved_names or self.cls.constant_names)
        self.full: Layout | None = None
        self.layouts: dict[tuple[bool, ...], Layout] = {}

    def layout(self, edges: Edges) -> Layout:
        """What is kept for these edges."""
        if None not in edges:
            if self.full is None:
                self.full = self._layout(edges)
            return self.full
        return self._layout(edges)

    def _layout(self, edges: Edges) -> Layout:
        mask = () if self.record.variadic else tuple([edge is not None for edge in edges])
        known = self.layouts.get(mask)
        if known is None:
            assert self.cls is not None
            there = [name for name, wanted in zip(self.record.sources, mask or (True,), strict=True) if wanted]
            known = self.layouts[mask] = Layout(self.record, self.cls, frozenset(self.record.saved(frozenset(there))))
        return known


def _forward_of(record: Record) -> Callable[..., Any]:
    """What computes the results; that they become arrays :func:`compute` sees to."""
    as_it_is = not isinstance(record.forward, np.ufunc) and record.section != "reduce"
    forward: Callable[..., Any] = record.forward if as_it_is else getattr(ARRAYS, record.name)
    return forward


_plans: dict[str, Plan] = {}


def plan_of(record: Record) -> Plan:
    """The plan of ``record``."""
    known = _plans.get(record.name)
    if known is None or known.record is not record:
        known = _plans[record.name] = Plan(record)
    return known


def _constant(record: Record, name: str, needed: bool) -> Constant:
    """Reads off a call what its node keeps as ``name``: an attribute, or ``self_sym_sizes`` and its kin.

    Strides that no formula reads are left out, as PyTorch does.
    """
    if any(attribute.name == name for attribute in record.attributes):
        return lambda inputs, attributes, outputs: attributes[name]
    mark = next((found for found in ("_sym_", "_args_") if found in name), "_")
    source, _, fact = name.rpartition(mark)
    if record.variadic:
        return lambda inputs, attributes, outputs: tuple([tensor.array.shape for tensor in inputs])
    if source in record.outputs:
        return _constant_of_output(record.outputs.index(source), _FACTS[fact])
    place = record.inputs.index(source)
    if fact == "strides" and not needed:
        return lambda inputs, attributes, outputs: ()
    if source not in record.numbers and source not in record.optional:
        if fact == "sizes":
            return lambda inputs, attributes, outputs: inputs[place].array.shape
        if fact == "strides":
            return lambda inputs, attributes, outputs: element_strides(inputs[place].array)
    read: Callable[[np.ndarray], Any] = _FACTS.get(fact, geometry_of)

    def constant(inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]) -> Any:
        value = inputs[place]
        return read(value.array if isinstance(value, TensorBase) else np.asarray(value))

    return constant


def _constant_of_output(place: int, read: Callable[[np.ndarray], Any]) -> Constant:
    """Reads the same off a result; None where there is none yet."""
    return lambda inputs, attributes, outputs: read(outputs[place].array) if outputs else None


_FACTS: dict[str, Callable[[np.ndarray], Any]] = {
    "dim": lambda array: array.ndim,
    "sizes": lambda array: array.shape,
    "info": lambda array: (array.shape, array.dtype),
    "strides": element_strides,
    "numel": lambda array: array.size,
    "argsize_0": lambda array: size_at(array.shape, 0),
    "argsize_1": lambda array: size_at(array.shape, 1),
    "argsize_2": lambda array: size_at(array.shape, 2),
    "sizes_opt": lambda array: array.shape if array.dtype != object else None,  # None for an input that isn't there
    "argsize_minus_1": lambda array: size_at(array.shape, -1),
    "argsize_minus_2": lambda array: size_at(array.shape, -2),
}
