"""What PyTorch's kernels do within, as what follows when autograd hears of no more than that.

A kernel makes an ordinary tensor for its result. What it does to that by other operators autograd does hear of, so that
a copy gets a history, and what goes by ``out=`` is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.messages import NOT_DIFFERENTIATED

Within = Callable[..., Any]
"""Called with the namespace of operators, inputs and attributes: what the call comes to, None for nothing of note."""


def by_out(name: str) -> Within:
    """A kernel that computes by ``name`` with ``out=``."""

    def refuse(o: Any, *inputs: Any, **attributes: Any) -> None:
        raise RuntimeError(NOT_DIFFERENTIATED.format(name))

    return refuse


def by_out_where(name: str, holds: Callable[..., bool]) -> Within:
    """The same where ``holds`` of the call."""

    def refuse(o: Any, *inputs: Any, **attributes: Any) -> None:
        if holds(*inputs, **attributes):
            raise RuntimeError(NOT_DIFFERENTIATED.format(name))

    return refuse


def plain(o: Any, name: str, inputs: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """The result of a call of which nobody hears."""
    before, state.grad = state.grad, False
    try:
        return getattr(o, name)(*inputs, **attributes)
    finally:
        state.grad = before


def written(result: TensorBase, write: Callable[[], object]) -> None:
    """Give ``result`` the history of ``write`` and leave its elements as they are."""
    elements = result.array.copy()
    write()
    result.array[...] = elements


def copies(name: str, place: int, output: int = 0, when: Callable[..., bool] = lambda *_, **__: True) -> Within:
    """A kernel that first copies the input at ``place`` into its result, and computes there."""

    def run(o: Any, *inputs: Any, **attributes: Any) -> Any:
        found = plain(o, name, inputs, attributes)
        result, source = found if isinstance(found, TensorBase) else found[output], inputs[place]
        if requires_grad_of(source) and result.array.shape == source.array.shape and when(*inputs, **attributes):
            written(result, lambda: o.copy_(result, source))
        return found

    return run


def fills(name: str, outputs: int = 1) -> Within:
    """A kernel that fills its results with the number where it is given one without dimensions."""

    def run(o: Any, self: TensorBase, **attributes: Any) -> Any:
        if self.array.ndim or attributes["dim"] is None:
            return None
        found = plain(o, name, (self,), attributes)
        for result in (found,) if isinstance(found, TensorBase) else found[:outputs]:
            written(result, lambda result=result: o.fill_tensor_(result, self))  # type: ignore[misc]
        return found

    return run


def copied(o: Any, self: TensorBase) -> Any:
    """An ordinary tensor with the elements of ``self``."""
    return o.copy_(new_tensor(np.empty_like(self.array)), self)


def in_a_copy(name: str) -> Within:
    """A kernel that writes into a copy."""

    def run(o: Any, self: TensorBase, *inputs: Any, **attributes: Any) -> Any:
        source = self
        if name.startswith("masked_") and self.array.shape != inputs[0].array.shape:  # which both are then spread to
            shape = np.broadcast_shapes(self.array.shape, inputs[0].array.shape)
            source = plain(o, "expand", (self,), {"size": shape})
        return getattr(o, name)(copied(o, source), *inputs, **attributes)

    return run


def number(value: Any, like: TensorBase) -> TensorBase:
    """The tensor that PyTorch makes of a number beside ``like``."""
    dtype = like.array.dtype
    return new_tensor(np.asarray(value, dtype if dtype.kind == "f" or not isinstance(value, float) else np.float32))


def with_number(name: str, first: bool = False) -> Within:
    """A kernel that makes a tensor of the number it is given, ``first`` of its operands or last."""

    def run(o: Any, one: TensorBase, **attributes: Any) -> Any:
        made = number(attributes.pop("self" if first else "other"), one)
        return getattr(o, name)(*((made, one) if first else (one, made)), **attributes)

    return run


def has_elements(self: TensorBase, *inputs: Any, **attributes: Any) -> bool:
    """True where there is something to compute."""
    return bool(self.array.size)
