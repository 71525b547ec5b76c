"""How often values occur, and where one would be put: bincount, histc, searchsorted, isin."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, dtype_of, exact, result_type
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.engine.size import brackets
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.overloads import not_implemented, underivable
from chalkgrad.ops.samples import V3

Shape = tuple[int, ...]
Three = tuple[np.ndarray, np.ndarray, np.ndarray]

OUT_INT32 = Attribute("out_int32", "bool", False, positional=False)
RIGHT = Attribute("right", "bool", False, positional=False)


# bincount and histc


def _bincount(self: np.ndarray, weights: np.ndarray | None = None, minlength: int = 0) -> np.ndarray:
    if self.dtype.kind not in "iu":
        raise not_implemented("bincount_cpu", self.dtype)
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.ndim != 1 or (self.size and self.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    check_size((max(int(self.max()) + 1 if self.size else 0, minlength),), 8)
    if weights is None:
        return np.bincount(self, minlength=minlength).astype(np.int64)
    if weights.shape != self.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    dtype = weights.dtype if weights.dtype == np.float32 else np.dtype(np.float64)
    return np.bincount(self, weights, minlength).astype(dtype)


register(
    Record(
        name="bincount",
        inputs=("self", "weights"),
        optional=frozenset({"weights"}),
        attributes=(Attribute("minlength", "int", 0),),
        promotes="none",
        forward=_bincount,
        vjps={"weights": underivable("bincount")},
        signatures=("bincount(Tensor input, Tensor? weights=None, SymInt minlength=0)",),
        grad_fn="NotImplemented",
        function="torch.bincount",
        method="bincount",
        style="method",
        section="reduce",
        latex=r"\#\{j : {\self}_j = n\}",
        derivatives={"weights": r"[\cdot]"},
        samples=(((np.array([0, 2, 2]), None), {}),),
    )
)


def _histc(self: np.ndarray, bins: int = 100, min: Any = 0, max: Any = 0) -> np.ndarray:
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    check_size((bins + 1,), self.itemsize)
    low, high = (self.min().item(), self.max().item()) if min == max and self.size else (min, max)
    if low == high:
        low, high = low - 1, high + 1
    if not np.isfinite((float(low), float(high))).all():
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if self.dtype.kind == "b":
        raise not_implemented("linspace_cpu", self.dtype)
    low, high = (exact(float(end), dtype_of(self)) for end in (low, high))
    if self.dtype.kind != "f":
        raise not_implemented("histogram_cpu", self.dtype)
    inside = self[(self >= low) & (self <= high)]
    places = ((inside - low) * self.dtype.type(bins) / (high - low)).astype(np.int64)  # rounded as PyTorch does
    return np.bincount(np.minimum(places, bins - 1), minlength=bins).astype(self.dtype)


register(
    Record(
        name="histc",
        inputs=("self",),
        attributes=(Attribute("bins", "int", 100), Attribute("min", "number", 0), Attribute("max", "number", 0)),
        promotes="none",
        forward=_histc,
        signatures=("histc(Tensor input, int bins=100, Scalar min=0, Scalar max=0, *, Tensor out=None)",),
        function="torch.histc",
        method="histc",
        style="method",
        section="reduce",
        latex=r"\#\{j : {\self}_j \in I_n\}",
        samples=(((V3, 3), {}),),
    )
)


# searchsorted and bucketize


def _side(right: bool, side: str | None) -> Any:
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        )
    return "right" if right or side == "right" else "left"


_LINES = {"input value": 32, "boundary": 38, "sorter": 44}


def _warn_scattered(given: dict[str, np.ndarray | None]) -> None:
    """PyTorch's warning for what has to be copied first; the arrays are named as in ``_LINES``."""
    for name, array in given.items():
        if array is not None and not array.flags.c_contiguous:
            warn_once(
                f"torch.searchsorted(): {name} tensor is non-contiguous, this will lower the performance due to extra "
                f"data copy when converting non-contiguous tensor to contiguous, please use contiguous {name} tensor "
                "if possible. This message will only appear once per program. (Triggered internally at "
                f"/__w/pytorch/pytorch/aten/src/ATen/native/BucketizationUtils.h:{_LINES[name]}.)"
            )


def _check_sorter(sorter: np.ndarray) -> None:
    if sorter.dtype != np.int64:
        raise RuntimeError(
            f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {dtype_of(sorter).scalar_type}"
        )
    if sorter.size and not (sorter.min() >= 0 and sorter.max() < sorter.shape[-1]):
        raise RuntimeError("torch.searchsorted(): sorter index out of range")


def _check_searched(sorted_sequence: np.ndarray, values: np.ndarray, sorter: np.ndarray | None) -> None:
    """Raise where boundaries, values and sorter don't fit together, in PyTorch's order."""
    if sorter is not None and sorter.shape != sorted_sequence.shape:
        raise RuntimeError(
            "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor "
            f"{brackets(sorted_sequence.shape)}and got sorter tensor {brackets(sorter.shape)}"
        )
    if sorter is not None:
        _check_sorter(sorter)
    if not values.ndim and sorted_sequence.ndim != 1:
        raise RuntimeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
            f"boundaries tensor dim({sorted_sequence.ndim}) and input value's dim(0) numel(1)"
        )
    if not sorted_sequence.ndim:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if sorted_sequence.ndim != 1 and (
        sorted_sequence.shape[:-1] != values.shape[:-1] or values.ndim != sorted_sequence.ndim
    ):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
            f"tensor and input value tensor must match, but we got boundaries tensor {brackets(sorted_sequence.shape)} "
            f"and input value tensor {brackets(values.shape)}"
        )
    if values.size and values.dtype.kind == "b" and sorted_sequence.dtype.kind == "b":
        raise not_implemented("searchsorted_out_cpu", values.dtype)


def _searchsorted(
    sorted_sequence: np.ndarray,
    self: Any,
    sorter: np.ndarray | None = None,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
) -> np.ndarray:
    values = np.asarray(self)
    where = _side(right, side)
    _check_searched(sorted_sequence, values, sorter)
    if values.size:
        _warn_scattered({"input value": values, "boundary": sorted_sequence, "sorter": sorter})
    if sorter is not None:
        sorted_sequence = np.take_along_axis(sorted_sequence, sorter, -1)
    dtype = np.int32 if out_int32 else np.int64
    if sorted_sequence.ndim == 1:
        return _bisected(sorted_sequence, values, where).astype(dtype)
    found = np.empty(values.shape, dtype)
    for place in np.ndindex(*values.shape[:-1]):
        found[place] = _bisected(sorted_sequence[place], values[place], where)
    return found


def _bisected(boundaries: np.ndarray, values: np.ndarray, side: str) -> np.ndarray:
    """Where each value would be put, in PyTorch's steps, which show where the boundaries are not sorted or NaN."""
    before = np.greater_equal if side == "left" else np.greater
    low, high = np.zeros(values.shape, np.int64), np.full(values.shape, len(boundaries))
    while np.any(low < high):
        middle = (low + high) // 2
        inside = low < high
        stays = before(boundaries[np.where(inside, middle, 0)], values)
        low, high = np.where(inside & ~stays, middle + 1, low), np.where(inside & stays, middle, high)
    return low


_OPTIONS = "*, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor out=None"

register(
    Record(
        name="searchsorted",
        inputs=("sorted_sequence", "self", "sorter"),
        numbers=frozenset({"self"}),
        optional=frozenset({"sorter"}),
        attributes=(OUT_INT32, RIGHT, Attribute("side", "choice", None, positional=False, choices=("left", "right"))),
        promotes="none",
        forward=_searchsorted,
        signatures=(
            f"searchsorted(Tensor sorted_sequence, Tensor input, {_OPTIONS})",
            f"searchsorted(Tensor sorted_sequence, Scalar self, {_OPTIONS})",
        ),
        function="torch.searchsorted",
        section="index",
        latex=r"\#\{\sorted_sequence < \self\}",
        samples=(((np.array([1.0, 2.0, 3.0]), V3, None), {}),),
    )
)


def _bucketize(self: Any, boundaries: np.ndarray, out_int32: bool = False, right: bool = False) -> np.ndarray:
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return _searchsorted(boundaries, self, None, out_int32, right)


register(
    Record(
        name="bucketize",
        inputs=("self", "boundaries"),
        numbers=frozenset({"self"}),
        attributes=(OUT_INT32, RIGHT),
        promotes="none",
        forward=_bucketize,
        signatures=(
            "bucketize(Tensor input, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor out=None)",
            "bucketize(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False)",
        ),
        function="torch.bucketize",
        section="index",
        latex=r"\#\{\boundaries < \self\}",
        samples=(((V3, np.array([0.0, 1.0])), {}),),
    )
)


# isin


def _isin(elements: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> np.ndarray:
    if any(np.asarray(given).dtype.kind == "b" for given in (elements, test_elements)):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    few = int(10 * np.size(elements) ** 0.145)
    if isinstance(test_elements, np.ndarray) and test_elements.size < few:  # PyTorch compares with each in turn
        ARRAYS.view(test_elements, (test_elements.size,))
    dtype = result_type((elements, test_elements))
    return np.asarray(np.isin(cast(elements, dtype), cast(test_elements, dtype), invert=invert), order="C")


_FLAGS = "*, bool assume_unique=False, bool invert=False, Tensor out=None"

register(
    Record(
        name="isin",
        inputs=("elements", "test_elements"),
        numbers=frozenset({"elements", "test_elements"}),
        attributes=(
            Attribute("assume_unique", "bool", False, positional=False),
            Attribute("invert", "bool", False, positional=False),
        ),
        promotes="none",
        elementwise=False,
        forward=_isin,
        signatures=(
            f"isin(Tensor elements, Tensor test_elements, {_FLAGS})",
            f"isin(Scalar element, Tensor test_elements, {_FLAGS}) -> isin_element",
            f"isin(Tensor elements, Scalar test_element, {_FLAGS}) -> isin_test_element",
        ),
        function="torch.isin",
        section="compare",
        latex=r"\elements \in \test_elements",
        samples=(((V3, np.array([0.5])), {}),),
    )
)
for _name, _inputs in (("element", ("element", "test_elements")), ("test_element", ("elements", "test_element"))):
    register(
        Record(
            name=f"isin_{_name}",
            inputs=_inputs,
            numbers=frozenset({_name}),
            attributes=(Attribute("assume_unique", "bool", False), Attribute("invert", "bool", False)),
            promotes="none",
            elementwise=False,
            forward=lambda first, second, **options: _isin(first, second, **options),
            section="compare",
            hidden=True,
            part_of="isin",
        )
    )
