"""``torch.autograd._functions``: functions that PyTorch itself writes as learners do."""

from chalkgrad.engine.legacy import Resize
from chalkgrad.torch.functions import absent as _absent

__all__ = ["Resize"]

__getattr__ = _absent("torch.autograd._functions")
