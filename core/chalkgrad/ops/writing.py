"""The in-place operators: those of other operators with their result written into the first input, and filling."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format, storage
from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.engine.size import brackets
from chalkgrad.engine.values import check_fits
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.samples import M23, MISMATCH, V2, V3, S, ones

_OUT = re.compile(r", (?:\*, )?Tensor(?:\[\d\])? out=None")


def _fits(record: Record, args: tuple[Any, ...], kwargs: Any) -> bool:
    """True for a sample whose result has the shape of the first input, so that it can be written there."""
    shapes = [None if value is None else np.shape(value) for value in args[: len(record.inputs)]]
    if not isinstance(args[0], np.ndarray) or record.shape is None:
        return False
    names = [attribute.name for attribute in record.attributes]
    given = dict(zip(names, args[len(record.inputs) :], strict=False)) | kwargs
    return bool(record.shape(*shapes, **given) == shapes[0])


def written_signatures(record: Record) -> tuple[str, ...]:
    """How the in-place form of ``record`` may be called: its methods, with the in-place forms of their targets."""
    texts = [_OUT.sub("", text) for text in record.signatures if not text.startswith("torch.")]
    return tuple(f"{text}_" if "->" in text else text for text in texts)


def in_place(name: str, **fields: Any) -> Record:
    """Register the in-place form of operator ``name``: same derivatives, spelled with an underscore, a method.

    ``fields`` are those that differ: ``function=True`` where PyTorch has it as a function too.
    """
    record = OPS[name]
    if fields.pop("function", False):
        fields["function"] = f"{record.function}_"
    visible = not fields.get("hidden", record.hidden)
    defaults: dict[str, Any] = {
        "name": f"{name}_",
        "writes": record.inputs[0],
        "numbers": record.numbers - {record.inputs[0]},
        "function": None,
        "method": None if record.method is None else f"{record.method}_",
        "symbol": None,
        "style": "method",
        "section": "in-place",
        "said": (),
        "aliases": tuple(f"{alias}_" for alias in record.aliases),
        "signatures": written_signatures(record),
        "part_of": None if record.part_of is None else f"{record.part_of}_",
        "samples": tuple(sample for sample in record.samples if _fits(record, *sample)),
        "bad_samples": (
            (((V2, V3), {}, "RuntimeError", MISMATCH),) if visible and record.inputs == ("self", "other") else ()
        ),
    }
    return register(record._replace(**(defaults | fields)))


register(
    Record(
        name="zero_",
        inputs=("self",),
        writes="self",
        promotes="none",
        forward=lambda self: np.zeros((), self.dtype),
        vjps={"self": lambda o, g: o.zeros_of(g, tuple(g.shape))},
        grad_fn="ZeroBackward0",
        function="torch.zero_",
        method="zero_",
        style="method",
        shape=same,
        section="in-place",
        latex="0",
        derivatives={"self": "0"},
        samples=(((M23,), {}), ((V3,), {})),
    )
)


def _fill(o: Any, self: Any, value: Any) -> Any:
    return o.fill_tensor_(self, value) if hasattr(value, "array") else o.fill_number_(self, value)


register(
    Record(
        name="fill_",
        inputs=("self", "value"),
        numbers=frozenset({"value"}),
        writes="self",
        promotes="none",
        forward=lambda self, value: np.broadcast_to(value, self.shape),
        compose=_fill,
        grad_fn="FillBackward2",
        function="torch.fill_",
        method="fill_",
        style="method",
        shape=lambda self, value: self,
        section="in-place",
        latex=r"\value",
        derivatives={"self": "0", "value": "1"},
        samples=(((V3, 2.5), {}), ((M23, 1), {})),
        bad_samples=(
            (
                (V2, V3),
                {},
                "RuntimeError",
                "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.",
            ),
        ),
    )
)

register(
    Record(
        name="fill_number_",
        inputs=("self",),
        attributes=(Attribute("value", "number", required=True),),
        writes="self",
        promotes="none",
        forward=lambda self, value: np.asarray(check_fits(value, dtype_of(self))),
        vjps={"self": lambda o, g: o.zeros_of(g, tuple(g.shape))},
        grad_fn="FillBackward2",
        shape=lambda self, value: self,
        section="in-place",
        latex=r"\value",
        derivatives={"self": "0"},
        hidden=True,
        part_of="fill_",
    )
)


def _filled(self: np.ndarray, value: Any) -> np.ndarray:
    """``value`` everywhere, in memory as ``self`` lies in it."""
    found = memory_format.empty_like(self, self.dtype)
    found[...] = value
    return found


def _check_filling(self: np.ndarray, value: np.ndarray) -> None:
    if value.ndim:
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")


register(
    Record(
        name="fill_tensor_",
        inputs=("self", "value"),
        writes="self",
        promotes="none",
        forward=lambda self, value: value,
        vjps={"self": lambda o, g: o.zeros_of(g, tuple(g.shape)), "value": lambda o, g: o.sum(g)},
        grad_fn="FillBackward3",
        shape=lambda self, value: self,
        check=_check_filling,
        section="in-place",
        latex=r"\value",
        derivatives={"self": "0", "value": "1"},
        hidden=True,
        part_of="fill_",
    )
)


register(
    Record(
        name="fill",
        inputs=("self", "value"),
        promotes="none",
        forward=_filled,
        vjps={"self": lambda o, g: o.zeros_of(g, tuple(g.shape)), "value": lambda o, g: o.sum(g)},
        signatures=("fill(Tensor input, Tensor value)", "fill(Tensor input, Scalar value) -> fill_number"),
        grad_fn="FillBackward1",
        function="torch.fill",
        shape=lambda self, value: self,
        check=_check_filling,
        section="shape",
        latex=r"\value",
        derivatives={"self": "0", "value": "1"},
        samples=(((M23, S), {}), ((V3, S), {})),
        bad_samples=(
            (
                (V2, V3),
                {},
                "RuntimeError",
                "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.",
            ),
        ),
    )
)
register(
    Record(
        name="fill_number",
        inputs=("self",),
        attributes=(Attribute("value", "number", required=True),),
        promotes="none",
        forward=lambda self, value: _filled(self, check_fits(value, dtype_of(self))),
        vjps={"self": lambda o, g: o.zeros_of(g, tuple(g.shape))},
        grad_fn="FillBackward0",
        shape=lambda self, value: self,
        section="shape",
        latex=r"\value",
        derivatives={"self": "0"},
        hidden=True,
        part_of="fill",
        samples=(((M23, 2.5), {}),),
    )
)


def _copied_shape(self: tuple[int, ...], src: tuple[int, ...]) -> tuple[int, ...]:
    shape = broadcast(self, src)
    if shape != self:
        raise RuntimeError(f"output with shape {brackets(self)} doesn't match the broadcast shape {brackets(shape)}")
    return self


def _copied(self: np.ndarray, src: np.ndarray) -> np.ndarray:
    """What lies in the memory that is written is read as it is by then, unless whole pieces of memory are copied."""
    memory = storage.owner(self)
    if not self.ndim or storage.owner(src) is not memory:
        return src
    kept = memory.copy(order="K")
    target, source = (
        storage.as_strided(kept, array.shape, storage.element_strides(array), storage.storage_offset(array))
        for array in (self, np.broadcast_to(src, self.shape))
    )
    order = np.argsort(self.strides)[::-1]
    for place in np.ndindex(target.transpose(order).shape):
        target.transpose(order)[place] = source.transpose(order)[place]
    return target


def _copy_gradient(o: Any, g: Any, src_args_info: Any) -> Any:
    """The gradient of what was copied, in its dtype before anything is summed over what it was repeated for."""
    dtype = src_args_info[1]
    return g if array_in(g).dtype == dtype else o.to_copy(g, dtype)


register(
    Record(
        name="copy_",
        inputs=("self", "src"),
        writes="self",
        promotes="none",
        forward=_copied,
        vjps={"self": lambda o, g: o.zeros_in_order(g, tuple(g.shape)), "src": _copy_gradient},
        grad_fn="CopyBackwards",
        method="copy_",
        style="method",
        shape=_copied_shape,
        section="in-place",
        latex=r"\src",
        derivatives={"self": "0", "src": "1"},
        samples=(((V3, V3), {}), ((M23, V3), {})),
        bad_samples=(
            (
                (ones(2), ones(3)),
                {},
                "RuntimeError",
                "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
            ),
        ),
    )
)
