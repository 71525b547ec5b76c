"""PyTorch's way of writing a tensor as text, for numpy arrays.

Every number of a tensor is written in one of four manners, chosen once for the whole tensor: integers and booleans as
they are; floats as whole numbers (``5.``), with a fixed number of decimals (``6.5000``), or scientifically
(``1.0000e-05``). The finite non-zero values alone decide the manner and the column width; zeros, infinities and NaN
follow. A tensor with more elements than the threshold shows only the edges of each dimension.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# A fixed number of decimals stops being readable beyond these, so PyTorch turns scientific.
LARGEST_SPREAD = 1000.0
LARGEST_FIXED = 1.0e8
SMALLEST_FIXED = 1.0e-4


@dataclass(slots=True)
class PrintOptions:
    """How tensors are written; ``sci_mode`` None lets each tensor decide for itself."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


options = PrintOptions()
"""The options in force, changed by :func:`set_printoptions`."""

PROFILES: dict[str, tuple[int, float, int, int]] = {
    "default": (4, 1000, 3, 80),
    "short": (2, 1000, 2, 80),
    "full": (4, math.inf, 3, 80),
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors are written from now on; ``sci_mode`` is reset by every call that does not name it.

    An unknown profile changes nothing, as in PyTorch.
    """
    if profile in PROFILES:
        options.precision, options.threshold, options.edgeitems, options.linewidth = PROFILES[profile]
    if precision is not None:
        options.precision = precision
    if threshold is not None:
        options.threshold = threshold
    if edgeitems is not None:
        options.edgeitems = edgeitems
    if linewidth is not None:
        options.linewidth = linewidth
    options.sci_mode = sci_mode


def tensor_text(
    array: np.ndarray,
    *,
    dtype_name: str | None = None,
    requires_grad: bool = False,
    grad_fn: str | None = None,
    default_dtype: str = "float32",
    prefix: str = "tensor",
) -> str:
    """What PyTorch prints for a tensor holding ``array``, e.g. ``tensor([1.], requires_grad=True)``.

    ``dtype_name`` is the dtype without ``torch.``, the array's own when None; ``grad_fn`` the name of the function
    that made the tensor, without brackets; ``prefix`` the name of its class if that is a
    subclass. Raises TypeError for arrays that are neither numbers nor booleans.
    """
    suffixes = _array_suffixes(array, dtype_name or array.dtype.name, default_dtype)
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    start = f"{prefix}("
    return _with_suffixes(start + _contents(array, len(start)), suffixes, len(start))


def values_text(array: np.ndarray) -> str:
    """The values as PyTorch writes them, without ``tensor( )`` and suffixes: ``[5.]``, ``6.``."""
    return _contents(array, 0)


def scalar_text(value: float | np.generic) -> str:
    """One number as PyTorch writes it in a 0-d tensor: ``6.``, ``6.5000``, ``3``, ``True``."""
    return _texts([value.item() if isinstance(value, np.generic) else value])[0][0]


def _array_suffixes(array: np.ndarray, name: str, default_dtype: str) -> list[str]:
    """What has to be said about size and dtype because the values don't show it."""
    suffixes = []
    if (array.size == 0 and array.ndim != 1) or (array.size and not options.edgeitems):
        suffixes.append(f"size={array.shape}")
    plain = (default_dtype,) if array.size == 0 else (default_dtype, "int64", "bool")
    if name not in plain:
        suffixes.append(f"dtype=torch.{name}")
    return suffixes


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """``text`` with its suffixes and the closing bracket, a new line before each that would not fit."""
    # PyTorch counts one column more than there is on the first line; its line breaks depend on it.
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if column + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text + ")"


def _contents(array: np.ndarray, indent: int) -> str:
    """The bracketed values, for a place that is ``indent`` columns from the left."""
    if array.dtype.kind not in "fiub":
        raise TypeError(f"a tensor holds real numbers or booleans, not {array.dtype}")
    if array.size == 0:
        return "[]"
    summarize = array.size > options.threshold
    if summarize and array.ndim:
        if not options.edgeitems:
            return "[...]"
        whole, array = array.shape, _edges(array)
        cuts = [full > 2 * options.edgeitems for full in whole]
    else:
        cuts = [False] * array.ndim
    texts, width = _texts(array.ravel().tolist())
    return texts[0] if array.ndim == 0 else _nested(texts, width, array.shape, cuts, indent)


def _edges(array: np.ndarray) -> np.ndarray:
    """The first and last ``edgeitems`` of every dimension longer than both together."""
    n = options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * n:
            array = np.take(array, [*range(n), *range(length - n, length)], axis=axis)
    return array


def _texts(values: list[float]) -> tuple[list[str], int]:
    """Every value as text, right-aligned, and the width aligned to, which zeros, infinities and NaN may exceed."""
    if not isinstance(values[0], float):
        texts = [str(value) for value in values]
        width = max(map(len, texts))
        return [text.rjust(width) for text in texts], width
    decisive = [value for value in values if value and math.isfinite(value)]
    if not decisive:
        return [_whole_text(value) for value in values], 1
    write = _manner(decisive)
    width = max(len(write(value)) for value in decisive)
    return [write(value).rjust(width) for value in values], width


def _manner(decisive: list[float]) -> Callable[[float], str]:
    """The function that writes every float of a tensor whose finite non-zero values are ``decisive``."""
    sizes = [abs(value) for value in decisive]
    if _is_scientific(min(sizes), max(sizes)):
        return f"{{:.{options.precision}e}}".format
    if all(value.is_integer() for value in decisive):
        return _whole_text
    return f"{{:.{options.precision}f}}".format


def _is_scientific(smallest: float, largest: float) -> bool:
    """Whether magnitudes from ``smallest`` to ``largest`` are written with an exponent."""
    if options.sci_mode is not None:
        return options.sci_mode
    return largest > LARGEST_FIXED or smallest < SMALLEST_FIXED or largest / smallest > LARGEST_SPREAD


def _whole_text(value: float) -> str:
    """A float without decimals and with its point, ``5.``; infinities and NaN have none."""
    return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"


def _nested(texts: list[str], width: int, shape: tuple[int, ...], cuts: list[bool], indent: int) -> str:
    """Texts in the brackets of ``shape``; ``cuts`` tells the dimensions whose middle is left out."""
    if len(shape) == 1:
        return _row(texts, width, cuts[0], indent)
    size = len(texts) // shape[0]
    starts = range(0, len(texts), size)
    parts = [_nested(texts[start : start + size], width, shape[1:], cuts[1:], indent + 1) for start in starts]
    if cuts[0]:
        parts.insert(options.edgeitems, "...")
    between = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return "[" + between.join(parts) + "]"


def _row(texts: list[str], width: int, cut: bool, indent: int) -> str:
    """One innermost row, broken into lines that fit the line width."""
    if cut:
        texts = [*texts[: options.edgeitems], " ...", *texts[options.edgeitems :]]
    per_line = max(1, math.floor((options.linewidth - indent) / (width + 2)))
    lines = [", ".join(texts[start : start + per_line]) for start in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
