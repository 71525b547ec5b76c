"""``torch.autograd.grad_mode``."""

from chalkgrad.engine.counting import _unsafe_preserve_version_counter as _unsafe_preserve_version_counter
from chalkgrad.engine.modes import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from chalkgrad.torch.functions import absent as _absent

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled", "set_multithreading_enabled"]

__getattr__ = _absent("torch.autograd.grad_mode")
