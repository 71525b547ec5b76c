"""Pooling over windows that lie at random."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator
from chalkgrad.ops.random import rand


def _fractional(dims: int) -> tuple[Any, Any]:
    """The two functions behind a name: ``return_indices`` says which is called."""
    name = f"fractional_max_pool{dims}d"
    largest: Any = operator(name)

    def with_indices(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The largest elements of windows that lie at random, and their places."""
        if output_size is None:
            if output_ratio is None:
                raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
            if len(output_ratio) > dims:
                raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
            output_size = [int(input.size(place - dims) * output_ratio[place]) for place in range(dims)]
        if _random_samples is None:
            batch = 1 if input.dim() == dims + 1 else input.size(0)
            _random_samples = rand(batch, input.size(-dims - 1), dims, dtype=input.dtype)
        found: tuple[Tensor, Tensor] = largest(input, kernel_size, output_size, _random_samples)
        return found

    def pool(*args: Any, **kwargs: Any) -> Any:
        """The largest elements of windows that lie at random, with their places where ``return_indices``."""
        both = with_indices(*args, **kwargs)
        asked = kwargs["return_indices"] if "return_indices" in kwargs else len(args) > 4 and args[4]
        return both if asked else both[0]

    for function, called in ((pool, name), (with_indices, f"{name}_with_indices")):
        function.__name__ = function.__qualname__ = called
    return pool, with_indices


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional(3)
