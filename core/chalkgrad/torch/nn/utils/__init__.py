"""``torch.nn.utils``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.utils import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.utils import __all__ as _names
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.nn.utils import parametrizations, parametrize, rnn

__all__ = ["parametrizations", "parametrize", "rnn", *_names]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.utils")
