"""Calls on nothing but what inference mode made, of which PyTorch's autograd doesn't hear: what its kernels do within.

Kernels that do nothing of which it hears stand in no table here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.messages import NOT_DIFFERENTIATED
from chalkgrad.engine.recording import UNHEARD
from chalkgrad.engine.saved import check_countable
from chalkgrad.ops.unheard_matrices import MATRICES
from chalkgrad.ops.within import (
    Within,
    by_out,
    by_out_where,
    copied,
    copies,
    fills,
    in_a_copy,
    number,
    plain,
    with_number,
    written,
)


def _rsub(o: Any, self: TensorBase, other: Any, alpha: Any) -> Any:
    return o.sub(number(other, self), self, alpha=alpha)


def _flip(o: Any, self: TensorBase, dims: Sequence[int]) -> Any:
    array = self.array
    turned = [dim for dim in dims if array.ndim and array.shape[dim] > 1 and array.strides[dim]]
    return copied(o, self) if not turned or array.size <= 1 else None


def _rot90(o: Any, self: TensorBase, k: int, dims: Sequence[int]) -> Any:
    first, second = dims
    if k % 4 == 0:
        return o.contiguous(self)
    found = o.flip(self, dims=tuple(dims) if k % 4 == 2 else (second,) if k % 4 == 1 else (first,))
    return found if k % 4 == 2 else o.transpose_(found, dim0=first, dim1=second)


def _roll(o: Any, self: TensorBase, shifts: Sequence[int], dims: Sequence[int]) -> Any:
    array = self.array
    if dims or len(shifts) != 1 or array.flags.c_contiguous:
        return None if array.size or not dims else copied(o, self)
    flat = o.view(o.contiguous(self), size=(array.size,))
    return o.view(o.roll(flat, shifts=shifts, dims=(0,)), size=array.shape)


def _diag_embed(o: Any, self: TensorBase, offset: int, dim1: int, dim2: int) -> Any:
    found = plain(o, "diag_embed", (self,), {"offset": offset, "dim1": dim1, "dim2": dim2})
    o.copy_(o.diagonal(found, offset=offset, dim1=dim1, dim2=dim2), self)
    return found


def _scatters(name: str, view: str) -> Within:
    """A kernel that copies its source into a view of a copy of all the memory of the tensor."""

    def run(o: Any, self: TensorBase, src: TensorBase, **attributes: Any) -> Any:
        made = plain(o, name, (self, src), attributes)
        steps = [stride // made.array.itemsize for stride in made.array.strides]
        memory = o.as_strided(made, size=(made.array.size,), stride=(1,), storage_offset=0)
        base = new_tensor(memory.array)
        found = o.as_strided(base, size=made.array.shape, stride=tuple(steps), storage_offset=0)
        o.copy_(getattr(o, view)(found, **attributes), src)
        return found

    return run


def _block_diag(o: Any, *tensors: TensorBase) -> Any:
    found = plain(o, "block_diag", (tensors,), {})
    row = column = 0
    for tensor in tensors:
        array = tensor.array
        rows, columns = ((1, 1) if array.ndim == 0 else (1, *array.shape))[-2:] if array.ndim < 2 else array.shape
        flat = tensor if array.ndim == 2 else o.expand(tensor, size=(rows, columns))
        part = o.slice(
            o.slice(found, dim=0, start=row, end=row + rows, step=1), dim=1, start=column, end=column + columns, step=1
        )
        o.copy_(part, flat)
        row, column = row + rows, column + columns
    return found


def _constant_pad_nd(o: Any, self: TensorBase, pad: Sequence[int], value: Any) -> Any:
    if all(size <= 0 for size in pad):
        part = self
        for dim, before, after in _pads(self, pad):
            if before or after:
                part = o.slice(part, dim=dim, start=-before, end=self.array.shape[dim] + after, step=1)
        return copied(o, part)
    found = plain(o, "constant_pad_nd", (self,), {"pad": pad, "value": value})
    inner, part = self, found
    for dim, before, after in _pads(self, pad):
        size, whole = self.array.shape[dim], found.array.shape[dim]
        if before < 0 or after < 0:
            inner = o.slice(inner, dim=dim, start=max(0, -before), end=size + min(0, after), step=1)
        if before > 0 or after > 0:
            part = o.slice(part, dim=dim, start=max(0, before), end=whole - max(0, after), step=1)
    o.copy_(part, inner)
    return found


def _pads(self: TensorBase, pad: Sequence[int]) -> list[tuple[int, int, int]]:
    """Dimensions with what comes before and after each, the first first."""
    last = self.array.ndim - 1
    return [(last - place, pad[2 * place], pad[2 * place + 1]) for place in reversed(range(len(pad) // 2))]


def _bernoulli(o: Any, self: TensorBase, generator: Any) -> Any:
    return o.bernoulli_tensor_(new_tensor(np.empty_like(self.array)), self, generator=generator)


def _normal(name: str) -> Within:
    """Numbers drawn, times the deviation, plus the mean."""

    def run(o: Any, *inputs: Any, **attributes: Any) -> Any:
        found = plain(o, name, inputs, attributes)
        std, mean = attributes.get("std"), attributes.get("mean")
        std = inputs[-1] if std is None else std
        mean = inputs[0] if mean is None else mean
        written(found, lambda: o.mul_(found, std) if isinstance(std, TensorBase) else o.mul_number_(found, other=std))
        written(found, lambda: o.add_(found, mean if isinstance(mean, TensorBase) else number(mean, found)))
        return found

    return run


_COPIED_FIRST = copies("index_add", 0)


def _index_add(o: Any, self: TensorBase, index: TensorBase, source: TensorBase, dim: int, alpha: Any) -> Any:
    found, shape = _COPIED_FIRST(o, self, index, source, dim=dim, alpha=alpha), self.array.shape
    if len(shape) < 2 or not index.array.size or not self.array.size:
        return found
    dim %= len(shape)
    others = [(a, b) for place, (a, b) in enumerate(zip(shape, source.array.shape, strict=True)) if place != dim]
    alike = dim in (0, len(shape) - 1) and alpha == 1 and index.array.dtype == np.int64
    if alike and all(a == b for a, b in others):
        sizes = [1] * len(shape)
        sizes[dim] = -1
        spread = o.expand(o.view(index, size=tuple(sizes)), size=source.array.shape)
        written(found, lambda: o.scatter_add_(found, spread, source, dim=dim))
    return found


def _binary_entropy(o: Any, self: TensorBase, target: TensorBase, weight: Any, pos_weight: Any, reduction: Any) -> Any:
    if requires_grad_of(target) or weight is not None:
        check_countable(self)
    found = plain(o, "neg", (o.log_sigmoid_forward(self)[0],), {})
    losses = o.sub_(o.mul_(plain(o, "rsub_number", (target,), {"other": 1, "alpha": 1}), self), found, alpha=1)
    losses = o.mean_all(losses) if reduction == 1 else o.sum_all(losses) if reduction == 2 else losses
    values = plain(o, "binary_cross_entropy_with_logits", (self, target, weight, pos_weight), {"reduction": reduction})
    losses.array[...] = values.array
    return losses


def _reduces(name: str, again: bool = False) -> Within:
    """A kernel that reduces into a copy of the tensor; the one of scatter_reduce copies it ``again``."""

    def run(o: Any, self: TensorBase, index: TensorBase, source: TensorBase, **attributes: Any) -> Any:
        found = plain(o, name, (self, index, source), attributes)
        if not requires_grad_of(self):
            return found
        written(found, lambda: o.copy_(found, self))
        if not attributes["include_self"]:
            check_countable(index)
        if again:
            written(found, lambda: o.copy_(found, self))
        return _divided(o, found) if attributes["reduce"] == "mean" else found

    return run


def _divided(o: Any, sums: TensorBase) -> Any:
    """``sums``, made a mean by division in place."""
    written(sums, lambda: o.div_(sums, new_tensor(np.ones_like(sums.array))))
    return sums


def _fill(o: Any, self: TensorBase, value: TensorBase) -> Any:
    return o.fill_tensor_(new_tensor(np.empty_like(self.array)), value)


def _embedding_bag(o: Any, weight: TensorBase, *others: TensorBase, **attributes: Any) -> None:
    """What doesn't lie in order is copied first, and autograd hears of copies."""
    if not all(one.array.flags.c_contiguous for one in others):
        check_countable(weight)


def _norm_keeps(self: TensorBase, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> bool:
    """True for a norm of single elements, which keeps their dimensions."""
    shape, every = self.array.shape, dim is None or dim == ()
    if not keepdim or ord == 0 or not self.array.size or (not shape and not every):
        return False
    dims = range(len(shape)) if every else (dim,) if isinstance(dim, int) else dim
    return all(shape[one] == 1 for one in dims)


def _pow(o: Any, exponent: TensorBase, self: Any) -> None:
    if self != 1:
        raise RuntimeError(NOT_DIFFERENTIATED.format("pow"))


def _ldexp(o: Any, self: TensorBase, other: TensorBase) -> Any:
    return o.mul(self, o.pow_tensor(number(2.0, other), other))


def _one_result(self: TensorBase, dim: Any, **attributes: Any) -> bool:
    """True where a reduction comes to one number."""
    shape = self.array.shape
    dims = range(len(shape)) if not dim and dim != 0 else (dim,) if isinstance(dim, int) else dim
    gone = {one % max(len(shape), 1) for one in dims}
    return bool(self.array.size) and all(size == 1 for place, size in enumerate(shape) if place not in gone)


def _is_empty(self: TensorBase, *inputs: Any, **attributes: Any) -> bool:
    return not self.array.size


def _is_float(self: TensorBase) -> bool:
    return self.array.dtype.kind == "f"


UNHEARD.update(
    {
        **{
            name: by_out(name)
            for name in (
                *("abs", "cummax", "cummin", "deg2rad", "rad2deg", "hardtanh", "kthvalue"),
                *("logsumexp", "nan_to_num"),
            )
        },
        **dict.fromkeys(("mean_all", "mean_dim"), by_out("sum")),
        **dict.fromkeys(("var", "std"), by_out_where("sum", _one_result)),
        **dict.fromkeys(("isinf", "isfinite_of"), by_out_where("abs", _is_float)),
        "renorm": by_out("mul"),
        "multinomial": by_out_where("div", lambda self, replacement, **_: not replacement),
        "median_dim": by_out("median"),
        "nanmedian_dim": by_out("nanmedian"),
        "soft_margin_loss_native": by_out("soft_margin_loss"),
        "linalg_vector_norm": by_out_where("abs", _norm_keeps),
        "scatter_reduce": _reduces("scatter_reduce", again=True),
        "index_reduce": _reduces("index_reduce"),
        "fill": _fill,
        "embedding_bag": _embedding_bag,
        "pixel_unshuffle": copies("pixel_unshuffle", 0, 0, _is_empty),
        "number_pow": _pow,
        **MATRICES,
        **{name: copies(name, 0) for name in ("clone", "contiguous", "to_copy", "sort", "sort_stable", "index_copy")},
        **{name: copies(name, 0) for name in ("scatter_src", "scatter_value", "scatter_add")},
        **{name: copies(name, 0) for name in ("scatter_combined", "scatter_combined_value")},
        "topk": copies("topk", 0, 0, lambda self, **_: not self.array.ndim),
        "index_add": _index_add,
        **{name: fills(name) for name in ("cumsum", "cumprod", "logcumsumexp", "max_dim", "min_dim", "mode")},
        "aminmax": fills("aminmax", 2),
        **{name: in_a_copy(f"{name}_") for name in ("masked_fill_number", "masked_fill_tensor", "masked_scatter")},
        **{name: in_a_copy(f"{name}_") for name in ("index_fill_number", "index_fill", "put", "put_indexed")},
        "rsub_number": _rsub,
        "remainder_number": with_number("remainder_tensor"),
        "fmod_number": with_number("fmod_tensor"),
        "number_remainder": with_number("remainder_tensor", first=True),
        "number_floor_divide": with_number("floor_divide_tensor", first=True),
        "number_xlogy": with_number("xlogy_tensor", first=True),
        "number_xlog1py": with_number("xlog1py_tensor", first=True),
        "ldexp": _ldexp,
        "flip": _flip,
        "rot90": _rot90,
        "roll": _roll,
        "diag_embed": _diag_embed,
        "diagonal_scatter": _scatters("diagonal_scatter", "diagonal"),
        "select_scatter": _scatters("select_scatter", "select"),
        "slice_scatter": _scatters("slice_scatter", "slice"),
        "block_diag": _block_diag,
        "constant_pad_nd": _constant_pad_nd,
        "bernoulli": _bernoulli,
        **{f"normal_{way}": _normal(f"normal_{way}") for way in ("mean", "std", "both")},
        "binary_cross_entropy_with_logits": _binary_entropy,
    }
)
