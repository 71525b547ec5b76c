"""From a record to the operator that is called: computes, remembers what its backward needs, tells the observer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.engine import record as records
from chalkgrad.engine.arguments import bind, in_order
from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, state
from chalkgrad.engine.inplace import write
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import Record
from chalkgrad.engine.recording import (
    Plan,
    announce,
    check_constant,
    check_kept,
    compute,
    differentiable,
    edges_of,
    givers,
    make_node,
    plan_of,
    promoted,
    refuse_integers,
)
from chalkgrad.engine.results import return_type
from chalkgrad.engine.rules import ARRAYS, TENSORS, array_operator
from chalkgrad.engine.shortcuts import recorded_anyway, shortcut_of
from chalkgrad.engine.storage import DetachedInferenceCounter, InferenceCounter

Operator = Callable[..., Any]
Bound = Callable[[tuple[Any, ...], dict[str, Any]], Any]

BOUND: dict[str, Bound] = {}
"""The operators on tensors by name, called with all inputs and all attributes, already checked."""


def register(record: Record) -> Record:
    """Put ``record`` into the table and make its operators on arrays and on tensors; see :func:`record.register`."""
    records.register(record)
    setattr(ARRAYS, record.name, array_operator(record))
    setattr(TENSORS, record.name, make_operator(record))
    return record


def make_operator(record: Record) -> Operator:
    """The operator on tensors that ``record`` describes."""
    bound = BOUND[record.name] = _bound(record)
    general = _called(record, bound)
    shortcut = shortcut_of(record)
    return general if shortcut is None else shortcut(general)


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

    return call


def _computing(record: Record) -> Bound:
    """Any operator that makes new tensors (or views of old ones)."""
    plan: Plan | None = None
    single = len(record.outputs) == 1
    several = None if record.returns is None else return_type(record.returns, record.outputs)
    variadic, recorded, view = record.variadic, bool(record.vjps), record.view
    follows = record.follows_layout and not view
    constant = [record.inputs.index(name) for name in record.inputs if name in record.no_gradient]

    def run(inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
        nonlocal plan
        if plan is None:
            plan = plan_of(record)
        flat = tuple(inputs[0]) if variadic else inputs
        edges = None
        if recorded and state.grad:
            if constant:
                check_constant(record, constant, flat)
            edges = edges_of(plan, flat)
            if not any(edges) and not recorded_anyway(*givers(plan, flat)):
                edges = None
        try:
            results = compute(plan, promoted(record, flat), attributes)
        except Exception:
            if edges is not None:
                check_kept(plan, edges, flat, attributes)
            raise
        if follows and results[0].ndim > 1:
            given = [x.array for x in flat if isinstance(x, TensorBase)]
            results = tuple([ordered(result, given) for result in results])
        if single and several is None:
            made: Any = new_tensor(results[0])
            outputs: tuple[TensorBase, ...] = (made,)
        else:
            outputs = tuple([new_tensor(result) for result in results])
            made = outputs if several is None else several(outputs)
        if view:
            for output in outputs:
                _make_view(record, inputs[0], output)
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
        return made

    return run


def _composed(compose: Operator) -> Bound:
    """An operator that PyTorch writes in terms of others."""
    return lambda inputs, attributes: compose(TENSORS, *inputs, **attributes)


def _writing(record: Record) -> Bound:
    """An operator that writes its result into its first input."""
    return lambda inputs, attributes: write(record, inputs, attributes)


def _make_view(record: Record, source: TensorBase, out: TensorBase) -> None:
    """Let a view share its source's write counter, and know its base."""
    counter = out.counter = counter_of(source)
    if not record.vjps and type(counter) is InferenceCounter and not state.inference:
        out.counter = DetachedInferenceCounter()
    if counter.inference and record.vjps and not state.inference:
        out.counter = InferenceCounter()
    if not record.vjps or counter.inference:
        return
    known = None if source.meta is None else source.meta.view
    base = source if known is None else known.base
    made = ("grad" if record.outputs else "many") if state.grad else "inference" if state.inference else "no_grad"
    if known is not None and (made == "grad" or known.made == "inference"):
        made = known.made
    meta_of(out).view = View(base, made, counter.version)
