"""Elements of the flattened tensor, read and written at the places that indices say."""

from __future__ import annotations

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.places import check_apart
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.composing import writing
from chalkgrad.ops.samples import M23, vector


def _flat_places(name: str, self: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Indices counted from the front; IndexError for those out of range."""
    if index.dtype != np.int64:
        raise RuntimeError(f"{name}(): Expected a long tensor for index, but got {dtype_of(index).scalar_type}")
    if index.size and not self.size:
        tried = "take(): tried to take from" if name == "take" else f"{name}(): Tried to put elements into"
        raise IndexError(f"{tried} an empty tensor")
    wrong = (index < -self.size) | (index >= self.size)
    if wrong.any():
        raise IndexError(
            f"out of range: tried to access index {index[wrong].reshape(-1)[0]} on a tensor of {self.size} elements."
        )
    return np.where(index < 0, index + self.size, index)


def _take(self: np.ndarray, index: np.ndarray) -> np.ndarray:
    return np.asarray(self.reshape(-1)[_flat_places("take", self, index)], order="C")


register(
    Record(
        name="take",
        inputs=("self", "index"),
        promotes="none",
        forward=_take,
        vjps={"self": lambda o, g, self, index: o.put(o.zeros_of(self, tuple(self.shape)), index, g, True)},
        signatures=("take(Tensor input, Tensor index, *, Tensor out=None)",),
        grad_fn="TakeBackward0",
        fills=1,
        function="torch.take",
        method="take",
        style="method",
        shape=lambda self, index: index,
        section="index",
        latex=r"\self[\index]",
        derivatives={"self": "1"},
        samples=(((M23, np.array([0, 4, -1])), {}), ((M23, np.array([[0, 0], [5, 1]])), {})),
    )
)


def _check_put(self: np.ndarray, index: np.ndarray, source: np.ndarray) -> None:
    if index.dtype != np.int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {dtype_of(index).scalar_type}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtype_of(self).scalar_type} and source.dtype = {dtype_of(source).scalar_type}"
        )
    if index.size != source.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source.size}, index.numel() = {index.size}"
        )


def _check_written(self: np.ndarray, index: np.ndarray, source: np.ndarray) -> None:
    _check_put(self, index, source)
    check_apart(self, index, source)


def _put(self: np.ndarray, index: np.ndarray, source: np.ndarray, accumulate: bool = False) -> np.ndarray:
    places = _flat_places("put_", self, index).reshape(-1)
    whole = self.copy(order="C")
    flat = whole.reshape(-1)
    if accumulate:
        np.add.at(flat, places, source.reshape(-1))
    else:
        flat[places] = source.reshape(-1)
    return laid_as(whole, self)


register(
    Record(
        name="put",
        inputs=("self", "index", "source"),
        attributes=(Attribute("accumulate", "bool", False),),
        promotes="none",
        check=_check_put,
        forward=_put,
        vjps={
            "self": lambda o, g, index, source_args_info, accumulate: (
                g if accumulate else o.put(g, index, o.zeros_of(g, source_args_info[0]), False)
            ),
            "source": lambda o, g, index, source: o.reshape(o.take(g, index), tuple(source.shape)),
        },
        signatures=("put(Tensor input, Tensor index, Tensor source, bool accumulate=False)",),
        grad_fn="PutBackward0",
        function="torch.put",
        method="put",
        style="method",
        shape=lambda self, index, source, accumulate=False: self,
        section="index",
        hidden=True,
        samples=(
            ((M23, np.array([0, 4]), vector(1.0, 2.0)), {}),
            ((M23, np.array([0, 0]), vector(1.0, 2.0), True), {}),
        ),
    )
)
writing("put", "Tensor.put_(Tensor index, Tensor source, bool accumulate=False)", check=_check_written)
