"""``torch.testing``: comparing tensors, with PyTorch's reports of what differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import dtype_of, promote_types
from chalkgrad.engine.size import Size
from chalkgrad.engine.storage import element_strides

__all__ = ["assert_close"]

TOLERANCES = {"float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}
"""Relative and absolute tolerance by dtype; other dtypes must be equal."""


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """AssertionError, saying what and where, unless ``actual`` and ``expected`` are nearly equal."""
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    tolerances = None if rtol is None or atol is None else (rtol, atol)
    try:
        _compare(actual, expected, _Rules(tolerances, equal_nan, check_dtype, check_stride), ())
    except AssertionError as error:
        if msg is None:
            raise
        raise AssertionError(msg(str(error)) if callable(msg) else msg) from None


class _Rules:
    """How strictly is compared."""

    __slots__ = ("check_dtype", "check_stride", "equal_nan", "tolerances")

    def __init__(
        self, tolerances: tuple[float, float] | None, equal_nan: bool, check_dtype: bool, check_stride: bool
    ) -> None:
        self.tolerances = tolerances
        self.equal_nan = equal_nan
        self.check_dtype = check_dtype
        self.check_stride = check_stride

    def for_dtypes(self, *arrays: np.ndarray) -> tuple[float, float]:
        """The tolerances given, or the widest of the dtypes' own."""
        if self.tolerances is not None:
            return self.tolerances
        pairs = [TOLERANCES.get(array.dtype.name, (0.0, 0.0)) for array in arrays]
        return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


def _compare(actual: Any, expected: Any, rules: _Rules, place: tuple[object, ...]) -> None:
    if _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            _fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", place)
        for index, (one, other) in enumerate(zip(actual, expected, strict=True)):
            _compare(one, other, rules, (*place, index))
        return
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            missing, further = (
                sorted(set(expected) - set(actual), key=str),
                sorted(set(actual) - set(expected), key=str),
            )
            text = "The keys of the mappings do not match:\n"
            text += f"Missing keys in the actual mapping: {missing}\n"
            _fail(text + f"Additional keys in the actual mapping: {further}", place)
        for key in actual:
            _compare(actual[key], expected[key], rules, (*place, key))
        return
    if _is_number(actual) and _is_number(expected):
        _compare_numbers(actual, expected, rules, place)
    elif _is_tensor(actual) and _is_tensor(expected):
        _compare_tensors(_array(actual), _array(expected), rules, place)
    elif actual is None and expected is None:
        return
    else:
        raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.")


def _fail(text: str, place: tuple[object, ...]) -> None:
    if place:
        text += "\n\nThe failure occurred for item " + "".join(f"[{index!r}]" for index in place)
    raise AssertionError(text)


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float)


def _is_tensor(value: object) -> bool:
    return isinstance(value, TensorBase | np.ndarray | np.generic)


def _array(value: Any) -> np.ndarray:
    return value.array if isinstance(value, TensorBase) else np.asarray(value)


def _compare_numbers(actual: Any, expected: Any, rules: _Rules, place: tuple[object, ...]) -> None:
    whole = not isinstance(actual, float) and not isinstance(expected, float)
    rtol, atol = rules.tolerances or ((0.0, 0.0) if whole else TOLERANCES["float64"])
    if bool(np.isclose(np.float64(actual), np.float64(expected), rtol, atol, rules.equal_nan)):
        return
    gap = abs(actual - expected)
    _fail(_of_numbers(actual, expected, gap, gap / abs(expected) if expected else float("inf"), rtol, atol), place)


def _of_numbers(actual: Any, expected: Any, gap: Any, ratio: Any, rtol: float, atol: float) -> str:
    kind = "close" if rtol or atol else "equal"
    lines = [f"Scalars are not {kind}!\n", f"Expected {expected} but got {actual}."]
    lines.append(f"Absolute difference: {gap}" + _allowed(atol, kind))
    lines.append(f"Relative difference: {ratio}" + _allowed(rtol, kind))
    return "\n".join(lines)


def _allowed(tolerance: float, kind: str) -> str:
    return f" (up to {tolerance} allowed)" if kind == "close" else ""


def _compare_tensors(actual: np.ndarray, expected: np.ndarray, rules: _Rules, place: tuple[object, ...]) -> None:
    facts: list[tuple[str, Any, Any]] = [("shape", Size(actual.shape), Size(expected.shape))]
    if rules.check_stride:
        facts.append(("stride()", element_strides(actual), element_strides(expected)))
    if rules.check_dtype:
        facts.append(("dtype", dtype_of(actual), dtype_of(expected)))
    for name, one, other in facts:
        if one != other:
            _fail(f"The values for attribute '{name}' do not match: {one} != {other}.", place)
    rtol, atol = rules.for_dtypes(actual, expected)
    common = promote_types(dtype_of(actual), dtype_of(expected)).numpy
    one, other = actual.astype(common), expected.astype(common)
    close = one == other
    if common.kind == "f":
        close = np.isclose(one, other, rtol, atol, rules.equal_nan)
    if close.all():
        return
    _fail(_of_tensors(one, other, close, rtol, atol), place)


def _of_tensors(one: np.ndarray, other: np.ndarray, close: np.ndarray, rtol: float, atol: float) -> str:
    if one.dtype.kind == "b":
        one, other = one.astype(np.int64), other.astype(np.int64)
    gaps = np.abs(one - other)
    ratios = gaps / np.abs(other).astype(one.dtype if one.dtype.kind == "f" else np.float32)
    if one.dtype.kind != "f":
        ratios = ratios.astype(np.float32)
    if one.ndim == 0:
        return _of_numbers(one.item(), other.item(), gaps.item(), ratios.item(), rtol, atol)
    kind = "close" if rtol or atol else "equal"
    wrong = int((~close).sum())
    lines = [f"Tensor-likes are not {kind}!\n"]
    lines.append(f"Mismatched elements: {wrong} / {close.size} ({wrong / close.size:.1%})")
    for title, values, tolerance in (("absolute", gaps, atol), ("relative", ratios, rtol)):
        masked = np.where(close, np.zeros((), values.dtype), values)
        place = np.unravel_index(int(np.argmax(masked)), values.shape)
        index = tuple(int(number) for number in place)
        lines.append(f"Greatest {title} difference: {masked[place].item()} at index {index}{_allowed(tolerance, kind)}")
    return "\n".join(lines)
