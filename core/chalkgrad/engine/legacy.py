"""``Tensor.resize`` of PyTorch's early days: a function with a backward, where ``reshape`` would do."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

from chalkgrad.engine.function import Function


class Resize(Function):
    """Another shape for the same elements."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple[int, ...]) -> Any:
        """``tensor`` in shape ``sizes``, a view of its memory where that is possible."""
        ctx.sizes = sizes
        ctx.numel = reduce(mul, sizes, 1)
        if tensor.numel() != ctx.numel:
            asked, given = "x".join(map(str, sizes)), "x".join(map(str, tensor.size()))
            raise RuntimeError(
                f"requested resize to {asked} ({ctx.numel} elements in total), but the given tensor has a size of "
                f"{given} ({tensor.numel()} elements). autograd's resize can only change the shape of a given tensor, "
                "while preserving the number of elements. "
            )
        ctx.input_sizes = tensor.size()
        return tensor.contiguous().view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        """The gradient in the shape that the tensor had."""
        return grad_output.contiguous().view(ctx.input_sizes), None


Resize.__module__ = "torch.autograd._functions.tensor"
