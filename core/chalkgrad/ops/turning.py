"""The same elements in another order: dimensions moved, elements mirrored, rolled and turned."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import same, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.composing import in_format, through
from chalkgrad.ops.samples import M23, V3, ones

Shape = tuple[int, ...]

_DIMS = Attribute("dims", "size", required=True)


# Dimensions moved


def _swap(name: str, first: str, second: str) -> None:
    """NumPy's names for ``transpose``."""
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute(first, "int", required=True), Attribute(second, "int", required=True)),
            promotes="none",
            forward=lambda self, **dims: self.swapaxes(*dims.values()) if self.ndim else self[...],
            compose=lambda o, self, **dims: o.transpose(self, *dims.values()),
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input, int {first}, int {second})",),
            style="method",
            section="shape",
            hidden=True,
            part_of="transpose",
        )
    )


_swap("swapaxes", "axis0", "axis1")
_swap("swapdims", "dim0", "dim1")


def _as_tuple(dims: int | Shape) -> Shape:
    return dims if isinstance(dims, tuple) else (dims,)


def _movedim(o: Any, self: Any, source: int | Shape, destination: int | Shape) -> Any:
    given, wanted = _as_tuple(source), _as_tuple(destination)
    if len(given) != len(wanted):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({brackets(given)} dims) should contain the same "
            f"number of dims as destination ({brackets(wanted)} dims)"
        )
    ndim = len(self.shape)
    froms, tos = ([wrap_dim(dim, ndim) for dim in dims] for dims in (given, wanted))
    for name, dims, spelled in (("source", froms, given), ("destination", tos, wanted)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({brackets(spelled)})")
    if not ndim:
        return o.alias(self)
    rest = iter([axis for axis in range(ndim) if axis not in froms])
    order = [froms[tos.index(axis)] if axis in tos else next(rest) for axis in range(ndim)]
    return o.permute(self, tuple(order))


for _name in ("movedim", "moveaxis"):
    register(
        Record(
            name=_name,
            inputs=("self",),
            attributes=(Attribute("source", "dim", required=True), Attribute("destination", "dim", required=True)),
            promotes="none",
            forward=through(_movedim),
            compose=_movedim,
            function=f"torch.{_name}",
            method=_name,
            signatures=(
                f"{_name}(Tensor input, int source, int destination)",
                f"{_name}(Tensor input, int[] source, int[] destination)",
            ),
            style="method",
            section="shape",
            hidden=True,
            part_of="transpose",
        )
    )


def _adjoint(o: Any, self: Any) -> Any:
    ndim = len(self.shape)
    if not ndim:
        warn_once("adjoint() is deprecated on 0-D tensors. Consider using x.conj().")
        return self
    if ndim == 1:
        raise RuntimeError("tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return o.transpose(self, -2, -1)


register(
    Record(
        name="adjoint",
        inputs=("self",),
        promotes="none",
        forward=through(_adjoint),
        compose=_adjoint,
        function="torch.adjoint",
        method="adjoint",
        signatures=("adjoint(Tensor input)",),
        style="method",
        section="shape",
        hidden=True,
        part_of="transpose",
    )
)


# Elements mirrored, rolled, turned


def _flip_shape(self: Shape, dims: Shape) -> Shape:
    axes = [wrap_dim(dim, len(self)) for dim in dims]
    for index, axis in enumerate(axes):
        if axis in axes[:index]:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
    return self


def _flip(self: np.ndarray, dims: Shape) -> np.ndarray:
    return _mirrored(self, dims) if self.ndim else self.copy()


def _mirrored(self: np.ndarray, dims: int | Shape) -> np.ndarray:
    """A copy of ``self``, laid out as it is, mirrored along ``dims``."""
    made = copied(self, self.dtype)
    np.copyto(made, np.flip(self, dims))
    return made


register(
    Record(
        name="flip",
        inputs=("self",),
        attributes=(_DIMS,),
        promotes="none",
        forward=_flip,
        vjps={"self": lambda o, g, dims: o.flip(g, dims)},
        grad_fn="FlipBackward0",
        function="torch.flip",
        method="flip",
        signatures=("flip(Tensor input, int[] dims)",),
        style="method",
        shape=_flip_shape,
        section="shape",
        latex=r"\operatorname{flip}(\self)",
        derivatives={"self": r"\operatorname{flip}(g)"},
        samples=(((M23, (0,)), {}), ((M23, (0, -1)), {}), ((V3, (0,)), {})),
        bad_samples=(
            (
                (V3, (1,)),
                {},
                "IndexError",
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
            ),
        ),
    )
)


def _flipped(name: str, dim: int, least: int, what: str) -> None:
    """``fliplr`` and ``flipud``."""

    def compose(o: Any, self: Any) -> Any:
        if len(self.shape) < least:
            raise RuntimeError(f"Input must be >= {what}.")
        return o.flip(self, (dim,))

    register(
        Record(
            name=name,
            inputs=("self",),
            promotes="none",
            forward=through(compose),
            compose=compose,
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input)",),
            style="method",
            section="shape",
            hidden=True,
            part_of="flip",
        )
    )


_flipped("fliplr", 1, 2, "2-d")
_flipped("flipud", 0, 1, "1-d")


def _roll_shape(self: Shape, shifts: Shape, dims: Shape = ()) -> Shape:
    if not shifts:
        raise RuntimeError("`shifts` required")
    if len(shifts) != len(dims) and (dims or len(shifts) != 1):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if 0 in self:  # of nothing PyTorch turns nothing, whatever dimension is named
        return self
    for dim in dims:
        if not self:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        wrap_dim(dim, len(self))
    return self


def _roll(self: np.ndarray, shifts: Shape, dims: Shape = ()) -> np.ndarray:
    whole = np.asarray(self, order="C")
    if not self.size:
        return whole.copy()
    if not dims:
        return np.roll(whole.reshape(-1), shifts, 0).reshape(whole.shape).copy()
    return np.roll(whole, shifts, dims)


register(
    Record(
        name="roll",
        inputs=("self",),
        attributes=(Attribute("shifts", "dim", required=True), Attribute("dims", "dim", ())),
        promotes="none",
        forward=in_format(lambda self, shifts, dims=(): _roll(self, _as_tuple(shifts), _as_tuple(dims or ()))),
        vjps={
            "self": lambda o, g, shifts, dims: o.roll(g, tuple(-shift for shift in _as_tuple(shifts)), dims),
        },
        grad_fn="RollBackward0",
        function="torch.roll",
        method="roll",
        signatures=("roll(Tensor input, SymInt[1] shifts, int[1] dims=None)",),
        style="method",
        shape=lambda self, shifts, dims=(): _roll_shape(self, _as_tuple(shifts), _as_tuple(dims or ())),
        section="shape",
        latex=r"\operatorname{roll}(\self)",
        derivatives={"self": r"\operatorname{roll}(g, -\shifts)"},
        samples=(((M23, (1,)), {}), ((M23, (1, -1), (0, 1)), {}), ((V3, (2,), (0,)), {})),
        bad_samples=(
            (
                (V3, (1, 2), (0,)),
                {},
                "RuntimeError",
                "shifts and dimensions must align. shifts: 2, dims:1",
            ),
        ),
    )
)


def _turned(self: Shape, k: int = 1, dims: Shape = (0, 1)) -> Shape:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if len(self) < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {len(self)}")
    first, second = dims
    if wrap_dim(first, len(self)) == wrap_dim(second, len(self)):
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {first} and dim1 = {second}")
    sizes = list(self)
    if k % 2:
        sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def _swapped(flipped: np.ndarray, first: int, second: int) -> np.ndarray:
    """``flipped`` with two dimensions swapped, in memory of its own where they lie as before."""
    like = flipped.swapaxes(first, second)
    found: np.ndarray = np.ndarray(like.shape, like.dtype, strides=like.strides)
    np.copyto(found, like)
    return found


def _rot90(self: np.ndarray, k: int = 1, dims: Shape = (0, 1)) -> np.ndarray:
    first, second = dims
    match k % 4:
        case 0:
            return copied(self, self.dtype, contiguous_format)
        case 1:
            return _swapped(_mirrored(self, second), first, second)
        case 2:
            return _mirrored(self, dims)
        case _:
            return _swapped(_mirrored(self, first), first, second)


register(
    Record(
        name="rot90",
        inputs=("self",),
        attributes=(Attribute("k", "int", 1), Attribute("dims", "size", (0, 1))),
        promotes="none",
        forward=_rot90,
        vjps={"self": lambda o, g, k, dims: o.rot90(g, -k, dims)},
        grad_fn="Rot90Backward0",
        function="torch.rot90",
        method="rot90",
        signatures=("rot90(Tensor input, int k=1, int[] dims={0,1})",),
        style="method",
        shape=_turned,
        section="shape",
        latex=r"\operatorname{rot90}(\self)",
        derivatives={"self": r"\operatorname{rot90}(g, -\k)"},
        samples=(((M23,), {}), ((M23, 2, (1, 0)), {}), ((ones(2, 3, 1), -1, (0, 2)), {})),
        bad_samples=(((V3,), {}, "RuntimeError", "expected total dims >= 2, but got total dims = 1"),),
    )
)


# Names for what real tensors already are


def _itself(name: str, with_out: bool = False, **places: Any) -> None:
    """An operator that gives real tensors back as they are."""
    register(
        Record(
            name=name,
            inputs=("self",),
            promotes="none",
            forward=lambda self: self,
            compose=lambda o, self: self,
            signatures=(f"{name}(Tensor input, *, Tensor out=None)" if with_out else f"{name}(Tensor input)",),
            style="method",
            shape=same,
            section="shape",
            hidden=True,
            part_of="clone",
            **places,
        )
    )


register(
    Record(
        name="conj_physical_",
        inputs=("self",),
        promotes="none",
        forward=lambda self: self,
        vjps={"self": lambda o, g: g},
        grad_fn="ConjPhysicalBackward1",
        writes="self",
        method="conj_physical_",
        style="method",
        shape=same,
        section="in-place",
        hidden=True,
        part_of="clone",
    )
)

for _name in ("conj", "resolve_conj", "resolve_neg", "conj_physical", "real"):
    _method = None if _name == "real" else _name
    _itself(_name, _name == "conj_physical", function=f"torch.{_name}", method=_method)
