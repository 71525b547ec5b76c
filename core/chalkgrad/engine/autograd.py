"""``torch.autograd``: who observes, ``backward`` and ``grad`` with all that they check."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.backward import Backward
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, rare_of, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.edges import GradientEdge
from chalkgrad.engine.graph import Node, gradient_edge_of
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.memory_format import empty_like
from chalkgrad.engine.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import Size
from chalkgrad.engine.warning import warn_once
from chalkgrad.errors import blame

__all__ = [
    "Backward",
    "backward",
    "enable_grad",
    "grad",
    "is_grad_enabled",
    "no_grad",
    "observe",
    "retain_grad",
    "set_grad_enabled",
    "start_backward",
    "start_grad",
]

Tensors = TensorBase | GradientEdge | Sequence[TensorBase] | Sequence[GradientEdge]
Gradients = TensorBase | Sequence[TensorBase | None] | None


def observe(observer: Observer | None) -> None:
    """Let ``observer`` be told of everything from now on; None for nobody."""
    state.observer = observer
    state.look_again()


def backward(
    tensors: Tensors,
    grad_tensors: Gradients = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Gradients = None,
    inputs: Tensors | None = None,
) -> None:
    """Add the gradients of ``tensors``, weighted by ``grad_tensors``, to the ``.grad`` of the leaves they came from."""
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if state.transforms:
        raise RuntimeError(messages.BACKWARD_IN_TRANSFORM)
    start_backward(tensors, grad_tensors, retain_graph, create_graph, inputs).run()


def start_backward(
    tensors: Tensors,
    grad_tensors: Gradients = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> Backward:
    """:func:`backward`, checked and ready to be advanced node by node."""
    targets = None
    if inputs is not None:
        inputs = as_tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    roots = as_tuple(tensors)
    gradients = make_gradients(roots, _gradient_tuple(grad_tensors, len(roots)))
    keep = create_graph if retain_graph is None else bool(retain_graph)
    edges = root_edges(roots, gradients)
    if inputs is not None:
        targets = [target for target in map(_target_of_backward, inputs) if target is not None]
    if create_graph:
        warn_once(messages.CREATE_GRAPH)
    return Backward(
        edges,
        _seeds(gradients, create_graph),
        keep=keep,
        record=create_graph,
        targets=targets,
        tensors=roots,
        given=gradients,
    )


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Gradients = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[TensorBase | None, ...]:
    """The gradients of ``outputs`` by ``inputs``, returned; no ``.grad`` is touched."""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    allowed = materialize_grads if allow_unused is None else allow_unused
    keys = None
    given: Any = inputs
    if type(given) is dict:
        keys, inputs = tuple(given), tuple(given.values())
    elif isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `grad()` must be a dict, not {type(inputs).__name__}. "
            "Other Mapping types are not supported."
        )
    sources = as_tuple(inputs)
    if is_grads_batched:
        found = _batched(outputs, sources, grad_outputs, retain_graph, create_graph, allowed, materialize_grads)
    else:
        run = start_grad(outputs, sources, grad_outputs, retain_graph, create_graph)
        run.run()
        found = gradients_found(run, sources, allowed, materialize_grads)
    result: Any = found if keys is None else dict(zip(keys, found, strict=True))
    return result  # type: ignore[no-any-return]


def _batched(
    outputs: Tensors,
    sources: tuple[Any, ...],
    grad_outputs: Gradients,
    retain_graph: bool | None,
    create_graph: bool,
    allowed: bool,
    materialize: bool,
) -> tuple[TensorBase | None, ...]:
    """:func:`grad` for each row of the ``grad_outputs`` by itself, stacked."""
    roots = as_tuple(outputs)
    gradients = _gradient_tuple(grad_outputs, len(roots))
    for place, (root, rows) in enumerate(zip(roots, gradients, strict=False)):
        if rows is not None:
            _check_rows(place, root, rows)
        elif (start := _implicit_gradient(_output_at(root))) is not None and not start.array.ndim:
            raise ValueError(messages.NO_ROWS)
    counts = [rows.array.shape[0] for rows in gradients if isinstance(rows, TensorBase)]
    results = []
    for row in range(counts[0] if counts else 1):
        chosen = tuple(rows if rows is None else TENSORS.select(rows, 0, row) for rows in gradients)
        keep = True if row + 1 < (counts[0] if counts else 1) else retain_graph
        run = start_grad(roots, sources, chosen, keep, create_graph)
        run.run()
        results.append(gradients_found(run, sources, allowed, False))
    stacked = [None if found[0] is None else TENSORS.stack(list(found)) for found in zip(*results, strict=True)]
    if not materialize:
        return tuple(stacked)
    return tuple(
        [_zeros_for(tensor, run) if found is None else found for tensor, found in zip(sources, stacked, strict=True)]
    )


def _check_rows(place: int, root: TensorBase, rows: Any) -> None:
    """Refuse what is no gradient for output number ``place`` in each row, with the sizes that PyTorch tells of it."""
    if not isinstance(rows, TensorBase):
        raise TypeError("gradients can be either Tensors or None, but got " + type(rows).__name__)
    output = _output_at(root)
    first: TensorBase = rows[0]  # type: ignore[index]
    if first.array.shape != output.array.shape:
        if output is not root:
            raise RuntimeError("Batched grads are not supported with GradientEdge")
        text = messages.BATCH_MISMATCH.format(place, Size(first.array.shape[1:]), place, Size(output.array.shape))
        raise blame(RuntimeError(text), tensor=output)


def start_grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Gradients = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> Backward:
    """:func:`grad`, checked and ready to be advanced; :func:`gradients_found` reads what it found."""
    roots, sources = as_tuple(outputs), as_tuple(inputs)
    if not sources:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    gradients = make_gradients(roots, _gradient_tuple(grad_outputs, len(roots)))
    keep = create_graph if retain_graph is None else bool(retain_graph)
    edges = root_edges(roots, gradients)
    sought = [_target_of_grad(source) for source in sources]
    run = Backward(
        edges,
        _seeds(gradients, create_graph),
        keep=keep,
        record=create_graph,
        targets=[target for target in sought if target is not None],
        capture=True,
        tensors=roots,
        given=gradients,
    )
    run.sought = sought
    return run


def gradients_found(
    run: Backward, inputs: Sequence[TensorBase], allow_unused: bool, materialize: bool
) -> tuple[TensorBase | None, ...]:
    """What a finished :func:`start_grad` found for ``inputs``; RuntimeError for one that was not used."""
    made: dict[tuple[Node, int], TensorBase | None] = {}
    found: list[TensorBase | None] = []
    for index, target in enumerate(run.sought):
        tensor = inputs[index]
        if target is not None and target not in made:
            made[target] = _captured_tensor(run, target)
        gradient = None if target is None else made[target]
        if gradient is None and not allow_unused:
            text = (
                f"The differentiated Tensor at index {index} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
            raise blame(RuntimeError(text), tensor=tensor)
        found.append(_zeros_for(tensor, run) if gradient is None and materialize else gradient)
    return tuple(found)


def _zeros_for(tensor: TensorBase, run: Backward) -> TensorBase:
    """The gradient of what was not used, made for who wants no None."""
    if isinstance(tensor, GradientEdge):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    if run.record and tensor.array.dtype.kind != "f":
        raise RuntimeError(messages.INTEGRAL_GRAD)
    made = new_tensor(empty_like(tensor.array, tensor.array.dtype))
    meta_of(made).requires_grad = run.record
    return made


def retain_grad(tensor: TensorBase) -> None:
    """Let backward fill the ``.grad`` of a tensor that is no leaf; nothing happens for a leaf."""
    if not requires_grad_of(tensor):
        raise blame(RuntimeError("can't retain_grad on Tensor that has requires_grad=False"), tensor=tensor)
    if tensor.node is None:  # an outdated view is taken as it is
        return
    node = grad_fn_of(tensor)
    assert node is not None
    meta = meta_of(tensor)
    if not meta.retains:
        meta.retains = True
        rare_of(node).retained[meta.output_nr] = tensor_reference(tensor)
        if state.observer is not None:
            state.observer.flags_changed(tensor)


def tensor_reference(tensor: TensorBase) -> Any:
    """A weak reference: keeping a gradient keeps no tensor alive."""
    import weakref

    return weakref.ref(tensor)


def make_gradients(
    outputs: tuple[TensorBase, ...], gradients: tuple[TensorBase | None, ...]
) -> list[TensorBase | None]:
    """The gradients to start from: those given, checked, and ones for scalars that have none."""
    made: list[TensorBase | None] = []
    for given, gradient in zip(outputs, gradients, strict=False):
        output = _output_at(given)
        if not isinstance(output, TensorBase):
            raise AssertionError("Expected output to be a torch.Tensor")
        if isinstance(gradient, TensorBase):
            if gradient.array.shape != output.array.shape:
                place = outputs.index(given)
                raise _shape_mismatch(gradients, gradient, place, output)
            made.append(gradient)
        elif gradient is None:
            made.append(_implicit_gradient(output))
        else:
            raise TypeError("gradients can be either Tensors or None, but got " + type(gradient).__name__)
    return made


def as_tuple(tensors: Tensors) -> tuple[Any, ...]:
    """One tensor or edge, or several, as a tuple."""
    return (tensors,) if isinstance(tensors, (TensorBase, GradientEdge)) else tuple(tensors)


def _output_at(edge: Any) -> Any:
    """An output itself, or for an edge a tensor of the shape and dtype that it has there; it requires grad."""
    if not isinstance(edge, GradientEdge):
        return edge
    shape, dtype = edge.node.expects()[edge.output_nr]
    made = new_tensor(np.broadcast_to(np.zeros((), dtype), shape))
    meta_of(made).requires_grad = True
    return made


def _shape_mismatch(gradients: tuple[Any, ...], gradient: TensorBase, place: int, output: TensorBase) -> RuntimeError:
    # PyTorch looks the positions up with tuple.index, which compares tensors; what that raises is raised here too.
    text = (
        f"Mismatch in shape: grad_output[{gradients.index(gradient)}] has a shape of {Size(gradient.array.shape)} "
        f"and output[{place}] has a shape of {Size(output.array.shape)}."
    )
    return blame(RuntimeError(text), tensor=output)


def _implicit_gradient(output: TensorBase) -> TensorBase | None:
    if not requires_grad_of(output):
        return None
    if output.array.size != 1:
        raise blame(RuntimeError("grad can be implicitly created only for scalar outputs"), tensor=output)
    dtype = dtype_of(output.array)
    if not dtype.is_floating_point:
        text = f"grad can be implicitly created only for real scalar outputs but got {dtype!r}"
        raise blame(RuntimeError(text), tensor=output)
    made = np.empty(output.array.shape, output.array.dtype)
    made.fill(1)
    return new_tensor(made)


def _gradient_tuple(gradients: Gradients, count: int) -> tuple[TensorBase | None, ...]:
    if gradients is None:
        return (None,) * count
    return (gradients,) if isinstance(gradients, TensorBase) else tuple(gradients)


def root_edges(roots: tuple[TensorBase, ...], gradients: Sequence[TensorBase | None]) -> list[tuple[Node, int]]:
    """Where the backward starts; RuntimeError for a root without history."""
    if len(roots) != len(gradients):
        raise RuntimeError(f"got {len(roots)} tensors and {len(gradients)} gradients")
    edges = []
    for index, root in enumerate(roots):
        if isinstance(root, GradientEdge):
            edges.append((root.node, root.output_nr))
            continue
        node = gradient_edge_of(root)
        if node is None or (root.array.dtype.kind != "f" and root.node is None):
            text = f"element {index} of tensors does not require grad and does not have a grad_fn"
            raise blame(RuntimeError(text), tensor=root)
        edges.append((node, root.output_nr))
    return edges


def _seeds(gradients: Sequence[TensorBase | None], record: bool) -> list[Any]:
    return [gradient if record or gradient is None else gradient.array for gradient in gradients]


def _check_input(tensor: object) -> None:
    if not isinstance(tensor, (TensorBase, GradientEdge)):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")


def _target_of_backward(tensor: TensorBase) -> tuple[Node, int] | None:
    """The node that ``backward(inputs=...)`` must reach for ``tensor``, which keeps its gradient from now on."""
    _check_input(tensor)
    if isinstance(tensor, GradientEdge):
        return tensor.node, tensor.output_nr
    retain_grad(tensor)
    node = gradient_edge_of(tensor)
    return None if node is None else (node, tensor.output_nr)


def _target_of_grad(tensor: TensorBase) -> tuple[Node, int] | None:
    """The node at which the gradient of ``tensor`` arrives, None for a leaf that no graph uses."""
    _check_input(tensor)
    if isinstance(tensor, GradientEdge):
        return tensor.node, tensor.output_nr
    if not requires_grad_of(tensor):
        raise blame(RuntimeError("One of the differentiated Tensors does not require grad"), tensor=tensor)
    node = gradient_edge_of(tensor)
    return None if node is None else (node, tensor.output_nr)


def _captured_tensor(run: Backward, target: tuple[Node, int]) -> TensorBase | None:
    """A captured gradient as the tensor that ``grad`` returns."""
    gradient = run.captured.get(target)
    if gradient is None or isinstance(gradient, TensorBase):
        return gradient
    return run.given_out.tensor(gradient, run.captured_writes[target])
