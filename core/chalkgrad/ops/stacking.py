"""Tensors put beside each other along a new dimension, or along one that they are first given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import through
from chalkgrad.ops.join import joined
from chalkgrad.ops.samples import M23, V2, V3
from chalkgrad.ops.slopes import of_stack

Shape = tuple[int, ...]

_UNEQUAL = "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"


def _stacked(tensors: Sequence[Shape], dim: int = 0) -> Shape:
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0]
    axis = wrap_dim(dim, len(first) + 1)
    for place, shape in enumerate(tensors):
        if shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {brackets(first)} at entry 0 and "
                f"{brackets(shape)} at entry {place}"
            )
    return (*first[:axis], len(tensors), *first[axis:])


def _stack(tensors: Sequence[np.ndarray], dim: int = 0) -> np.ndarray:
    """Joined along the dimension after the new one, which is then taken apart; it lies in memory accordingly."""
    shape = _stacked([tensor.shape for tensor in tensors], dim)
    axis = dim % len(shape)
    last = axis == len(shape) - 1
    found = joined([tensor[..., None] if last else tensor for tensor in tensors], axis)
    return found.reshape(shape).copy(order="K")  # no view of what was joined


register(
    Record(
        name="stack",
        inputs=("tensors",),
        attributes=(Attribute("dim", "int", 0),),
        variadic=True,
        forward=_stack,
        vjps={"tensors": lambda o, g, dim: [o.select(g, dim, place) for place in range(g.shape[dim])]},
        grad_fn="StackBackward0",
        function="torch.stack",
        signatures=("stack(Tensor[] tensors, int dim=0, *, Tensor out=None)",),
        shape=_stacked,
        section="shape",
        latex=r"[\tensors]",
        varying=of_stack,
        samples=((([V3, V3],), {}), (([M23, M23], 1), {}), (([V2, V2, V2], -1), {})),
        bad_samples=((([V2, V3],), {}, "RuntimeError", _UNEQUAL),),
    )
)


# At least so many dimensions


def at_least_1d(o: Any, tensor: Any) -> Any:
    """``tensor`` with a dimension if it had none."""
    return tensor if tensor.shape else o.reshape(tensor, (1,))


def at_least_2d(o: Any, tensor: Any) -> Any:
    """``tensor`` with dimensions put in front until it has two."""
    if not tensor.shape:
        return o.reshape(tensor, (1, 1))
    return o.unsqueeze(tensor, 0) if len(tensor.shape) == 1 else tensor


def at_least_3d(o: Any, tensor: Any) -> Any:
    """``tensor`` with dimensions put around it until it has three."""
    if not tensor.shape:
        return o.reshape(tensor, (1, 1, 1))
    if len(tensor.shape) == 1:
        return o.unsqueeze(o.unsqueeze(tensor, 0), -1)
    return o.unsqueeze(tensor, -1) if len(tensor.shape) == 2 else tensor


# Along a dimension they have then


def _hstack(o: Any, tensors: Sequence[Any]) -> Any:
    raised = [at_least_1d(o, tensor) for tensor in tensors]
    return o.cat(raised, 0 if len(raised[0].shape) == 1 else 1)


def _column(o: Any, tensor: Any) -> Any:
    size = int(np.prod(tensor.shape))
    return o.reshape(tensor, (size, 1)) if len(tensor.shape) <= 1 else tensor


_WAYS: dict[str, Callable[..., Any]] = {
    "hstack": _hstack,
    "vstack": lambda o, tensors: o.cat([at_least_2d(o, tensor) for tensor in tensors], 0),
    "dstack": lambda o, tensors: o.cat([at_least_3d(o, tensor) for tensor in tensors], 2),
    "column_stack": lambda o, tensors: _hstack(o, [_column(o, tensor) for tensor in tensors]),
}


def _way(name: str, way: Callable[..., Any], aliases: tuple[str, ...] = ()) -> None:
    def compose(o: Any, tensors: Sequence[Any]) -> Any:
        if not tensors:
            raise RuntimeError(f"{name} expects a non-empty TensorList")
        return way(o, tensors)

    def forward(tensors: Sequence[Any]) -> Any:
        return through(compose)(tensors)

    register(
        Record(
            name=name,
            inputs=("tensors",),
            variadic=True,
            promotes="none",
            forward=forward,
            compose=compose,
            function=f"torch.{name}",
            aliases=aliases,
            signatures=(f"{name}(Tensor[] tensors, *, Tensor out=None)",),
            section="shape",
            hidden=True,
            part_of="cat",
            samples=((([M23, M23],), {}), (([V3, V3],), {})),
        )
    )


for _name, _compose in _WAYS.items():
    _way(_name, _compose, ("row_stack",) if _name == "vstack" else ())


# In blocks


def _sizes(shape: Shape) -> tuple[int, int]:
    return ((1, 1), (1, *shape), shape)[len(shape)]  # type: ignore[return-value]


def _block_diag(tensors: Sequence[np.ndarray]) -> np.ndarray:
    for place, tensor in enumerate(tensors):
        if tensor.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {place} has {tensor.ndim} "
                "dimensions"
            )
    if not tensors:
        return np.zeros((1, 0), np.float32)
    blocks = [_sizes(tensor.shape) for tensor in tensors]
    whole = np.zeros(np.sum(blocks, axis=0), np.result_type(*tensors))
    row = column = 0
    for tensor, (height, width) in zip(tensors, blocks, strict=True):
        whole[row : row + height, column : column + width] = tensor
        row, column = row + height, column + width
    return whole


def _block_gradients(o: Any, g: Any, shapes: Sequence[Shape]) -> list[Any]:
    found = []
    row = column = 0
    for shape in shapes:
        height, width = _sizes(shape)
        block = o.slice(o.slice(g, 0, row, row + height, 1), 1, column, column + width, 1)
        for _ in range(2 - len(shape)):
            block = o.squeeze_dim(block, -1)
        found.append(block)
        row, column = row + height, column + width
    return [o.sum_to(block, shape) for block, shape in zip(found, shapes, strict=True)]  # when all are there


register(
    Record(
        name="block_diag",
        inputs=("tensors",),
        variadic=True,
        forward=_block_diag,
        vjps={"tensors": lambda o, g, tensors_args_sizes: _block_gradients(o, g, tensors_args_sizes)},
        grad_fn="BlockDiagBackward0",
        signatures=("block_diag(Tensor[] tensors)",),
        section="shape",
        hidden=True,
        part_of="cat",
        samples=((([M23, V2],), {}),),
    )
)
