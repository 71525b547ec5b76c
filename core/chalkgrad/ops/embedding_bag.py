"""Rows of a table, looked up in bags: each bag becomes the sum, the mean or the largest elements of its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, promote_types
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.overloads import not_derivable, underivable

SUM, MEAN, MAX = 0, 1, 2
"""PyTorch's numbers for what becomes of a bag."""

_BY_FREQUENCY = Attribute("scale_grad_by_freq", "bool", False)
_MODE = Attribute("mode", "int", SUM)
_SPARSE = Attribute("sparse", "bool", False)
_PADDING = Attribute("padding_idx", "int", -1)
_NAME = "embedding_bag"


def _check(weight: np.ndarray, indices: np.ndarray, offsets: np.ndarray, weights: Any, *rest: Any) -> None:
    """PyTorch's error for tensors that are no table, no numbers or no bags."""
    if weight.ndim != 2:
        raise RuntimeError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    if indices.ndim not in (1, 2):
        raise RuntimeError(f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {indices.ndim}")
    together = promote_types(dtype_of(indices), dtype_of(offsets))  # both are brought to one dtype first
    if together.numpy not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but "
            f"got {together.tensor_type} instead (while checking arguments for {_NAME})"
        )
    if weight.dtype.kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, "
            f"Float, Double; but got {dtype_of(weight).tensor_type} instead (while checking arguments for {_NAME})"
        )
    if weights is not None and weights.dtype != weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
            f"'per_sample_weights'; but type {dtype_of(weight).tensor_type} does not equal "
            f"{dtype_of(weights).tensor_type} (while checking arguments for {_NAME})"
        )
    if offsets.size and offsets[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
            f"However, got {offsets[0]}"
        )
    if offsets.size and offsets[-1] > indices.size:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {indices.size} but got offsets[-1] of {offsets[-1]}"
        )


def _check_range(indices: np.ndarray, count: int, quick: bool) -> None:
    """PyTorch's error for a number that no row has; where it looks the rows up in one go it has other words."""
    wrong = np.flatnonzero((indices < 0) | (indices >= count))
    if not wrong.size:
        return
    found = indices[wrong[0]]
    if quick:
        raise RuntimeError(
            f"Index {wrong[0]} of input takes value {found} which is not in the valid range [0, {count})"
        )
    raise RuntimeError(f"{_NAME}: Expected idx >= 0 && idx < num_embeddings but found idx to be {found}")


def _bags(count: int, offsets: np.ndarray) -> np.ndarray:
    """In which bag each of ``count`` numbers lies."""
    starts = np.bincount(offsets, minlength=count + 1)
    return np.cumsum(starts)[:count] - 1


def _embedding_bag(
    weight: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    per_sample_weights: np.ndarray | None,
    scale_grad_by_freq: bool = False,
    mode: int = SUM,
    sparse: bool = False,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[np.ndarray, ...]:
    indices, offsets = (array.astype(np.result_type(indices, offsets), copy=False) for array in (indices, offsets))
    indices = indices.ravel()
    quick = weight.dtype == np.float32 and mode != MAX and padding_idx < 0
    _check_range(indices, len(weight), quick)
    if include_last_offset and not quick:  # PyTorch looks at the last offset on its quick way alone
        offsets = np.append(offsets[:-1], np.asarray(indices.size, offsets.dtype))
    count = len(offsets) - include_last_offset
    bags = _bags(indices.size, offsets)
    kept = (indices != padding_idx) & (bags < count)
    sizes = np.diff(offsets, append=() if include_last_offset else indices.size).astype(indices.dtype)
    sizes -= np.bincount(bags[~kept & (bags < count)], minlength=count).astype(indices.dtype)
    rows = weight[indices]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    result = np.zeros((count, weight.shape[1]), weight.dtype)
    bag_of = bags.astype(indices.dtype)
    if mode == MAX:
        return result, bag_of, sizes, _largest(result, rows, indices, bags, kept)
    np.add.at(result, bags[kept], rows[kept])
    if mode == MEAN:
        result /= np.maximum(sizes, 1)[:, None].astype(weight.dtype)
        return result, bag_of, sizes, sizes.copy()
    return result, bag_of, np.zeros_like(sizes), np.zeros_like(sizes)


def _largest(
    result: np.ndarray, rows: np.ndarray, indices: np.ndarray, bags: np.ndarray, kept: np.ndarray
) -> np.ndarray:
    """Puts the largest elements of each bag into ``result``, and says which rows of the table they are of."""
    winners = np.zeros(result.shape, indices.dtype)
    for bag in range(len(result)):
        inside = np.flatnonzero(kept & (bags == bag))
        if inside.size:
            place = rows[inside].argmax(0)
            winners[bag] = indices[inside[place]]
            result[bag] = np.take_along_axis(rows[inside], place[None], 0)[0]
    return winners


def _backward(
    grad: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    offset2bag: np.ndarray,
    bag_size: np.ndarray,
    maximum_indices: np.ndarray,
    per_sample_weights: np.ndarray | None,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    padding_idx: int,
) -> np.ndarray:
    made = np.zeros((num_weights, grad.shape[1]), grad.dtype)
    if mode == MAX:
        full = bag_size > 0
        columns = np.broadcast_to(np.arange(grad.shape[1]), grad.shape)
        np.add.at(made, (maximum_indices[full], columns[full]), grad[full])
        return made
    kept = (indices != padding_idx) & (offset2bag < len(grad))
    numbers, bags = indices[kept], offset2bag[kept]
    rows = grad[bags]
    if mode == MEAN:
        rows = rows / bag_size[bags][:, None].astype(grad.dtype)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[kept][:, None]
    if scale_grad_by_freq:
        rows = rows / np.bincount(indices, minlength=num_weights)[numbers][:, None].astype(grad.dtype)
    np.add.at(made, numbers, rows)
    return made


def _backward_by_samples(
    grad: np.ndarray,
    weight: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    offset2bag: np.ndarray,
    mode: int,
    padding_idx: int,
) -> np.ndarray:
    kept = (indices != padding_idx) & (offset2bag < len(grad))
    made = np.zeros(indices.shape, grad.dtype)
    made[kept] = (grad[offset2bag[kept]] * weight[indices[kept]]).sum(-1)
    return made


def _by_weight(
    o: Any,
    g: Any,
    indices: Any,
    offsets: Any,
    result1: Any,
    result2: Any,
    result3: Any,
    weight_sym_argsize_0: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any,
    padding_idx: int,
) -> Any:
    found = (indices, offsets, result1, result2, result3, per_sample_weights)
    return o._embedding_bag_backward(g, *found, weight_sym_argsize_0, scale_grad_by_freq, mode, sparse, padding_idx)


def _by_samples(
    o: Any, g: Any, weight: Any, indices: Any, offsets: Any, result1: Any, mode: int, padding_idx: int
) -> Any:
    return o._embedding_bag_per_sample_weights_backward(g, weight, indices, offsets, result1, mode, padding_idx)


_SIGNATURE = (
    "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool "
    "sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False)"
)
_TABLE = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
_NUMBERS, _STARTS = np.array([0, 2, 2, 3]), np.array([0, 3])

register(
    Record(
        name="embedding_bag",
        inputs=("weight", "indices", "offsets", "per_sample_weights"),
        attributes=(_BY_FREQUENCY, _MODE, _SPARSE, Attribute("include_last_offset", "bool", False), _PADDING),
        optional=frozenset({"per_sample_weights"}),
        promotes="none",
        check=_check,
        forward=_embedding_bag,
        vjps={"weight": _by_weight, "per_sample_weights": _by_samples},
        grad_fn="EmbeddingBagBackward0",
        outputs=("result0", "result1", "result2", "result3"),
        not_differentiable=frozenset({"result1", "result2", "result3"}),
        section="layer",
        hidden=True,
        signatures=(_SIGNATURE,),
        samples=(
            ((_TABLE, _NUMBERS, _STARTS, np.linspace(0.5, 2.0, 4)), {}),
            ((_TABLE, _NUMBERS, _STARTS, None, False, MEAN), {}),
            ((_TABLE, _NUMBERS, _STARTS, None, False, MAX), {}),
        ),
    )
)
register(
    Record(
        name="_embedding_bag_backward",
        inputs=("grad", "indices", "offsets", "offset2bag", "bag_size", "maximum_indices", "per_sample_weights"),
        attributes=(
            Attribute("num_weights", "int", required=True),
            _BY_FREQUENCY,
            _MODE,
            _SPARSE,
            _PADDING,
        ),
        optional=frozenset({"per_sample_weights"}),
        promotes="none",
        forward=_backward,
        vjps=dict.fromkeys(("grad", "per_sample_weights"), not_derivable("_embedding_bag_backward")),
        grad_fn="EmbeddingBagBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
register(
    Record(
        name="_embedding_bag_per_sample_weights_backward",
        inputs=("grad", "weight", "indices", "offsets", "offset2bag"),
        attributes=(_MODE, _PADDING),
        promotes="none",
        forward=_backward_by_samples,
        vjps=dict.fromkeys(("grad", "weight"), underivable("_embedding_bag_per_sample_weights_backward")),
        grad_fn="NotImplemented",
        section="layer",
        hidden=True,
    )
)
