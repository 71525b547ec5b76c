"""``torch.nn``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn import __all__ as __all__
from chalkgrad.torch.functions import absent as _absent

# "from chalkgrad.torch.nn import functional" would give chalkgrad.nn's own, which the star above brought.
import chalkgrad.torch.nn.functional as functional  # type: ignore[no-redef]  # noqa: F401  # isort: skip
import chalkgrad.torch.nn.init as init  # type: ignore[no-redef]  # noqa: F401  # isort: skip
import chalkgrad.torch.nn.modules as modules  # type: ignore[no-redef]  # noqa: F401  # isort: skip
import chalkgrad.torch.nn.parameter as parameter  # type: ignore[no-redef]  # noqa: F401  # isort: skip
import chalkgrad.torch.nn.utils as utils  # type: ignore[no-redef]  # noqa: F401  # isort: skip

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn")
