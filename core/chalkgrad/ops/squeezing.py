"""Dimensions of size 1 taken away and put in, and the operators that lay a tensor anew over its memory in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, counter_of, new_tensor, state
from chalkgrad.engine.graph import Node, number_first
from chalkgrad.engine.inplace import check_inference, check_writable
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.plans import plan_of
from chalkgrad.engine.record import OPS, Attribute, Record, integers
from chalkgrad.engine.recording import announce_node, compute, edges_of, unattached_node
from chalkgrad.engine.shapes import COUNTLESS, wrap_dim, wrap_dims
from chalkgrad.engine.storage import InferenceCounter
from chalkgrad.ops.composing import through
from chalkgrad.ops.samples import M23, V3, ones

Shape = tuple[int, ...]

_DIM = Attribute("dim", "int", required=True)
_DIMS = Attribute("dim", "size", required=True)


# Put in


def _unsqueezed(self: Shape, dim: int) -> Shape:
    axis = wrap_dim(dim, len(self) + 1)
    return (*self[:axis], 1, *self[axis:])


def _unsqueeze(self: np.ndarray, dim: int) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim + 1)
    step = self.shape[axis] * self.strides[axis] if axis < self.ndim else self.itemsize
    strides = (*self.strides[:axis], step, *self.strides[axis:])
    made = self.reshape(_unsqueezed(self.shape, dim))  # never a copy
    return made if made.strides == strides else np.lib.stride_tricks.as_strided(made, made.shape, strides)


def _unsqueeze_record(name: str, grad_fn: str, **more: Any) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(_DIM,),
            promotes="none",
            forward=_unsqueeze,
            vjps={"self": lambda o, g, dim: o.squeeze_dim(g, dim)},
            grad_fn=grad_fn,
            shape=_unsqueezed,
            section="shape",
            latex=r"\self",
            derivatives={"self": "1"},
            samples=(((M23, 1), {}), ((V3, -1), {})),
            **more,
        )
    )


_unsqueeze_record(
    "unsqueeze",
    "UnsqueezeBackward0",
    view=True,
    function="torch.unsqueeze",
    method="unsqueeze",
    signatures=("unsqueeze(Tensor input, int dim)",),
    style="method",
    bad_samples=(
        (
            (V3, 2),
            {},
            "IndexError",
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
        ),
    ),
)
_unsqueeze_record("unsqueeze_in_place", "UnsqueezeBackward1", hidden=True, part_of="unsqueeze")


# Taken away


def _without(self: Shape, dims: Shape) -> Shape:
    return tuple(size for axis, size in enumerate(self) if size != 1 or axis not in dims)


def _all_squeezed(self: Shape) -> Shape:
    return _without(self, tuple(range(len(self))))


def _squeezed(self: Shape, dim: int | Shape) -> Shape:
    if isinstance(dim, tuple):
        return _without(self, wrap_dims(dim, len(self)) if dim else ())
    return _without(self, (wrap_dim(dim, len(self)),))


def _squeeze(self: np.ndarray, dim: int | Shape) -> np.ndarray:
    kept = _squeezed(self.shape, dim)  # checks dim
    if len(kept) == self.ndim:
        return self[...]
    dims = [wrap_dim(one, self.ndim) for one in (dim if isinstance(dim, tuple) else (dim,))]
    return np.squeeze(self, tuple(axis for axis in dims if self.shape[axis] == 1))


def unsqueezed_to(o: Any, g: Any, sizes: Shape, dim: int | Shape | None) -> Any:
    """``g`` with the dimensions ``dim`` back, those of them that squeezing took away; None stands for all."""
    dims = wrap_dims(dim, len(sizes)) if dim is None or dim != () else ()
    for axis in sorted(dims):
        if sizes and sizes[axis] == 1:
            g = o.unsqueeze(g, axis)
    return g


def _squeeze_record(name: str, grad_fn: str, view: bool, dims: Attribute | None) -> None:
    """PyTorch has derivatives of their own for squeezing all, one, and several dimensions, as a view and in place."""
    if dims is None:
        register(
            Record(
                name=name,
                inputs=("self",),
                promotes="none",
                forward=np.squeeze,
                vjps={"self": lambda o, g, self_sym_sizes: unsqueezed_to(o, g, self_sym_sizes, None)},
                grad_fn=grad_fn,
                shape=_all_squeezed,
                section="shape",
                view=view,
                hidden=True,
                part_of="squeeze",
                samples=(((ones(2, 1, 3, 1),), {}),),
            )
        )
        return
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(dims,),
            promotes="none",
            forward=_squeeze,
            vjps={"self": lambda o, g, self_sym_sizes, dim: unsqueezed_to(o, g, self_sym_sizes, dim)},
            grad_fn=grad_fn,
            shape=_squeezed,
            section="shape",
            view=view,
            hidden=True,
            part_of="squeeze",
            samples=(((ones(2, 1, 3), 1 if dims is _DIM else (1,)), {}),),
        )
    )


for _number, (_suffix, _dims) in enumerate((("all", None), ("dim", _DIM), ("dims", _DIMS))):
    _squeeze_record(f"squeeze_{_suffix}", f"SqueezeBackward{_number}", True, _dims)
    _place = "squeeze_in_place" if _suffix == "dim" else f"squeeze_{_suffix}_in_place"
    _squeeze_record(_place, f"SqueezeBackward{_number + 3}", False, _dims)


def _any_squeeze(o: Any, self: Any, dim: int | Shape | None = None) -> Any:
    if dim is None:
        return o.squeeze_all(self)
    return o.squeeze_dims(self, dim) if isinstance(dim, tuple) else o.squeeze_dim(self, dim)


register(
    Record(
        name="squeeze",
        inputs=("self",),
        attributes=(Attribute("dim", "dim", None),),
        promotes="none",
        forward=through(_any_squeeze),
        compose=_any_squeeze,
        grad_fn="SqueezeBackward0",
        function="torch.squeeze",
        method="squeeze",
        signatures=(
            "squeeze(Tensor input)",
            "squeeze(Tensor input, int dim)",
            "squeeze(Tensor input, int[] dim)",
        ),
        style="method",
        shape=lambda self, dim=None: _all_squeezed(self) if dim is None else _squeezed(self, dim),
        section="shape",
        latex=r"\self",
        derivatives={"self": "1"},
        samples=(((ones(2, 1, 3, 1),), {}), ((ones(2, 1, 3), 1), {}), ((ones(1, 2, 1), (0, 2)), {})),
        bad_samples=(
            (
                (V3, 1),
                {},
                "IndexError",
                "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
            ),
        ),
    )
)


# Laid anew over its memory


def lay_anew(piece: str, target: TensorBase, attributes: dict[str, Any]) -> TensorBase:
    """Make of ``target`` what operator ``piece`` makes of it, in place: other sizes and strides on the same memory."""
    record = OPS[piece]
    recorded = state.grad and requires_grad_of(target) and type(target.counter) is not InferenceCounter
    if recorded:
        check_writable(target)
    plan = plan_of(record)
    array = compute(plan, [target.array], attributes)[0]
    node = None
    if recorded:
        node = unattached_node(plan, edges_of(plan, (target,)), (target,), attributes, (new_tensor(array),))
        if state.renewed:
            number_first(node)
    counter = counter_of(target)
    if state.observer is not None:
        state.observer.about_to_write(target)
    target.array = array
    try:
        check_inference(target)
        counter.version += 1
    finally:
        if state.observer is not None:
            state.observer.wrote(target)
    if node is not None:
        _now_made_by(node, target, counter.version)
        announce_node(node, (target,), (target,))
        if state.observer is not None:
            state.observer.flags_changed(target)
    return target


def _now_made_by(node: Node, target: TensorBase, version: int) -> None:
    """Make ``node`` the grad_fn of ``target``, whose hooks and kept gradient remain those of what it was."""
    target.node = node
    if target.meta is not None:
        target.meta.output_nr = 0
        if target.meta.view is not None:
            target.meta.view.version = version  # its values are the base's still, so the base stays as it is


def _turning_record(name: str, like: str, grad_fn: str, shape: Any = None) -> None:
    """The node that an in-place operator leaves, which differs from that of the view ``like`` in its name.

    ``shape`` is its shape rule where it refuses in other words.
    """
    old = OPS[like]
    register(
        Record(
            name=name,
            inputs=old.inputs,
            attributes=old.attributes,
            promotes="none",
            forward=old.forward,
            vjps=old.vjps,
            grad_fn=grad_fn,
            fills=old.fills,
            shape=shape or old.shape,
            section="shape",
            hidden=True,
            part_of=old.part_of or like,
        )
    )


def _turned_in_place(self: Shape) -> Shape:
    if len(self) > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {len(self)}D")
    return self[::-1]


def _strided_in_place(self: Shape, size: Shape, stride: Shape, storage_offset: int | None = None) -> Shape:
    if len(size) == len(stride) and min(size, default=0) < 0 <= min((*stride, storage_offset or 0)):
        raise RuntimeError(COUNTLESS)
    return size


_turning_record("t_in_place", "t", "TBackward1", _turned_in_place)
_turning_record("transpose_in_place", "transpose", "TransposeBackward1")
_turning_record("as_strided_in_place", "as_strided", "AsStridedBackward1", _strided_in_place)


def _in_place(
    name: str, attributes: tuple[Attribute, ...], piece: str, *signatures: str, function: bool = False
) -> None:
    def compose(o: Any, self: TensorBase, **given: Any) -> TensorBase:
        renamed = zip((attribute.name for attribute in OPS[piece].attributes), given.values(), strict=True)
        return lay_anew(piece, self, dict(renamed))

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=attributes,
            writes="self",
            promotes="none",
            forward=OPS[piece].forward,
            compose=compose,
            function=f"torch.{name}" if function else None,
            method=name,
            signatures=signatures,
            style="method",
            section="in-place",
            hidden=True,
            part_of=OPS[piece].part_of,
        )
    )


def _squeeze_in_place(o: Any, self: TensorBase, dim: int | Shape | None = None) -> TensorBase:
    if dim is None:
        return lay_anew("squeeze_all_in_place", self, {})
    return lay_anew("squeeze_dims_in_place" if isinstance(dim, tuple) else "squeeze_in_place", self, {"dim": dim})


register(
    Record(
        name="squeeze_",
        inputs=("self",),
        attributes=(Attribute("dim", "dim", None),),
        writes="self",
        promotes="none",
        forward=np.squeeze,
        compose=_squeeze_in_place,
        method="squeeze_",
        signatures=("Tensor.squeeze_()", "Tensor.squeeze_(int dim)", "Tensor.squeeze_(int[] dim)"),
        style="method",
        section="in-place",
        hidden=True,
        part_of="squeeze",
    )
)


_in_place("unsqueeze_", (_DIM,), "unsqueeze_in_place", "Tensor.unsqueeze_(int dim)")
_in_place("t_", (), "t_in_place", "Tensor.t_()")
_in_place("transpose_", integers("dim0", "dim1"), "transpose_in_place", "Tensor.transpose_(int dim0, int dim1)")
_in_place("swapdims_", integers("dim0", "dim1"), "transpose_in_place", "Tensor.swapdims_(int dim0, int dim1)")
_in_place("swapaxes_", integers("axis0", "axis1"), "transpose_in_place", "Tensor.swapaxes_(int axis0, int axis1)")
_in_place(
    "as_strided_",
    OPS["as_strided"].attributes,
    "as_strided_in_place",
    "as_strided_(Tensor input, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)",
    function=True,
)
