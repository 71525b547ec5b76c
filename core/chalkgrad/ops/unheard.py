"""Calls on nothing but what inference mode made, of which PyTorch's autograd doesn't hear: what its kernels do within.

A kernel makes an ordinary tensor for its result. What it does to that by other operators autograd does hear of, so that
a copy gets a history, and what goes by ``out=`` is refused. Kernels that do neither stand in no table here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.messages import NOT_DIFFERENTIATED
from chalkgrad.engine.recording import UNHEARD

Within = Callable[..., Any]
"""Called with the namespace of operators, inputs and attributes: what the call comes to, None for nothing of note."""


def _by_out(name: str) -> Within:
    """A kernel that computes by ``name`` with ``out=``."""

    def refuse(o: Any, *inputs: Any, **attributes: Any) -> None:
        raise RuntimeError(NOT_DIFFERENTIATED.format(name))

    return refuse


def _by_out_where(name: str, holds: Callable[..., bool]) -> Within:
    """The same where ``holds`` of the call."""

    def refuse(o: Any, *inputs: Any, **attributes: Any) -> None:
        if holds(*inputs, **attributes):
            raise RuntimeError(NOT_DIFFERENTIATED.format(name))

    return refuse


def _plain(o: Any, name: str, inputs: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """The result of a call of which nobody hears."""
    before, state.grad = state.grad, False
    try:
        return getattr(o, name)(*inputs, **attributes)
    finally:
        state.grad = before


def _written(result: TensorBase, write: Callable[[], object]) -> None:
    """Give ``result`` the history of ``write`` and leave its elements as they are."""
    elements = result.array.copy()
    write()
    result.array[...] = elements


def _copies(name: str, place: int, output: int = 0, when: Callable[..., bool] = lambda *_, **__: True) -> Within:
    """A kernel that first copies the input at ``place`` into its result, and computes there."""

    def run(o: Any, *inputs: Any, **attributes: Any) -> Any:
        found = _plain(o, name, inputs, attributes)
        result, source = found if isinstance(found, TensorBase) else found[output], inputs[place]
        if requires_grad_of(source) and result.array.shape == source.array.shape and when(*inputs, **attributes):
            _written(result, lambda: o.copy_(result, source))
        return found

    return run


def _fills(name: str, outputs: int = 1) -> Within:
    """A kernel that fills its results with the number where it is given one without dimensions."""

    def run(o: Any, self: TensorBase, **attributes: Any) -> Any:
        if self.array.ndim:
            return None
        found = _plain(o, name, (self,), attributes)
        for result in (found,) if isinstance(found, TensorBase) else found[:outputs]:
            _written(result, lambda result=result: o.fill_tensor_(result, self))  # type: ignore[misc]
        return found

    return run


def _copied(o: Any, self: TensorBase) -> Any:
    """An ordinary tensor with the elements of ``self``."""
    return o.copy_(new_tensor(np.empty_like(self.array)), self)


def _in_a_copy(name: str) -> Within:
    """A kernel that writes into a copy."""

    def run(o: Any, self: TensorBase, *inputs: Any, **attributes: Any) -> Any:
        shape = np.broadcast_shapes(self.array.shape, inputs[0].array.shape) if name.startswith("masked_") else None
        spread = self if shape in (None, self.array.shape) else _plain(o, "expand", (self,), {"size": shape})
        return getattr(o, name)(_copied(o, spread), *inputs, **attributes)

    return run


def _number(number: Any, like: TensorBase) -> TensorBase:
    """The tensor that PyTorch makes of a number beside ``like``."""
    dtype = like.array.dtype
    return new_tensor(np.asarray(number, dtype if dtype.kind == "f" or not isinstance(number, float) else np.float32))


def _with_number(name: str, first: bool = False) -> Within:
    """A kernel that makes a tensor of the number it is given, ``first`` of its operands or last."""

    def run(o: Any, one: TensorBase, **attributes: Any) -> Any:
        made = _number(attributes.pop("self" if first else "other"), one)
        return getattr(o, name)(*((made, one) if first else (one, made)), **attributes)

    return run


def _rsub(o: Any, self: TensorBase, other: Any, alpha: Any) -> Any:
    return o.sub(_number(other, self), self, alpha=alpha)


def _mv(o: Any, self: TensorBase, vec: TensorBase) -> Any:
    found = _plain(o, "mv", (self, vec), {})
    return o.addmv_(found, self, vec, beta=0, alpha=1)


def _addmm(name: str) -> Within:
    """The product of matrices that is added to what was copied."""
    copies = _copies(name, 0)

    def run(o: Any, self: TensorBase, one: TensorBase, other: TensorBase, beta: Any, alpha: Any) -> Any:
        if not beta:
            return None
        found = copies(o, self, one, other, beta=beta, alpha=alpha)
        if name == "addmm" and not one.array.shape[-1] and found.array.size and requires_grad_of(found):
            _written(found, lambda: o.mul_number_(found, other=beta))
        return found

    return run


def _addbmm(o: Any, self: TensorBase, batch1: TensorBase, batch2: TensorBase, beta: Any, alpha: Any) -> Any:
    found = _plain(o, "addbmm", (self, batch1, batch2), {"beta": beta, "alpha": alpha})
    if beta and self.array.shape == found.array.shape:
        _written(found, lambda: o.copy_(found, self))
    if not len(batch1.array):
        _written(found, lambda: o.mul_number_(found, other=beta) if beta else o.zero_(found))
    for number in range(len(batch1.array)):
        matrices = [o.select(batch, dim=0, index=number) for batch in (batch1, batch2)]
        _written(found, lambda given=matrices: o.addmm_(found, *given, beta=beta, alpha=alpha))  # type: ignore[misc]
    return found


def _flip(o: Any, self: TensorBase, dims: Sequence[int]) -> Any:
    array = self.array
    turned = [dim for dim in dims if array.ndim and array.shape[dim] > 1 and array.strides[dim]]
    return _copied(o, self) if not turned or array.size <= 1 else None


def _rot90(o: Any, self: TensorBase, k: int, dims: Sequence[int]) -> Any:
    first, second = dims
    if k % 4 == 0:
        return o.contiguous(self)
    found = o.flip(self, dims=tuple(dims) if k % 4 == 2 else (second,) if k % 4 == 1 else (first,))
    return found if k % 4 == 2 else o.transpose_(found, dim0=first, dim1=second)


def _roll(o: Any, self: TensorBase, shifts: Sequence[int], dims: Sequence[int]) -> Any:
    array = self.array
    if not array.size:
        return _copied(o, self)
    if dims or len(shifts) != 1 or array.flags.c_contiguous:
        return None
    flat = o.view(o.contiguous(self), size=(array.size,))
    return o.view(o.roll(flat, shifts=shifts, dims=(0,)), size=array.shape)


def _diag_embed(o: Any, self: TensorBase, offset: int, dim1: int, dim2: int) -> Any:
    found = _plain(o, "diag_embed", (self,), {"offset": offset, "dim1": dim1, "dim2": dim2})
    o.copy_(o.diagonal(found, offset=offset, dim1=dim1, dim2=dim2), self)
    return found


def _scatters(name: str, view: str) -> Within:
    """A kernel that copies its source into a view of a copy of all the memory of the tensor."""

    def run(o: Any, self: TensorBase, src: TensorBase, **attributes: Any) -> Any:
        made = _plain(o, name, (self, src), attributes)
        steps = [stride // made.array.itemsize for stride in made.array.strides]
        memory = o.as_strided(made, size=(made.array.size,), stride=(1,), storage_offset=0)
        base = new_tensor(memory.array)
        found = o.as_strided(base, size=made.array.shape, stride=tuple(steps), storage_offset=0)
        o.copy_(getattr(o, view)(found, **attributes), src)
        return found

    return run


def _block_diag(o: Any, *tensors: TensorBase) -> Any:
    found = _plain(o, "block_diag", (tensors,), {})
    row = column = 0
    for tensor in tensors:
        array = tensor.array
        rows, columns = ((1, 1) if array.ndim == 0 else (1, *array.shape))[-2:] if array.ndim < 2 else array.shape
        flat = tensor if array.ndim == 2 else o.expand(tensor, size=(rows, columns))
        part = o.slice(o.slice(found, dim=0, start=row, end=row + rows, step=1), dim=1, start=column, end=column + columns, step=1)
        o.copy_(part, flat)
        row, column = row + rows, column + columns
    return found


def _constant_pad_nd(o: Any, self: TensorBase, pad: Sequence[int], value: Any) -> Any:
    if all(size <= 0 for size in pad):
        part = self
        for dim, before, after in _pads(self, pad):
            part = o.slice(part, dim=dim, start=-before, end=self.array.shape[dim] + after, step=1)
        return _copied(o, part)
    found = _plain(o, "constant_pad_nd", (self,), {"pad": pad, "value": value})
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
        found = _plain(o, name, inputs, attributes)
        std, mean = attributes.get("std"), attributes.get("mean")
        std = inputs[-1] if std is None else std
        mean = inputs[0] if mean is None else mean
        _written(found, lambda: o.mul_(found, std) if isinstance(std, TensorBase) else o.mul_number_(found, other=std))
        _written(found, lambda: o.add_(found, mean if isinstance(mean, TensorBase) else _number(mean, found)))
        return found

    return run


def _index_add(o: Any, self: TensorBase, index: TensorBase, source: TensorBase, dim: int, alpha: Any) -> Any:
    found, shape = _COPIES["index_add"](o, self, index, source, dim=dim, alpha=alpha), self.array.shape
    if len(shape) < 2 or not index.array.size or not self.array.size:
        return found
    dim %= len(shape)
    others = [(a, b) for place, (a, b) in enumerate(zip(shape, source.array.shape, strict=True)) if place != dim]
    alike = dim in (0, len(shape) - 1) and alpha == 1 and index.array.dtype == np.int64
    if alike and all(a == b for a, b in others):
        sizes = [1] * len(shape)
        sizes[dim] = -1
        spread = o.expand(o.view(index, size=tuple(sizes)), size=source.array.shape)
        _written(found, lambda: o.scatter_add_(found, spread, source, dim=dim))
    return found


def _binary_entropy(
    o: Any, self: TensorBase, target: TensorBase, weight: Any, pos_weight: Any, reduction: Any
) -> Any:
    if requires_grad_of(target) and requires_grad_of(self):
        o.mul_(o.rsub_number(target, other=1, alpha=1), self)
    return None


def _pow(o: Any, exponent: TensorBase, self: Any) -> None:
    if self != 1:
        raise RuntimeError(NOT_DIFFERENTIATED.format("pow"))


def _ldexp(o: Any, self: TensorBase, other: TensorBase) -> Any:
    return o.mul(self, o.pow_tensor(_number(2.0, other), other))


def _one_result(self: TensorBase, dim: Any, **attributes: Any) -> bool:
    """True where a reduction comes to one number."""
    shape = self.array.shape
    dims = range(len(shape)) if not dim and dim != 0 else (dim,) if isinstance(dim, int) else dim
    gone = {one % max(len(shape), 1) for one in dims}
    return bool(self.array.size) and all(size == 1 for place, size in enumerate(shape) if place not in gone)


def _has_elements(self: TensorBase, *inputs: Any, **attributes: Any) -> bool:
    return bool(self.array.size)


def _is_float(self: TensorBase) -> bool:
    return self.array.dtype.kind == "f"


def _cholesky(o: Any, self: TensorBase, upper: bool, check_errors: bool) -> None:
    if self.array.size:
        raise RuntimeError(NOT_DIFFERENTIATED.format("triu" if upper else "tril"))


_COPIES = {
    "clone": _copies("clone", 0),
    "contiguous": _copies("contiguous", 0),
    "to_copy": _copies("to_copy", 0),
    "sort": _copies("sort", 0),
    "sort_stable": _copies("sort_stable", 0),
    "linalg_lu_factor_ex": _copies("linalg_lu_factor_ex", 0, 0, _has_elements),
    "linalg_eigh_both": _copies("linalg_eigh_both", 0, 1, lambda A, compute_v, **_: compute_v and A.array.size),
    "linalg_solve_triangular": _copies("linalg_solve_triangular", 1),
    "linalg_lu_solve": _copies("linalg_lu_solve", 2),
    "index_copy": _copies("index_copy", 0),
    "index_add": _copies("index_add", 0),
    **{f"scatter_{way}": _copies(f"scatter_{way}", 0) for way in ("src", "value", "combined", "combined_value", "add")},
}

UNHEARD.update(
    {
        **{
            name: _by_out(name)
            for name in (
                *("abs", "cholesky_inverse", "cummax", "cummin", "deg2rad", "rad2deg", "hardtanh", "kthvalue"),
                *("logsumexp", "nan_to_num"),
            )
        },
        **dict.fromkeys(("mean_all", "mean_dim"), _by_out("sum")),
        **dict.fromkeys(("var", "std"), _by_out_where("sum", _one_result)),
        **dict.fromkeys(("isinf", "isfinite_of"), _by_out_where("abs", _is_float)),
        "renorm": _by_out("mul"),
        "multinomial": _by_out("div"),
        "median_dim": _by_out("median"),
        "nanmedian_dim": _by_out("nanmedian"),
        "linalg_lu": _by_out("linalg_lu_factor_ex"),
        "linalg_solve_lu": _by_out("linalg_lu_factor_ex"),
        "linalg_inv_ex": _by_out("_linalg_solve_ex"),
        "linalg_lstsq": _by_out("linalg_lstsq"),
        "linalg_cholesky_ex": _cholesky,
        "soft_margin_loss_native": _by_out("soft_margin_loss"),
        "number_pow": _pow,
        **_COPIES,
        "index_add": _index_add,
        **{name: _fills(name) for name in ("cumsum", "cumprod", "logcumsumexp", "max_dim", "min_dim", "mode")},
        "aminmax": _fills("aminmax", 2),
        **{f"{name}": _in_a_copy(f"{name}_") for name in ("masked_fill_number", "masked_fill_tensor", "masked_scatter")},
        **{f"{name}": _in_a_copy(f"{name}_") for name in ("index_fill_number", "index_fill", "put", "put_indexed")},
        "rsub_number": _rsub,
        "remainder_number": _with_number("remainder_tensor"),
        "fmod_number": _with_number("fmod_tensor"),
        "number_remainder": _with_number("remainder_tensor", first=True),
        "number_floor_divide": _with_number("floor_divide_tensor", first=True),
        "number_xlogy": _with_number("xlogy_tensor", first=True),
        "number_xlog1py": _with_number("xlog1py_tensor", first=True),
        "ldexp": _ldexp,
        "mv": _mv,
        "addmm": _addmm("addmm"),
        "baddbmm": _addmm("baddbmm"),
        "addbmm": _addbmm,
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
