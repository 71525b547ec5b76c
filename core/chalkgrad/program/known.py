"""What may be known of a tensor before anything runs: its shape and dtype, or what PyTorch will refuse."""

from __future__ import annotations

from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """Shape and dtype (by PyTorch's name) of a tensor."""

    shape: Shape
    dtype: str


@dataclass(frozen=True, slots=True)
class ShapeProblem:
    """What PyTorch will say when the statement runs: the exception's type and its message."""

    type: str
    message: str


Fact = Known | ShapeProblem
Number = bool | int | float
Input = Known | Number | tuple[Known, ...] | None


class Unknown(Exception):  # noqa: N818  not an error: the inputs do not tell
    """Shape or dtype of an input is not known."""
