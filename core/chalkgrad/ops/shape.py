"""The same elements in another shape or order: views where PyTorch makes views, and copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import inferred, same, wrap_dim
from chalkgrad.engine.storage import view_strides
from chalkgrad.ops.samples import M23, V3, S, ones

Shape = tuple[int, ...]

STRIDE = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
    "contiguous subspaces). Use .reshape(...) instead."
)
SHAPE = Attribute("shape", "size", required=True)
SIZE = Attribute("size", "size", required=True)


def _inferred(self: Shape, shape: Shape) -> Shape:
    return inferred(self, shape)


def _view(self: np.ndarray, shape: Shape) -> np.ndarray:
    wanted = inferred(self.shape, shape)
    if self.flags.c_contiguous and 1 not in self.shape:
        return self.reshape(wanted)
    try:
        made = self.reshape(wanted, copy=False)
    except ValueError:
        raise RuntimeError(STRIDE) from None
    if 1 not in wanted or not made.size:
        return made
    strides = view_strides(self.shape, self.strides, wanted, self.itemsize)
    if made.strides == strides:
        return made
    if self.flags.c_contiguous:
        return np.ndarray(wanted, self.dtype, self, 0, strides)  # the same in a tenth of the time
    return np.lib.stride_tricks.as_strided(made, wanted, strides)


def _reshaped(self: np.ndarray, shape: Shape) -> np.ndarray:
    wanted = inferred(self.shape, shape)
    if self.flags.c_contiguous:
        return self.reshape(wanted) if 1 not in self.shape else _view(self, wanted)
    return _view(self, wanted) if _can_view(self, wanted) else np.reshape(self, wanted)


def _can_view(self: np.ndarray, shape: Shape) -> bool:
    try:
        self.reshape(shape, copy=False)
    except ValueError:
        return False
    return True


def _reshape(o: Any, self: Any, shape: Shape) -> Any:
    if self.array.flags.c_contiguous:
        return o.view(self, shape)  # refuses a view that is out of date before a shape that doesn't fit, as PyTorch
    wanted = inferred(self.array.shape, shape)
    if _can_view(self.array, wanted):
        return o.reshape_alias(self, wanted)
    return o.unsafe_view(o.contiguous(self, memory_format=contiguous_format), wanted)


register(
    Record(
        name="reshape",
        inputs=("self",),
        attributes=(SHAPE,),
        promotes="none",
        forward=_reshaped,
        compose=_reshape,
        grad_fn="ViewBackward0",
        function="torch.reshape",
        method="reshape",
        signatures=("reshape(Tensor input, SymInt[] shape)",),
        style="method",
        shape=_inferred,
        section="shape",
        latex=r"\operatorname{reshape}(\self)",
        derivatives={"self": "1"},
        samples=(((M23, (3, 2)), {}), ((M23, (-1,)), {}), ((M23, (6,)), {}), ((S, (1, 1)), {})),
        bad_samples=(((ones(6), (4, 2)), {}, "RuntimeError", "shape '[4, 2]' is invalid for input of size 6"),),
    )
)

register(
    Record(
        name="view",
        inputs=("self",),
        attributes=(SIZE,),
        promotes="none",
        forward=lambda self, size: _view(self, size),
        vjps={"self": lambda o, g, self_sym_sizes: o.reshape(g, self_sym_sizes)},
        grad_fn="ViewBackward0",
        method="view",
        signatures=("Tensor.view(ScalarType dtype) -> view_dtype", "Tensor.view(SymInt[] size)"),
        style="method",
        shape=lambda self, size: inferred(self, size),
        section="shape",
        latex=r"\operatorname{view}(\self)",
        derivatives={"self": "1"},
        view=True,
        checks_shapes=True,
        samples=(((M23, (3, 2)), {}), ((M23, (-1,)), {}), ((V3, (1, 3)), {})),
        bad_samples=(
            ((ones(6), (4,)), {}, "RuntimeError", "shape '[4]' is invalid for input of size 6"),
            ((ones(3, 2).T, (6,)), {}, "RuntimeError", STRIDE),
        ),
    )
)

register(
    Record(
        name="unsafe_view",
        inputs=("self",),
        attributes=(SHAPE,),
        promotes="none",
        forward=_view,
        vjps={"self": lambda o, g, self_sym_sizes: o.reshape(g, self_sym_sizes)},
        grad_fn="UnsafeViewBackward0",
        shape=_inferred,
        section="shape",
        latex=r"\operatorname{view}(\self)",
        derivatives={"self": "1"},
        hidden=True,
        part_of="reshape",
        checks_shapes=True,
        samples=(((M23, (3, 2)), {}),),
    )
)

register(
    Record(
        name="reshape_alias",
        inputs=("self",),
        attributes=(SHAPE,),
        promotes="none",
        forward=_view,
        vjps={"self": lambda o, g, self_sym_sizes: o.reshape(g, self_sym_sizes)},
        grad_fn="ReshapeAliasBackward0",
        shape=_inferred,
        section="shape",
        latex=r"\operatorname{view}(\self)",
        derivatives={"self": "1"},
        view=True,
        hidden=True,
        part_of="reshape",
        checks_shapes=True,
        samples=(((M23, (3, 2)), {}),),
    )
)


def _t(self: np.ndarray) -> np.ndarray:
    if self.ndim > 2:
        _t_shape(self.shape)
    return self.T


def _t_shape(self: Shape) -> Shape:
    if len(self) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {len(self)}D")
    return self[::-1]


register(
    Record(
        name="t",
        inputs=("self",),
        promotes="none",
        forward=_t,
        vjps={"self": lambda o, g: o.t(g)},
        grad_fn="TBackward0",
        function="torch.t",
        method="t",
        signatures=("t(Tensor input)",),
        style="method",
        shape=_t_shape,
        checks_shapes=True,
        section="shape",
        latex=r"\self^{\top}",
        derivatives={"self": "1"},
        view=True,
        samples=(((M23,), {}), ((V3,), {}), ((S,), {})),
        bad_samples=(
            ((ones(2, 2, 2),), {}, "RuntimeError", "t() expects a tensor with <= 2 dimensions, but self is 3D"),
        ),
    )
)


def _transposed(self: Shape, dim0: int, dim1: int) -> Shape:
    first, second = wrap_dim(dim0, len(self)), wrap_dim(dim1, len(self))
    sizes = list(self)
    if sizes:
        sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def _transpose(self: np.ndarray, dim0: int, dim1: int) -> np.ndarray:
    return self.swapaxes(dim0, dim1) if self.ndim else self[...]


register(
    Record(
        name="transpose",
        inputs=("self",),
        attributes=(Attribute("dim0", "int", required=True), Attribute("dim1", "int", required=True)),
        promotes="none",
        forward=_transpose,
        vjps={"self": lambda o, g, dim0, dim1: o.transpose(g, dim0, dim1)},
        grad_fn="TransposeBackward0",
        function="torch.transpose",
        method="transpose",
        signatures=("transpose(Tensor input, int dim0, int dim1)",),
        style="method",
        shape=_transposed,
        section="shape",
        latex=r"\self^{\top}",
        derivatives={"self": "1"},
        view=True,
        samples=(((M23, 0, 1), {}), ((M23, -1, 0), {}), ((V3, 0, 0), {})),
        bad_samples=(
            (
                (ones(2), 0, 1),
                {},
                "IndexError",
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
            ),
        ),
    )
)


def _permuted(self: Shape, dims: Shape) -> Shape:
    if len(dims) != len(self):
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {len(self)} is not equal to len(dims) = {len(dims)}"
        )
    axes = [wrap_dim(dim, len(self)) for dim in dims]
    if len(set(axes)) != len(axes):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return tuple(self[axis] for axis in axes)


def inverse_permutation(dims: Shape) -> Shape:
    """The order that undoes ``dims``."""
    axes = [dim % len(dims) for dim in dims]
    return tuple(axes.index(axis) for axis in range(len(axes)))


register(
    Record(
        name="permute",
        inputs=("self",),
        attributes=(Attribute("dims", "size", required=True),),
        promotes="none",
        forward=lambda self, dims: self.transpose(dims) if dims else self[...],
        vjps={"self": lambda o, g, dims: o.permute(g, inverse_permutation(dims))},
        grad_fn="PermuteBackward0",
        function="torch.permute",
        method="permute",
        signatures=("permute(Tensor input, int[] dims)",),
        style="method",
        shape=_permuted,
        section="shape",
        latex=r"\self^{\top}",
        derivatives={"self": "1"},
        view=True,
        samples=(((M23, (1, 0)), {}), ((ones(2, 3, 1), (2, 0, -2)), {}), ((V3, (0,)), {})),
        bad_samples=(((M23, (0, 0)), {}, "RuntimeError", "permute(): duplicate dims are not allowed."),),
    )
)


register(
    Record(
        name="clone",
        inputs=("self",),
        promotes="none",
        forward=lambda self: copied(self, self.dtype),
        vjps={"self": lambda o, g: g},
        grad_fn="CloneBackward0",
        function="torch.clone",
        method="clone",
        signatures=("clone(Tensor input, *, MemoryFormat? memory_format=None) -> contiguous",),
        style="method",
        shape=same,
        section="shape",
        latex=r"\self",
        derivatives={"self": "1"},
        samples=(((M23,), {}), ((S,), {})),
    )
)

register(
    Record(
        name="contiguous",
        inputs=("self",),
        promotes="none",
        attributes=(Attribute("memory_format", "memory_format", None, positional=False),),
        forward=lambda self, memory_format=None: copied(self, self.dtype, memory_format),
        vjps={"self": lambda o, g: g},
        grad_fn="CloneBackward0",
        shape=same,
        section="shape",
        latex=r"\self",
        derivatives={"self": "1"},
        hidden=True,
        part_of="clone",
        samples=(((M23,), {}),),
    )
)

register(
    Record(
        name="detach",
        inputs=("self",),
        promotes="none",
        forward=lambda self: self[...],
        function="torch.detach",
        method="detach",
        signatures=("detach(Tensor input)",),
        style="method",
        shape=same,
        section="grad mode",
        latex=r"\self",
        view=True,
        samples=(((M23,), {}), ((S,), {})),
    )
)
