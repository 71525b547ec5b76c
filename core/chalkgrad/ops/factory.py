"""What all factories have in common: their arguments read as PyTorch reads them, and the new tensor's place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from chalkgrad.engine import storage
from chalkgrad.engine.base import TensorBase, counter_of, meta_of, new_tensor, state
from chalkgrad.engine.device import MemoryFormat, check_device, check_layout
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.inplace import check_no_overlap, overwrite
from chalkgrad.engine.messages import INTEGRAL_GRAD
from chalkgrad.engine.outputs import check_out
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.size import brackets
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.warning import warn

NO_PINNING = (
    "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this "
    "system."
)

_OTHER_COUNT = (
    "The number of elements in the out tensor of shape {0} is {1} which does not match the computed number of elements "
    "{2}. Note that this may occur as a result of rounding error. The out tensor will be resized to a tensor of shape "
    "({2},)."
)
PLACE = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, "
PLACE += "bool? requires_grad=False"
OUT = f"Tensor out=None, {PLACE}"
"""The options that end nearly all signatures of factories."""


@dataclass(slots=True)
class Options:
    """The options of one call: how the new tensor is to be, apart from its values."""

    dtype: DType | None = None
    requires_grad: bool = False
    out: TensorBase | None = None
    memory_format: MemoryFormat | None = None
    generator: Generator | None = None

    @property
    def source(self) -> Generator:
        """The generator to draw from."""
        return default_generator if self.generator is None else self.generator


def options_of(name: str, values: dict[str, Any]) -> Options:
    """The options among ``values``, which they are taken out of; refused where there is no such place here."""
    check_device(values.pop("device", None))
    check_layout(values.pop("layout", None))
    if values.pop("pin_memory", False):
        raise RuntimeError(NO_PINNING)
    found = Options(
        values.pop("dtype", None),
        bool(values.pop("requires_grad", False)),
        values.pop("out", None),
        values.pop("memory_format", None),
        values.pop("generator", None),
    )
    if found.out is not None:
        there = dtype_of(found.out.array)
        if found.dtype is not None and found.dtype is not there:
            raise RuntimeError(
                f"dtype {found.dtype.scalar_type} does not match dtype of out parameter ({there.scalar_type})"
            )
        check_out(name, (found.out,))
        found.dtype = there
    return found


def factory(make: Callable[..., np.ndarray], *signatures: str) -> Callable[..., Tensor]:
    """The factory that ``signatures`` describe; ``make`` gets the options and the other arguments by name."""
    parser = Parser.of(*signatures)
    name = parser.name

    def call(*args: Any, **kwargs: Any) -> Tensor:
        _, values = parser.parse(args, kwargs)
        options = options_of(name, values)
        return placed(make(options, **values), options, name)

    call.__name__ = call.__qualname__ = name
    call.__module__ = "torch"
    call.__doc__ = make.__doc__
    return call


_COUNTING = frozenset({"arange", "linspace", "logspace", "range"})
"""Factories that write into what has as many elements as they count, whatever its shape."""

_DRAWING = frozenset({"rand", "randint", "randn"})


def placed(array: np.ndarray, options: Options, name: str = "") -> Tensor:
    """``array`` as the tensor that ``options`` ask for: a new one, or written into ``out`` as factory ``name`` does."""
    if options.out is None:
        return made(array, options.requires_grad)
    out = options.out
    if name in _COUNTING:
        if name == "arange" and 0 != out.array.size != array.size:
            warn(_OTHER_COUNT.format(brackets(out.array.shape), out.array.size, len(array)))
        if out.array.size == array.size:
            array = array.reshape(out.array.shape)
    if name in _COUNTING | _DRAWING:
        check_no_overlap(out)
    if out.array.shape != array.shape:
        counter_of(out)  # while a node that saved it as its result still knows it by its memory
        out.array = storage.resized(out.array, array.shape)
    overwrite(out, array)
    return cast("Tensor", out)


def made(array: np.ndarray, requires_grad: bool = False) -> Tensor:
    """A new leaf on ``array``; RuntimeError when it should require grad and can't."""
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError(INTEGRAL_GRAD)
    result = new_tensor(array)
    if requires_grad:
        meta_of(result).requires_grad = True
    if state.observer is not None:
        state.observer.tensor_made(result)
    return cast("Tensor", result)
