"""Bits of integers, shifts, and common divisors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.overloads import limited, only

PAIR = np.array([6, -3, 12]), np.array([3, 5, 2])
BOTH = frozenset({"self", "other"})


def _left(self: np.ndarray, other: np.ndarray) -> Any:
    """Bits shifted further than there are, or by a negative number, are gone."""
    bits = self.dtype.itemsize * 8
    inside = (other >= 0) & (other < bits)
    return np.where(inside, np.left_shift(self, np.where(inside, other, 0)), 0).astype(self.dtype)


def _right(self: np.ndarray, other: np.ndarray) -> Any:
    """Shifted further than there are bits, only the sign remains."""
    most = self.dtype.itemsize * 8 - (self.dtype.kind == "i")
    inside = (other >= 0) & (other < most)
    shifted = np.right_shift(self, np.where(inside, other, 0).astype(self.dtype))
    return np.where(inside, shifted, np.where(self < 0, -1, 0)).astype(self.dtype)


def _bits(name: str, kernel: str, forward: Callable[..., Any], symbol: str, latex: str, kinds: str = "biu") -> None:
    """An operator on the bits of two tensors, or of a tensor and a number."""
    register(
        Record(
            name=name,
            inputs=("self", "other"),
            numbers=BOTH,
            forward=limited(kernel, kinds, forward),
            function=f"torch.{name}",
            method=name,
            symbol=symbol,
            style="operator",
            shape=broadcast,
            section="compare",
            latex=latex,
            signatures=(
                f"{name}(Tensor input, Tensor other, *, Tensor out=None)",
                f"torch.{name}(Scalar self, Tensor other)",
                f"{name}(Tensor input, Scalar other, *, Tensor out=None)",
            ),
            samples=((PAIR, {}), ((PAIR[0], 2), {})),
            bad_samples=(
                (
                    (np.array([1.5]), np.array([1.0])),
                    {},
                    "NotImplementedError",
                    f"\"{kernel}\" not implemented for 'Double'",
                ),
            ),
        )
    )


_bits("bitwise_and", "bitwise_and_cpu", np.bitwise_and, "&", r"\self \mathbin{\&} \other")
_bits("bitwise_or", "bitwise_or_cpu", np.bitwise_or, "|", r"\self \mid \other")
_bits("bitwise_xor", "bitwise_xor_cpu", np.bitwise_xor, "^", r"\self \oplus \other")
_bits("bitwise_left_shift", "lshift_cpu", _left, "<<", r"\self \ll \other", "iu")
_bits("bitwise_right_shift", "rshift_cpu", _right, ">>", r"\self \gg \other", "iu")

register(
    Record(
        name="bitwise_not",
        inputs=("self",),
        check=only("bitwise_not_cpu", "biu"),
        forward=np.invert,
        function="torch.bitwise_not",
        method="bitwise_not",
        symbol="~",
        style="operator",
        shape=same,
        section="compare",
        latex=r"\lnot \self",
        samples=(((PAIR[0],), {}), ((np.array([True, False]),), {})),
        bad_samples=(
            ((np.array([1.5]),), {}, "NotImplementedError", "\"bitwise_not_cpu\" not implemented for 'Double'"),
        ),
    )
)


def _divisors(name: str, ufunc: np.ufunc, latex: str) -> None:
    register(
        Record(
            name=name,
            inputs=("self", "other"),
            forward=limited(f"{name}_cpu", "iu", ufunc),
            function=f"torch.{name}",
            method=name,
            shape=broadcast,
            section="arithmetic",
            latex=latex,
            samples=((PAIR, {}), ((np.array([12]), PAIR[1]), {})),
            bad_samples=(
                (
                    (np.array([1.5]), np.array([1.0])),
                    {},
                    "NotImplementedError",
                    f"\"{name}_cpu\" not implemented for 'Double'",
                ),
            ),
        )
    )


_divisors("gcd", np.gcd, r"\gcd(\self, \other)")
_divisors("lcm", np.lcm, r"\operatorname{lcm}(\self, \other)")
