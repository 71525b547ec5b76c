"""Random numbers put into the elements of an array, in the order and by the ways in which PyTorch does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.dtype import bool_, dtype_of
from chalkgrad.engine.generator import BLOCK, Generator
from chalkgrad.engine.memory_format import dim_order


def check_kind(array: np.ndarray, kernel: str) -> None:
    """Refuse integers, in the words of the kernel that doesn't know them."""
    if array.dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype_of(array).scalar_type}'")


def fill(array: np.ndarray, drawn: np.ndarray) -> None:
    """Put ``drawn``, one number for each element, into ``array`` in the order of its memory."""
    order = dim_order(array)
    target = array.transpose(order)
    np.copyto(target, drawn.reshape(target.shape), casting="unsafe")


def plain(number: float) -> str:
    """A number as C++ writes it."""
    return f"{float(number):g}"


def draw_uniform(array: np.ndarray, source: Generator, low: float = 0.0, high: float = 1.0) -> None:
    """Uniform numbers from ``low`` on, ``high`` excluded."""
    check_kind(array, "check_uniform_bounds")
    largest = float(np.finfo(array.dtype).max)
    for title, number in (("from", low), ("to", high)):
        if not -largest <= number <= largest:
            raise RuntimeError(f"{title} is out of bounds for {dtype_of(array).cpp}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={plain(low)} > to={plain(high)}"
        )
    if high - low > largest:
        kind_name = "Double" if array.dtype == np.float64 else "Float"
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{kind_name}>::max(), but found to={plain(high)} and "
            f"from={plain(low)} which result in to-from to exceed the limit"
        )
    kind: Any = array.dtype.type
    drawn: Any = source.rand((array.size,), array.dtype)
    # PyTorch's multiplication and addition are fused: nothing is rounded between them.
    wide = np.float64 if array.dtype == np.float32 else np.longdouble
    fill(array, (drawn.astype(wide) * wide(kind(high) - kind(low)) + wide(kind(low))).astype(array.dtype))


def draw_normal(array: np.ndarray, source: Generator, mean: float = 0.0, std: float = 1.0) -> None:
    """Normal numbers; many that lie together are made in blocks, others one pair at a time."""
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {plain(std)}")
    if not array.size:
        return
    check_kind(array, "normal_kernel_cpu")
    if array.size >= BLOCK and array.flags.c_contiguous:
        array[...] = source.randn(array.shape, array.dtype, mean, std)
    else:
        fill(array, source.normals(array.size, mean, std))


def draw_exponential(array: np.ndarray, source: Generator, lambd: float = 1.0) -> None:
    """Exponentially distributed numbers."""
    if not lambd > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={plain(lambd)}")
    if not array.size:
        return
    if array.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {dtype_of(array).scalar_type}"
        )
    fill(array, -1.0 / lambd * np.log1p(-source.doubles(array.size)))


def draw_geometric(array: np.ndarray, source: Generator, p: float) -> None:
    """How many tries there are to the first success."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={plain(p)}")
    if array.dtype.kind == "b" and array.size:
        check_kind(array, "geometric_cpu")
    fill(array, np.ceil(np.log(source.doubles(array.size)) / np.log1p(-p)))


def draw_cauchy(array: np.ndarray, source: Generator, median: float = 0.0, sigma: float = 1.0) -> None:
    """Numbers of Cauchy's distribution."""
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={plain(sigma)}")
    if array.dtype.kind != "f":
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {dtype_of(array).cpp}"
        )
    fill(array, median + sigma * np.tan(np.pi * (source.doubles(array.size) - 0.5)))


def draw_log_normal(array: np.ndarray, source: Generator, mean: float = 1.0, std: float = 2.0) -> None:
    """Numbers whose logarithms are normal."""
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={plain(std)}")
    if not array.size:
        return
    check_kind(array, "log_normal_cpu")
    fill(array, np.exp(source.normals(array.size, mean, std)))


def draw_bernoulli(array: np.ndarray, source: Generator, p: float | np.ndarray = 0.5) -> None:
    """Ones with the probability ``p``, which may be one for each element, and zeros."""
    if not isinstance(p, np.ndarray):
        if not 0 <= p <= 1:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={plain(p)}")
        fill(array, source.doubles(array.size) < p)
        return
    if not array.size:
        return
    if p.dtype.kind != "f":
        raise NotImplementedError(f"\"bernoulli_tensor_cpu_p_\" not implemented for '{dtype_of(p).scalar_type}'")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If "
            "so, please report an enhancement request to PyTorch.)"
        )
    order = dim_order(array)
    chances = np.broadcast_to(p, array.shape).transpose(order)
    fill(array, source.rand((array.size,), p.dtype).reshape(chances.shape) < chances)


def draw_integers(array: np.ndarray, source: Generator, low: int, high: int) -> None:
    """Whole numbers from ``low`` on, ``high`` excluded."""
    raw = source.integers(array.size, high - low)
    fill(array, (raw + np.uint64(low % (1 << 64))).view(np.int64))


def draw_any_integers(array: np.ndarray, source: Generator) -> None:
    """Whole numbers from 0 to the largest that the dtype has without gaps."""
    dtype = dtype_of(array)
    if dtype is bool_:
        most = 1
    elif dtype.is_floating_point:
        most = 1 << int(np.finfo(array.dtype).nmant) + 1
    else:
        most = int(np.iinfo(array.dtype).max)
    fill(array, source.integers(array.size, most + 1, wide=dtype.itemsize == 8).view(np.int64))
