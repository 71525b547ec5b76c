"""What PyTorch's errors call a value: ``torch.FloatTensor``, ``torch.nn.modules.linear.Linear``, ``int``."""

from __future__ import annotations

from chalkgrad.engine.base import TensorBase


def typename(value: object) -> str:
    """The type of a tensor with its dtype, the module and name of anything else."""
    if isinstance(value, TensorBase):
        return f"torch.{value.dtype_title}Tensor"
    named = value if hasattr(value, "__qualname__") else type(value)
    module = getattr(named, "__module__", None) or ""
    name: str = named.__qualname__
    return name if module in ("", "builtins") else f"{module}.{name}"
