"""Edges of the graph as values: where gradients of a tensor go, without the tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.graph import Node, gradient_edge_of
from chalkgrad.engine.handle import Handle


class GradientEdge(NamedTuple):
    """Output ``output_nr`` of ``node``: stands for a tensor where backward and grad take one."""

    node: Node
    output_nr: int
    ownership_token: Node | None = None


def get_gradient_edge(tensor: TensorBase) -> GradientEdge:
    """The edge that gradients of ``tensor`` come in by; RuntimeError where it requires none."""
    node = gradient_edge_of(tensor)
    if node is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(node, tensor.output_nr)


class _Handles(Handle):
    """Removes several hooks at once."""

    __slots__ = ("handles",)

    def __init__(self, handles: tuple[Handle, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take all of them away."""
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Any],
    fn: Callable[..., Any],
    *,
    mode: Literal["all", "any"] = "all",
) -> Handle:
    """Call ``fn`` once in each backward: with all gradients of ``tensors`` once they are there, or with the first."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    return _on_all(tensors, fn) if mode == "all" else _on_first(tensors, fn)


def _on_all(tensors: Sequence[Any], fn: Callable[..., Any]) -> Handle:
    seen: dict[Any, list[Any]] = {}
    left: dict[Any, int] = {}

    def hook_for(place: int) -> Callable[[Any], None]:
        def hook(gradient: Any) -> None:
            run = current()
            if run not in seen:
                seen[run] = [None] * len(tensors)
                left[run] = sum(run.will_reach(*edge) for edge in edges)
            seen[run][place] = gradient
            left[run] -= 1
            if left[run] == 0:
                found = seen.pop(run)
                del left[run]
                fn(found)

        return hook

    edges = [_edge(tensor) for tensor in tensors]
    return _Handles(tuple(_hooked(tensor, hook_for(place)) for place, tensor in enumerate(tensors)))


def _on_first(tensors: Sequence[Any], fn: Callable[..., Any]) -> Handle:
    done: list[Any] = []

    def hook(gradient: Any) -> None:
        run = current()
        if run not in done:
            done[:] = [run]
            fn(gradient)

    return _Handles(tuple(_hooked(tensor, hook) for tensor in tensors if _edge(tensor)[0] is not None))


def _edge(tensor: Any) -> tuple[Node | None, int]:
    if isinstance(tensor, GradientEdge):
        return tensor.node, tensor.output_nr
    return gradient_edge_of(tensor), tensor.output_nr


def _hooked(tensor: Any, hook: Callable[[Any], None]) -> Handle:
    if not isinstance(tensor, GradientEdge):
        return tensor.register_hook(hook)  # type: ignore[no-any-return]
    number = tensor.output_nr

    def before(gradients: tuple[Any, ...]) -> None:
        if gradients[number] is not None:
            hook(gradients[number])

    return tensor.node.register_prehook(before)


def current() -> Any:
    """The backward that is running."""
    from chalkgrad.engine.backward import running

    return running[-1]


GradientEdge.__module__ = "torch.autograd.graph"
