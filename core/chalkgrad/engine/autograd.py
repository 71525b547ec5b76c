"""``torch.autograd``: who observes, ``backward`` and ``grad`` with all that they check."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.backward import Backward
from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, rare_of, state
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.size import Size
from chalkgrad.engine.storage import owner
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

Tensors = TensorBase | Sequence[TensorBase]
Gradients = TensorBase | Sequence[TensorBase | None] | None


def observe(observer: Observer | None) -> None:
    """Let ``observer`` be told of everything from now on; None for nobody."""
    state.observer = observer


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
        inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    roots = (tensors,) if isinstance(tensors, TensorBase) else tuple(tensors)
    gradients = make_gradients(roots, _gradient_tuple(grad_tensors, len(roots)))
    keep = create_graph if retain_graph is None else bool(retain_graph)
    edges = root_edges(roots, gradients)
    if inputs is not None:
        targets = [target for target in map(_target_of_backward, inputs) if target is not None]
    if create_graph and messages.CREATE_GRAPH not in state.warned:
        state.warned.add(messages.CREATE_GRAPH)
        warnings.warn(messages.CREATE_GRAPH, UserWarning, stacklevel=_outside())
    return Backward(
        edges, _seeds(gradients, create_graph), keep=keep, record=create_graph, targets=targets, tensors=roots
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
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched is not supported")
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    run = start_grad(outputs, inputs, grad_outputs, retain_graph, create_graph)
    run.run()
    sources = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    allowed = materialize_grads if allow_unused is None else allow_unused
    return gradients_found(run, sources, allowed, materialize_grads)


def start_grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Gradients = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
) -> Backward:
    """:func:`grad`, checked and ready to be advanced; :func:`gradients_found` reads what it found."""
    roots = (outputs,) if isinstance(outputs, TensorBase) else tuple(outputs)
    sources = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    if not sources:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    gradients = make_gradients(roots, _gradient_tuple(grad_outputs, len(roots)))
    keep = create_graph if retain_graph is None else bool(retain_graph)
    edges = root_edges(roots, gradients)
    targets = [target for target in map(_target_of_grad, sources) if target is not None]
    return Backward(
        edges,
        _seeds(gradients, create_graph),
        keep=keep,
        record=create_graph,
        targets=targets,
        capture=True,
        tensors=roots,
    )


def gradients_found(
    run: Backward, inputs: Sequence[TensorBase], allow_unused: bool, materialize: bool
) -> tuple[TensorBase | None, ...]:
    """What a finished :func:`start_grad` found for ``inputs``; RuntimeError for one that was not used."""
    made: dict[tuple[Node, int], TensorBase | None] = {}
    found: list[TensorBase | None] = []
    for index, tensor in enumerate(inputs):
        target = _target_of_grad(tensor)
        if target is not None and target not in made:
            made[target] = _captured_tensor(run, target)
        gradient = None if target is None else made[target]
        if gradient is None and not allow_unused:
            text = (
                f"The differentiated Tensor at index {index} appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
            raise blame(RuntimeError(text), tensor=tensor)
        if gradient is None and materialize:
            gradient = new_tensor(np.zeros_like(tensor.array))
            meta_of(gradient).requires_grad = run.record
        found.append(gradient)
    return tuple(found)


def retain_grad(tensor: TensorBase) -> None:
    """Let backward fill the ``.grad`` of a tensor that is no leaf; nothing happens for a leaf."""
    if not requires_grad_of(tensor):
        raise blame(RuntimeError("can't retain_grad on Tensor that has requires_grad=False"), tensor=tensor)
    node = grad_fn_of(tensor)
    if node is None:
        return
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
    for output, gradient in zip(outputs, gradients, strict=False):
        if not isinstance(output, TensorBase):
            raise AssertionError("Expected output to be a torch.Tensor")
        if isinstance(gradient, TensorBase):
            if gradient.array.shape != output.array.shape:
                raise _shape_mismatch(outputs, gradients, output, gradient)
            made.append(gradient)
        elif gradient is None:
            made.append(_implicit_gradient(output))
        else:
            raise TypeError("gradients can be either Tensors or None, but got " + type(gradient).__name__)
    return made


def _shape_mismatch(
    outputs: tuple[TensorBase, ...], gradients: tuple[Any, ...], output: TensorBase, gradient: TensorBase
) -> RuntimeError:
    # PyTorch looks the positions up with tuple.index, which compares tensors; what that raises is raised here too.
    text = (
        f"Mismatch in shape: grad_output[{gradients.index(gradient)}] has a shape of {Size(gradient.array.shape)} "
        f"and output[{outputs.index(output)}] has a shape of {Size(output.array.shape)}."
    )
    return blame(RuntimeError(text), tensor=output)


def _implicit_gradient(output: TensorBase) -> TensorBase | None:
    if not requires_grad_of(output):
        return None
    if output.array.size != 1:
        raise blame(RuntimeError("grad can be implicitly created only for scalar outputs"), tensor=output)
    return new_tensor(np.ones_like(output.array))


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
        node = edge_of(root)
        if node is None:
            text = f"element {index} of tensors does not require grad and does not have a grad_fn"
            raise blame(RuntimeError(text), tensor=root)
        edges.append((node, root.output_nr))
    return edges


def _seeds(gradients: Sequence[TensorBase | None], record: bool) -> list[Any]:
    return [gradient if record or gradient is None else gradient.array for gradient in gradients]


def _check_input(tensor: object) -> None:
    if not isinstance(tensor, TensorBase):
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(tensor).__name__}")


def _target_of_backward(tensor: TensorBase) -> tuple[Node, int] | None:
    """The node that ``backward(inputs=...)`` must reach for ``tensor``, which keeps its gradient from now on."""
    _check_input(tensor)
    retain_grad(tensor)
    node = edge_of(tensor)
    return None if node is None else (node, tensor.output_nr)


def _target_of_grad(tensor: TensorBase) -> tuple[Node, int] | None:
    """The node at which the gradient of ``tensor`` arrives, None for a leaf that no graph uses."""
    _check_input(tensor)
    if not requires_grad_of(tensor):
        raise blame(RuntimeError("One of the differentiated Tensors does not require grad"), tensor=tensor)
    node = edge_of(tensor)
    return None if node is None else (node, tensor.output_nr)


def _captured_tensor(run: Backward, target: tuple[Node, int]) -> TensorBase | None:
    """A captured gradient as the tensor that ``grad`` returns: a view where it is one of another gradient."""
    gradient = run.captured.get(target)
    if gradient is None or isinstance(gradient, TensorBase):
        return gradient
    if gradient.base is None:
        made = new_tensor(gradient.copy(order="K"))
        version = run.additions_to(target[0])
        if version:
            counter_of(made).version = version
    else:
        made = new_tensor(gradient)
        meta_of(made).view = View(new_tensor(owner(gradient)), "no_grad", 0)
    if state.observer is not None:
        state.observer.tensor_made(made)
    return made


def _outside() -> int:
    """How many frames up the caller's own code is, for a warning to point at."""
    import sys

    depth = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("chalkgrad."):
        frame, depth = frame.f_back, depth + 1
    return depth
