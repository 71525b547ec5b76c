"""The steps of one call of an operator: dtypes, values, and the node with what it saves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.anomaly import note_origin
from chalkgrad.engine.base import TensorBase, meta_of, rare_of, state
from chalkgrad.engine.dtype import FLOATING, DType, cast, dtype_of, get_default_dtype, result_type
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.observer import kept_names
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import Record
from chalkgrad.engine.rules import ARRAYS, NODE_CLASSES
from chalkgrad.engine.saved import Saved, check_countable, keep, pack_all
from chalkgrad.engine.shapes import same, size_at
from chalkgrad.engine.storage import InferenceCounter, element_strides, geometry_of

Edges = tuple[Node | None, ...]


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

    ``sources`` are the positions of the inputs that gradients can go to, None for all; ``differentiable`` the numbers
    of the outputs that get the node, None for all.
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


def givers(plan: Plan, flat: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of the inputs that gradients can go to."""
    return flat if plan.sources is None else tuple([flat[place] for place in plan.sources])


def edges_of(plan: Plan, flat: tuple[Any, ...]) -> Edges:
    """Where the gradients of a call go."""
    if plan.sources is not None:
        flat = givers(plan, flat)
    cls = state.tensor
    return tuple([x.node if type(x) is cls and x.meta is None else _edge_if_any(x) for x in flat])


def _edge_if_any(value: Any) -> Node | None:
    return edge_of(value) if isinstance(value, TensorBase) else None


def recorded_anyway(*inputs: Any) -> bool:
    """True for views made under no_grad of what requires grad: they require grad too, but take no gradient."""
    return any(isinstance(x, TensorBase) and x.meta is not None and requires_grad_of(x) for x in inputs)


def computed(
    plan: Plan, inputs: tuple[Any, ...], attributes: dict[str, Any]
) -> tuple[Edges | None, tuple[np.ndarray, ...]]:
    """What a call comes to: where its gradients go, None where it isn't recorded, and its results."""
    edges: Edges | None = None
    if state.grad and plan.cls is not None:
        if plan.constant:
            check_constant(plan.record, plan.constant, inputs)
        edges = edges_of(plan, inputs)
        recorded = any(edges) or recorded_anyway(*givers(plan, inputs))
        if not recorded or (plan.view and type(inputs[0].counter) is InferenceCounter):
            edges = None  # of a view of what inference mode made only what is computed of it is recorded
    arrays = [x.array if isinstance(x, TensorBase) else x for x in inputs]
    try:
        if plan.check is not None:
            plan.check(*arrays)
        results = compute(plan, promoted(plan.record, arrays) if plan.promotes else arrays, attributes)
    except Exception:
        if edges is not None:
            check_kept(plan, edges, inputs, attributes)
        raise
    if plan.follows and results[0].ndim > 1:
        given = [x.array for x in inputs if isinstance(x, TensorBase)]
        results = tuple([ordered(result, given) for result in results])
    return edges, results


def promoted(record: Record, values: list[Any]) -> list[Any]:
    """``values``, arrays and numbers, in the dtype they are computed in."""
    if record.promotes == "none" or _all_alike(values):
        return values
    target = compute_dtype(record, values)
    return [None if value is None else cast(value, target) for value in values]


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


def compute_dtype(record: Record, values: list[Any]) -> DType:
    """The dtype in which ``record`` computes on ``values``."""
    target = result_type(value for value in values if value is not None)
    if record.promotes == "float" and target.kind != FLOATING:
        return get_default_dtype()
    return target


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


def shape_of(value: Any) -> Any:
    """The sizes of an array, none for a number; None for an input that isn't there."""
    return value.shape if isinstance(value, np.ndarray) else None if value is None else ()


def check_constant(record: Record, places: tuple[int, ...], inputs: tuple[Any, ...]) -> None:
    """Raise for an input that requires grad where PyTorch knows no derivative by it; ``places`` are of such inputs."""
    for place in places:
        value = inputs[place]
        if isinstance(value, TensorBase) and requires_grad_of(value):
            raise RuntimeError(
                f"The function '{record.name.removesuffix('_native')}' is not differentiable with respect to argument "
                f"'{record.inputs[place]}'. This input cannot have requires_grad True."
            )


def check_kept(plan: Plan, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> None:
    """Raise what keeping the inputs of a call would: PyTorch keeps them before it computes, and so complains first."""
    layout = plan.layout(edges)
    _kept([place for place in layout.saved if place is not None and place >= 0], inputs, ())
    for read in layout.constants:
        read(inputs, attributes, ())


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


def unattached_node(
    plan: Plan, edges: Edges, inputs: tuple[Any, ...], attributes: dict[str, Any], outputs: tuple[TensorBase, ...]
) -> Node:
    """The node of one call with all it saves, not yet anybody's grad_fn."""
    cls = plan.cls
    assert cls is not None
    saved: tuple[Saved, ...] = ()
    constants: tuple[Any, ...] = ()
    nothing = False
    if plan.keeps:
        layout = plan.full if plan.full is not None and None not in edges else plan.layout(edges)
        if layout.saved:
            saved = _kept(layout.saved, inputs, outputs)
            nothing = layout.nothing or (saved[0] is None and all(value is None for value in saved))
        if layout.constants:
            constants = tuple([read(inputs, attributes, outputs) for read in layout.constants])
    shape: Any
    dtype: Any
    if plan.many:
        made = [outputs[number].array for number in differentiable(plan, outputs)]
        shape, dtype = tuple([array.shape for array in made]), tuple([array.dtype for array in made])
    else:
        first = outputs[plan.first].array
        shape, dtype = first.shape, first.dtype
    ports = None
    for edge in edges:
        if edge is not None and edge.many:
            ports = ports_of(plan, inputs)
            break
    if plan.not_implemented:  # has no formulas that would have to tell its edges apart
        there = [place for place, edge in enumerate(edges) if edge is not None]
        edges = tuple([edges[place] for place in there])
        ports = None if ports is None else tuple([ports[place] for place in there])
    node = cls(edges, saved, constants, shape, dtype)
    if ports is not None:
        node.ports = ports
    if nothing or cls.writes:
        rare_of(node)  # nodes that saved nothing are never freed; the backward has to look closer at both
    return node


def ports_of(plan: Plan, inputs: tuple[Any, ...]) -> tuple[int, ...] | None:
    """Which output of the operator that made it each of the inputs is; None where all are the first."""
    if any(isinstance(x, TensorBase) and x.meta is not None and x.meta.output_nr for x in inputs):
        return tuple([x.output_nr if isinstance(x, TensorBase) else 0 for x in givers(plan, inputs)])
    return None


def _kept(places: Sequence[int | None], inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> tuple[Saved, ...]:
    """What a node keeps of the inputs and outputs at ``places``, as :class:`Layout` counts them."""
    found: list[Saved] = []
    for place in places:
        if place is None:
            found.append(None)
        elif place < 0:
            found.append(kept_output(outputs[-1 - place]))
        else:
            value = inputs[place]
            found.append(keep(value) if isinstance(value, TensorBase) and value.counter is not None else value)
    return tuple(found)


def kept_output(output: TensorBase) -> Saved:
    """What a node keeps of a result of its own: the array, with its write counter if it has one."""
    counter = output.counter
    if counter is None:
        return output.array
    check_countable(output)
    return output.array, counter, counter.version


Constant = Callable[[tuple[Any, ...], dict[str, Any], tuple[TensorBase, ...]], Any]


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


def announce(inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...], node: Node | None) -> None:
    """Tell those who watch about results and their node."""
    observer = state.observer
    usual = not (state.inference or state.packing or state.anomaly)
    if usual and observer is not None and node is not None and len(outputs) == 1:
        observer.result_made(node, inputs, outputs[0])
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
        pack_all(node)
    if state.anomaly:
        note_origin(node)
    observer = state.observer
    if observer is None:
        return
    observer.node_made(node, inputs, outputs)
    kept = kept_names(node)
    if kept:
        observer.saved(node, kept)
