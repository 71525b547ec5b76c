"""``torch.autograd``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.anomaly import detect_anomaly, set_detect_anomaly
from chalkgrad.engine.autograd import backward, grad
from chalkgrad.engine.counting import _unsafe_preserve_version_counter as _unsafe_preserve_version_counter
from chalkgrad.engine.function import Function
from chalkgrad.engine.modes import (
    enable_grad,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from chalkgrad.engine.raw_saved import RawSaved as SavedTensor
from chalkgrad.torch.autograd import _functions as _functions
from chalkgrad.torch.autograd import anomaly_mode, function, functional, grad_mode, graph
from chalkgrad.torch.autograd.gradcheck import gradcheck, gradgradcheck
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.variable import Variable

__all__ = [
    "Function",
    "SavedTensor",
    "Variable",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.autograd")
