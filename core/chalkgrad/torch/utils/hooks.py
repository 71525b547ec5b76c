"""``torch.utils.hooks``."""

from chalkgrad.engine.handle import RemovableHandle
from chalkgrad.torch.functions import absent as _absent

__all__ = ["RemovableHandle"]

__getattr__ = _absent("torch.utils.hooks")
