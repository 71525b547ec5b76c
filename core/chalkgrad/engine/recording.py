"""The steps of one call of an operator: dtypes, values, and the node with what it saves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.anomaly import note_origin
from chalkgrad.engine.array_operators import compute_dtype
from chalkgrad.engine.base import Meta, TensorBase, View, counter_of, meta_of, rare_of, state
from chalkgrad.engine.dtype import DType, cast, dtype_of
from chalkgrad.engine.graph import Node, edge_of, next_sequence_nr, number_first
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.observer import kept_names
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.plans import Edges, Plan
from chalkgrad.engine.record import Record
from chalkgrad.engine.room import shape_of, without_room
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.saved import Saved, TensorList, check_countable, keep, kept_list, pack_all
from chalkgrad.engine.storage import Counter, DetachedInferenceCounter, InferenceCounter, overlaps_itself

_NUMBER = np.zeros(())
"""What stands for a number among operands when it is asked how they lie in memory."""


_WITH_UNDEFINED = frozenset({"convolution_native", "embedding_bag", "native_batch_norm", "native_group_norm"})
"""Operators that PyTorch gives a tensor in place of one that isn't there, of which autograd hears."""

TAKE_NUMBERS = frozenset(
    {
        *("clamp_max_number", "clamp_min_number", "fill_number", "lerp_number", "pow_number"),
        *(
            "clamp_max_number_",
            "clamp_min_number_",
            "copysign_number_",
            "fmod_number_",
            "pow_number_",
            "remainder_number_",
            "xlogy_number_",
        ),
    }
)
"""Operators of a number for which PyTorch makes no tensor of it."""

UNHEARD: dict[str, Callable[..., Any]] = {}
"""What autograd hears of calls of which it doesn't hear, by operator; filled by :mod:`chalkgrad.ops.unheard`."""


WITHIN: Edges = (None, None)
"""Stands for the edges of a call that was made by others, whose tensors are the results."""


def givers(plan: Plan, flat: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of the inputs that gradients can go to."""
    return flat if plan.sources is None else tuple([flat[place] for place in plan.sources])


def edges_of(plan: Plan, flat: tuple[Any, ...]) -> Edges:
    """Where the gradients of a call go."""
    if plan.sources is not None:
        flat = givers(plan, flat)
    cls = state.tensor
    return tuple(
        [
            x.node if type(x) is cls and x.meta is None else edge_of(x) if isinstance(x, TensorBase) else None
            for x in flat
        ]
    )


def recorded_anyway(*inputs: Any) -> bool:
    """True for views made under no_grad of what requires grad: they require grad too, but take no gradient."""
    return any(isinstance(x, TensorBase) and x.meta is not None and requires_grad_of(x) for x in inputs)


def unnoticed(plan: Plan, inputs: tuple[Any, ...]) -> bool:
    """True for a call on nothing but what inference mode made, which PyTorch's autograd never gets to see.

    It sees numbers, of which PyTorch makes tensors for nearly all operators.
    """
    if _is_ordinary(inputs[0]):
        return False
    if plan.view:
        return True
    given = [*inputs, *inputs[1]] if len(inputs) > 1 and type(inputs[1]) is TensorList else inputs
    if any(map(_is_ordinary, given)):
        return False
    name = plan.record.name
    if name in _WITH_UNDEFINED and any(x is None for x in inputs):
        return False
    if name in UNHEARD:
        return True
    numbers = name.endswith("_number") or any(isinstance(x, int | float | complex) for x in inputs)
    return name in TAKE_NUMBERS or not numbers


def _is_ordinary(x: Any) -> bool:
    """True for a tensor that inference mode didn't make."""
    return isinstance(x, TensorBase) and (x.counter is None or not x.counter.inference)


def computed(
    plan: Plan, inputs: tuple[Any, ...], attributes: dict[str, Any]
) -> tuple[Edges | None, tuple[np.ndarray, ...]]:
    """What a call comes to: where its gradients go, None where it isn't recorded, and its results.

    Of what autograd doesn't hear of, but of steps on the way, the second is what these came to (:data:`WITHIN`).
    """
    edges: Edges | None = None
    if state.grad and plan.cls is not None:
        if plan.constant and not unnoticed(plan, inputs):
            check_constant(plan, inputs, attributes)
        edges = edges_of(plan, inputs)
        recorded = any(edges) or recorded_anyway(*givers(plan, inputs))
        if not recorded:
            edges = None
        elif unnoticed(plan, inputs):
            edges, within = None, UNHEARD.get(plan.record.name)
            found = None if within is None else within(TENSORS, *inputs, **attributes)
            if found is not None:
                return WITHIN, found
    elif state.grad and plan.record.name in UNHEARD and recorded_anyway(*inputs) and unnoticed(plan, inputs):
        UNHEARD[plan.record.name](TENSORS, *inputs, **attributes)
    arrays = [x.array if isinstance(x, TensorBase) else x for x in inputs]
    try:
        if plan.check is not None:
            plan.check(*arrays)
        results = compute(plan, promoted(plan.record, arrays) if plan.promotes else arrays, attributes)
    except Exception as error:
        if edges is not None:
            check_kept(plan, edges, inputs, attributes)
        raise without_room(plan, inputs, attributes, error) from None
    if plan.follows and results[0].ndim > 1:
        given = [x.array if isinstance(x, TensorBase) else _NUMBER for x in inputs]
        if plan.promotes and any(overlaps_itself(array) for array in given):
            given = _spread_out(plan.record, arrays, given)
        results = tuple([ordered(result, given) for result in results])
    return edges, results


def _spread_out(record: Record, values: list[Any], arrays: list[np.ndarray]) -> list[np.ndarray]:
    """``arrays`` where those of another dtype than the common one are copies, in which nothing is repeated."""
    target = compute_dtype(record, values).numpy
    return [
        ordered(array.copy(), (array,)) if array.dtype != target and overlaps_itself(array) else array
        for array in arrays
    ]


def _in_common(value: Any, target: DType) -> np.ndarray:
    """An array or number in the dtype ``target``; what is copied for it and repeated itself lies row by row."""
    if isinstance(value, np.ndarray) and value.dtype is not target.numpy and overlaps_itself(value):
        return value.astype(target.numpy, order="C")
    return cast(value, target)


def promoted(record: Record, values: list[Any]) -> list[Any]:
    """``values``, arrays and numbers, in the dtype they are computed in."""
    if record.promotes == "none" or _all_alike(values):
        return values
    target = compute_dtype(record, values)
    return [None if value is None else _in_common(value, target) for value in values]


def _all_alike(values: list[Any]) -> bool:
    """True for arrays of one floating-point dtype, which need no promotion."""
    common = None
    for value in values:
        if type(value) is not np.ndarray:
            return False
        dtype = value.dtype
        if dtype is not common:
            if common is not None or dtype.kind != "f":
                return False
            common = dtype
    return True


def compute(plan: Plan, values: list[Any], attributes: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """Results of the record's forward on arrays; its shape rule raises what PyTorch would where NumPy refuses."""
    given = (values,) if plan.variadic else values
    if plan.shape is not None:
        shapes = [value.shape if type(value) is np.ndarray else shape_of(value) for value in values]
        if plan.variadic:
            plan.shape(shapes, **attributes)
        else:
            plan.shape(*shapes, **attributes)
    found = plan.forward(*given, **attributes)
    if type(found) is np.ndarray:
        return (found,)
    results = found if isinstance(found, tuple) else (found,)
    return tuple([result if isinstance(result, np.ndarray) else np.asarray(result) for result in results])


def computed_with(*tensors: Any) -> None:
    """Bring views that were overwritten up to date, as where PyTorch computes with them on the way to a result.

    It answers some questions by operators that record, of which nothing is left but that: their nodes are gone.
    """
    if not state.grad:
        return
    for tensor in tensors:
        if isinstance(tensor, TensorBase) and tensor.meta is not None and requires_grad_of(tensor):
            next_sequence_nr()
            grad_fn_of(tensor)


def check_constant(plan: Plan, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> None:
    """Raise for an argument that requires grad where PyTorch knows no derivative by it."""
    for name, place in plan.constant:
        value = inputs[place] if place < len(inputs) else attributes.get(name)
        if isinstance(value, TensorBase) and requires_grad_of(value):
            raise RuntimeError(
                f"The function '{plan.record.name.removesuffix('_native')}' is not differentiable with respect to "
                f"argument '{name}'. This input cannot have requires_grad True."
            )


def check_kept(plan: Plan, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> None:
    """Raise what keeping the inputs of a call would: PyTorch keeps them before it computes, and so complains first."""
    next_sequence_nr()  # its node is there by then, and gone with its number
    layout = plan.layout(edges)
    _kept([place for place in layout.saved if place is not None and place >= 0], inputs, ())
    if layout.constants is not None:
        layout.constants(inputs, attributes, ())


def make_node(
    plan: Plan, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]
) -> Node:
    """The node of one call, made the grad_fn of ``outputs``."""
    node = unattached_node(plan, edges, inputs, attributes, outputs)
    if len(outputs) == 1:
        outputs[0].node = node
        return node
    for place, number in enumerate(differentiable(plan, outputs)):
        outputs[number].node = node
        if place and node.many:
            meta_of(outputs[number]).output_nr = place
    return node


def refuse_integers(record: Record, attributes: dict[str, Any], result: np.ndarray) -> None:
    """Raise for a ``result`` of integers by which gradients would be lost, unless integers are what was asked for."""
    if not ("dtype" in attributes and record.attribute("dtype").required):
        raise RuntimeError(f"Autograd not support dtype: {dtype_of(result).scalar_type}")


def differentiable(plan: Plan, outputs: tuple[Any, ...]) -> tuple[int, ...]:
    """Numbers of the outputs that get the node."""
    known = plan.differentiable
    return tuple(range(len(outputs))) if known is None else known


def make_view(record: Record, source: TensorBase, out: TensorBase) -> None:
    """Let a view share its source's write counter, and know its base."""
    counter = out.counter = source.counter or counter_of(source)
    if counter.inference or not record.vjps:
        if counter.inference and (state.inference or record.vjps):
            out.counter = counter if type(counter) is InferenceCounter else InferenceCounter()
        elif type(counter) is InferenceCounter:
            out.counter = DetachedInferenceCounter()
        return
    known = None if source.meta is None else source.meta.view
    base = source if known is None else known.base
    if known is not None:
        out.counter = base.counter
    made = ("grad" if record.outputs else "many") if state.grad else "inference" if state.inference else "no_grad"
    if known is not None and (made == "grad" or known.made == "inference"):
        made = known.made
    meta = out.meta = Meta()
    meta.view = View(base, made, counter.version)


def make_unsafe_views(record: Record, source: TensorBase, outputs: tuple[TensorBase, ...]) -> None:
    """Let pieces that autograd is to take for tensors of their own be views where PyTorch's autograd never comes in.

    So they are in inference mode, each with a write counter of its own, and of what was made there.
    """
    counter = source.counter
    inferred = counter is not None and counter.inference
    if not (inferred or state.inference):
        return
    for output in outputs:
        make_view(record, source, output)
        output.counter = InferenceCounter() if inferred else Counter()


def unattached_node(
    plan: Plan, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]
) -> Node:
    """The node of one call with all it saves, not yet anybody's grad_fn."""
    cls = plan.cls
    assert cls is not None
    layout = plan.full if plan.full is not None and None not in edges else plan.layout(edges)
    saved = _kept(layout.saved, inputs, outputs, plan.differentiable) if layout.saved else ()
    constants = () if layout.constants is None else layout.constants(inputs, attributes, outputs)
    if plan.many:
        made = [outputs[number].array for number in differentiable(plan, outputs)]
        shapes, dtypes = tuple([array.shape for array in made]), tuple([array.dtype for array in made])
        node = cls(edges, saved, constants, shapes, dtypes)
    else:
        array = outputs[plan.first].array
        node = cls(edges, saved, constants, array.shape, array.dtype)
    for edge in edges:
        if edge is not None and edge.many:
            node.ports = ports_of(plan, inputs)
            break
    if plan.not_implemented:
        _close_ranks(node, givers(plan, inputs))
    if plan.writes or (saved and saved[0] is None and all(value is None for value in saved)):
        rare_of(node)  # nodes that saved nothing are never freed; the backward has to look closer at both
    return node


def _close_ranks(node: Node, inputs: Sequence[Any]) -> None:
    """Leave out the edges of what requires no grad, for a node that has no formulas which would tell them apart."""
    there = [place for place, x in enumerate(inputs) if isinstance(x, TensorBase) and requires_grad_of(x)]
    node.edges, ports = tuple([node.edges[place] for place in there]), node.ports
    node.ports = None if ports is None else tuple([ports[place] for place in there])


def ports_of(plan: Plan, inputs: tuple[Any, ...]) -> tuple[int, ...] | None:
    """Which output of the operator that made it each of the inputs is; None where all are the first."""
    if any(isinstance(x, TensorBase) and x.meta is not None and x.meta.output_nr for x in inputs):
        return tuple([x.output_nr if isinstance(x, TensorBase) else 0 for x in givers(plan, inputs)])
    return None


def _kept(
    places: Sequence[int | None],
    inputs: tuple[Any, ...],
    outputs: tuple[TensorBase, ...],
    own: tuple[int, ...] | None = None,
) -> tuple[Saved, ...]:
    """What a node keeps of the inputs and outputs at ``places``, as a layout counts them.

    ``own`` are the numbers of the outputs that get the node, None for all; others it keeps as it does inputs.
    """
    found: list[Saved] = []
    for place in places:
        if place is None:
            found.append(None)
        elif place < 0 and (own is None or -1 - place in own):
            found.append(kept_output(outputs[-1 - place]))
        else:
            value = inputs[place] if place >= 0 else outputs[-1 - place]
            if isinstance(value, TensorBase):
                found.append(value if value.counter is None else keep(value))
            else:
                found.append(kept_list(value) if type(value) is TensorList else value)
    return tuple(found)


def kept_output(output: TensorBase) -> Saved:
    """What a node keeps of a result of its own: the array, with its write counter if it has one."""
    counter = output.counter
    if counter is None:
        return output.array
    check_countable(output)
    return output.array, counter, counter.version


def announce(inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...], node: Node | None) -> None:
    """Tell those who watch about results and their node."""
    if state.renewed:
        number_first(node)
    observer, tell = state.observer, state.tell
    if tell is not None and node is not None and len(outputs) == 1:
        tell(node, inputs, outputs[0])
        return
    for output in outputs:
        if state.inference and output.counter is None:
            output.counter = InferenceCounter()
        if observer is not None:
            observer.tensor_made(output)
    if node is not None:
        announce_node(node, inputs, outputs)


def announce_node(node: Node, inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
    """Tell those who watch about a node and what it saved."""
    if state.packing and node.saved:
        pack_all(node, outputs)
    if state.anomaly:
        note_origin(node)
    observer = state.observer
    if observer is None:
        return
    observer.node_made(node, inputs, outputs)
    kept = kept_names(node)
    if kept:
        observer.saved(node, kept)
