"""``torch.nn.init``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.init import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.init import __all__ as __all__
from chalkgrad.nn.init import _calculate_correct_fan as _calculate_correct_fan
from chalkgrad.nn.init import _calculate_fan_in_and_fan_out as _calculate_fan_in_and_fan_out
from chalkgrad.torch.functions import absent as _absent

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.init")
