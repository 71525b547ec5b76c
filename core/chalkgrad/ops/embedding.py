"""Tables of vectors, looked up by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.adding_at import add_at
from chalkgrad.ops.indexed import check_selected
from chalkgrad.ops.windows import Sizes

_PADDING_IDX = Attribute("padding_idx", "int", -1)
_BY_FREQUENCY = Attribute("scale_grad_by_freq", "bool", False)
_SPARSE = Attribute("sparse", "bool", False)


def _check(weight: Any, indices: Any) -> None:
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{dtype_of(indices).tensor_type} instead (while checking arguments for embedding)"
        )
    check_selected(weight, indices.reshape(-1), 0)


def _embedding(weight: np.ndarray, indices: np.ndarray, *_: Any, **__: Any) -> Any:
    return weight[indices]


def _backward(
    grad_output: np.ndarray, indices: np.ndarray, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    width = grad_output.shape[-1]
    flat, rows = indices.ravel(), grad_output.reshape(indices.size, width)
    kept = flat != padding_idx
    if scale_grad_by_freq:
        rows = rows / np.bincount(flat, minlength=num_weights)[flat][:, None].astype(rows.dtype)
    made = np.zeros((num_weights, width), grad_output.dtype)
    add_at(made, flat[kept], rows[kept])
    return made


def _again(o: Any, g: Any, indices: Any, padding_idx: int) -> Any:
    rows = o.index_select(g, o.reshape(indices, (-1,)), 0)
    rows = o.view(rows, (*tuple(indices.shape), tuple(g.shape)[-1]))
    if padding_idx < 0:
        return rows
    padding = o.unsqueeze(o.eq(indices, padding_idx), -1)
    return o.where(padding, o.zeros_of(rows, tuple(rows.shape)), rows)


def _shape(weight: Sizes, indices: Sizes, **_: Any) -> Sizes:
    if len(weight) != 2:
        raise RuntimeError("'weight' must be 2-D")
    return (*indices, weight[1])


_TABLE = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
_NUMBERS = np.array([[0, 2], [2, 3]])

register(
    Record(
        name="embedding",
        inputs=("weight", "indices"),
        attributes=(_PADDING_IDX, _BY_FREQUENCY, _SPARSE),
        promotes="none",
        check=_check,
        forward=_embedding,
        vjps={
            "weight": lambda o, g, indices, weight_sym_argsize_0, padding_idx, scale_grad_by_freq, sparse: (
                o.embedding_dense_backward(g, indices, weight_sym_argsize_0, padding_idx, scale_grad_by_freq)
            )
        },
        grad_fn="EmbeddingBackward0",
        function="torch.embedding",
        shape=_shape,
        section="layer",
        latex=r"\weight_{\indices}",
        derivatives={"weight": r"[i = \indices]"},
        signatures=(
            (
                "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool "
                "sparse=False)"
            ),
        ),
        samples=(((_TABLE, _NUMBERS), {}),),
        bad_samples=(((_TABLE, np.array([4])), {}, "IndexError", "index out of range in self"),),
    )
)
register(
    Record(
        name="embedding_dense_backward",
        inputs=("grad_output", "indices"),
        attributes=(
            Attribute("num_weights", "int", required=True),
            Attribute("padding_idx", "int", required=True),
            Attribute("scale_grad_by_freq", "bool", required=True),
        ),
        promotes="none",
        forward=_backward,
        vjps={"grad_output": lambda o, g, indices, padding_idx: _again(o, g, indices, padding_idx)},
        grad_fn="EmbeddingDenseBackwardBackward0",
        section="layer",
        hidden=True,
        samples=(((np.ones((2, 2, 3)), _NUMBERS, 4, -1, False), {}),),
    )
)


def _one_hot(self: np.ndarray, num_classes: int = -1) -> Any:
    """A row of zeros with a one at each number's place."""
    if self.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not self.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return np.zeros((*self.shape, num_classes), np.int64)
    if self.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(self.max()) + 1
    elif self.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    check_size((*self.shape, num_classes), 8)
    return (self[..., None] == np.arange(num_classes)).astype(np.int64, order="C")


register(
    Record(
        name="one_hot",
        inputs=("self",),
        attributes=(Attribute("num_classes", "int", -1),),
        promotes="none",
        forward=_one_hot,
        function="torch.nn.functional.one_hot",
        section="layer",
        hidden=True,
        signatures=("one_hot(Tensor input, int num_classes=-1)",),
    )
)
