"""Padding."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import repeated


class _Padding(Module):
    """Frames its input; ``sides`` are all its ends, two a dimension."""

    sides: int
    mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = repeated(padding, self.sides)

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.pad`."""
        return functional.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        """The width of the frame."""
        return f"{self.padding}"


class _ConstantPadNd(_Padding):
    """A frame of one number."""

    mode = "constant"

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.pad`."""
        return functional.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """The width of the frame, and the number."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """One number at both ends of lines."""

    sides = 2


class ConstantPad2d(_ConstantPadNd):
    """One number around images."""

    sides = 4


class ZeroPad1d(ConstantPad1d):
    """Zeros at both ends of lines."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Padding.extra_repr


class ZeroPad2d(ConstantPad2d):
    """Zeros around images."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Padding.extra_repr


class ReflectionPad1d(_Padding):
    """Lines mirrored at both ends."""

    sides, mode = 2, "reflect"


class ReflectionPad2d(_Padding):
    """Images mirrored at their edges."""

    sides, mode = 4, "reflect"


class ReplicationPad1d(_Padding):
    """Lines continued by their last elements."""

    sides, mode = 2, "replicate"


class ReplicationPad2d(_Padding):
    """Images continued by their outermost elements."""

    sides, mode = 4, "replicate"


class _CircularPadNd(_Padding):
    """A frame of what lies at the other side."""

    mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.pad`; ValueError for another number of dimensions."""
        count = self.sides // 2 + 1
        if input.ndim not in (count, count + 1):
            raise ValueError(f"expected {count}D or {count + 1}D input (got {input.ndim}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPadNd):
    """Lines continued from their other end."""

    sides = 2


class CircularPad2d(_CircularPadNd):
    """Images continued from their other side."""

    sides = 4


class ConstantPad3d(_ConstantPadNd):
    """One number around volumes."""

    sides = 6


class ZeroPad3d(ConstantPad3d):
    """Zeros around volumes."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Padding.extra_repr


class ReflectionPad3d(_Padding):
    """Volumes mirrored at their faces."""

    sides, mode = 6, "reflect"


class ReplicationPad3d(_Padding):
    """Volumes continued by their outermost elements."""

    sides, mode = 6, "replicate"


class CircularPad3d(_CircularPadNd):
    """Volumes continued from their other side."""

    sides = 6
