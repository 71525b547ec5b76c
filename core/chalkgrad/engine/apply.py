"""From a record to the operator that is called: computes, remembers what its backward needs, tells the observer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import record as records
from chalkgrad.engine.arguments import attributes_in_order, bind, in_order
from chalkgrad.engine.array_operators import array_operator
from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.graph import edge_of
from chalkgrad.engine.inplace import write
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.own_code import with_own_code
from chalkgrad.engine.plans import Edges, Plan, plan_of
from chalkgrad.engine.record import OPS, Record
from chalkgrad.engine.recording import (
    WITHIN,
    announce,
    check_kept,
    computed,
    differentiable,
    make_node,
    make_unsafe_views,
    make_view,
    recorded_anyway,
    refuse_integers,
    unattached_node,
)
from chalkgrad.engine.results import return_type
from chalkgrad.engine.room import without_room
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.shortcuts import shortcut_of

Operator = Callable[..., Any]
Bound = Callable[[tuple[Any, ...], dict[str, Any]], Any]

_ARRAY = np.ndarray
_FLOATS = frozenset({np.dtype(np.float32), np.dtype(np.float64)})


class _BoundOperators(dict[str, Bound]):
    def __missing__(self, name: str) -> Bound:
        made = self[name] = _bound(OPS[name])
        return made


BOUND = _BoundOperators()
"""The operators on tensors by name, called with all inputs and all attributes, already checked; made when needed."""


def register(record: Record) -> Record:
    """Put ``record`` into the table and make its operator on arrays; see :func:`record.register`."""
    records.register(record)
    setattr(ARRAYS, record.name, array_operator(record))
    return record


def make_operator(record: Record) -> Operator:
    """The operator on tensors that ``record`` describes."""
    general = _called(record, BOUND[record.name])
    shortcut = shortcut_of(record)
    return general if shortcut is None else shortcut(general)


TENSORS.make = make_operator


def _bound(record: Record) -> Bound:
    if record.compose is not None:
        return _composed(record.compose)
    return _writing(record) if record.writes is not None else _computing(record)


def _called(record: Record, bound: Bound) -> Operator:
    """``bound`` as formulas call it: inputs and attributes by position and name."""
    method = record.writes is not None
    read = in_order(record)

    def call(*args: Any, **kwargs: Any) -> Any:
        plain = None if kwargs else read(args)
        if plain is None:
            plain = bind(record, args, kwargs, method=method)
        return bound(*plain)

    if len(record.inputs) == 1 and not record.variadic:
        return _called_with_one(record, bound, call)
    return call if record.attributes or len(record.inputs) != 2 else _called_with_two(bound, call)


def _called_with_one(record: Record, bound: Bound, general: Operator) -> Operator:
    """The same for one tensor and attributes in their places; any other call is left to ``general``."""
    cls, read = state.tensor, attributes_in_order(record)

    def call(self: Any, /, *values: Any, **named: Any) -> Any:
        attributes = read(values) if type(self) is cls and not named else None
        if attributes is None:
            return general(self, *values, **named)
        return bound((self,), attributes)

    def call_alone(self: Any, /, *values: Any, **named: Any) -> Any:
        if type(self) is not cls or values or named:
            return general(self, *values, **named)
        return bound((self,), {})

    return call if record.attributes else call_alone


def _called_with_two(bound: Bound, general: Operator) -> Operator:
    """The same for two tensors and nothing else."""
    cls = state.tensor

    def call(self: Any, /, *others: Any, **named: Any) -> Any:
        if type(self) is not cls or len(others) != 1 or type(others[0]) is not cls or named:
            return general(self, *others, **named)
        return bound((self, others[0]), {})

    return call


def _computing(record: Record) -> Bound:
    """Any operator that makes new tensors (or views of old ones)."""
    if len(record.outputs) != 1 or record.returns is not None or record.variadic:
        return _computing_several(record)
    general = _computing_one(record)
    if record.no_gradient or set(record.vjps) != set(record.inputs) or len(record.inputs) not in (1, 2):
        return general
    return with_own_code(_of_one(record, general) if len(record.inputs) == 1 else _of_two(record, general))


def _of_one(record: Record, general: Bound) -> Bound:
    """An operator of one tensor that makes one tensor; whatever is out of the ordinary is left to ``general``."""
    plan: Plan | None = None
    cls = state.tensor

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        nonlocal plan
        if plan is None:
            plan = plan_of(record)
        self = inputs[0]
        if type(self) is not cls or self.array.dtype not in _FLOATS:
            return general(inputs, attributes)
        x = self.array
        edges: Edges | None = None
        if state.grad:
            edge = self.node if self.meta is None else edge_of(self)
            if edge is not None or (self.meta is not None and requires_grad_of(self)):
                if self.counter is not None and self.counter.inference:
                    return general(inputs, attributes)
                edges = (edge,)
        try:
            if plan.check is not None:
                plan.check(x)
            if plan.shape is not None:
                plan.shape(x.shape, **attributes)
            result = plan.forward(x, **attributes)
        except Exception as error:
            if edges is not None:
                check_kept(plan, edges, inputs, attributes)
            raise without_room(plan, inputs, attributes, error) from None
        if type(result) is not _ARRAY:
            result = np.asarray(result)
        if plan.follows and result.ndim > 1:
            result = ordered(result, (x,))
        return _made(plan, edges, inputs, attributes, result)

    return run


def _of_two(record: Record, general: Bound) -> Bound:
    """The same for two tensors of one dtype."""
    plan: Plan | None = None
    cls = state.tensor

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        nonlocal plan
        if plan is None:
            plan = plan_of(record)
        self, other = inputs
        if type(self) is not cls or type(other) is not cls:
            return general(inputs, attributes)
        x, y = self.array, other.array
        if x.dtype is not y.dtype or x.dtype not in _FLOATS:
            return general(inputs, attributes)
        edges: Edges | None = None
        if state.grad:
            a = self.node if self.meta is None else edge_of(self)
            b = other.node if other.meta is None else edge_of(other)
            if a is not None or b is not None or recorded_anyway(self, other):
                if self.counter is not None and self.counter.inference:
                    return general(inputs, attributes)
                edges = (a, b)
        try:
            if plan.check is not None:
                plan.check(x, y)
            if plan.shape is not None:
                plan.shape(x.shape, y.shape, **attributes)
            result = plan.forward(x, y, **attributes)
        except Exception as error:
            if edges is not None:
                check_kept(plan, edges, inputs, attributes)
            raise without_room(plan, inputs, attributes, error) from None
        if type(result) is not _ARRAY:
            result = np.asarray(result)
        if plan.follows and result.ndim > 1:
            result = ordered(result, (x, y))
        return _made(plan, edges, inputs, attributes, result)

    return run


def _computing_one(record: Record) -> Bound:
    """An operator of so many inputs that makes one tensor."""
    plan: Plan | None = None

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        nonlocal plan
        if plan is None:
            plan = plan_of(record)
        edges, results = computed(plan, inputs, attributes)
        if edges is WITHIN:
            return results
        return _made(plan, edges, inputs, attributes, results[0])

    return run


def _made(
    plan: Plan, edges: Edges | None, inputs: tuple[Any, ...], attributes: dict[str, Any], result: np.ndarray
) -> TensorBase:
    """The tensor that shows a result: a view where the operator makes one, with its node where it is recorded."""
    made = new_tensor(result)
    if plan.view:
        make_view(plan.record, inputs[0], made)
    if edges is not None:
        if result.dtype in _FLOATS:
            made.node = unattached_node(plan, edges, inputs, attributes, (made,))
        else:
            refuse_integers(plan.record, attributes, result)
    if state.watched:
        announce(inputs, (made,), made.node)
    return made


def _computing_several(record: Record) -> Bound:
    """An operator on a list of tensors, or one that makes several."""
    plan: Plan | None = None
    single = len(record.outputs) == 1 and record.returns is None
    several = None if record.returns is None else return_type(record.returns, record.outputs)
    variadic, view = record.variadic, record.view
    unsafe = record.name.startswith("unsafe_split")

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        nonlocal plan
        if plan is None:
            plan = plan_of(record)
        flat = tuple(inputs[0]) if variadic else inputs
        edges, results = computed(plan, flat, attributes)
        if edges is WITHIN:
            return results
        outputs = tuple([new_tensor(result) for result in results])
        if view:
            for output in outputs:
                make_view(record, inputs[0], output)
        elif unsafe:
            make_unsafe_views(record, inputs[0], outputs)
        node = None
        if edges is not None:
            numbers = differentiable(plan, outputs)
            for number in numbers:
                if results[number].dtype.kind == "f":
                    node = make_node(plan, edges, flat, attributes, outputs)
                    break
            else:
                if numbers:
                    refuse_integers(record, attributes, results[numbers[0]])
        if state.watched:
            announce(flat, outputs, node)
        if single:
            return outputs[0]
        return outputs if several is None else several(outputs)

    return run


def _composed(compose: Operator) -> Bound:
    """An operator that PyTorch writes in terms of others."""
    return lambda inputs, attributes: compose(TENSORS, *inputs, **attributes)


def _writing(record: Record) -> Bound:
    """An operator that writes its result into its first input."""
    return lambda inputs, attributes: write(record, inputs, attributes)
