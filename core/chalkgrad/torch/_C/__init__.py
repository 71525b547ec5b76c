"""``torch._C``: what code that looks under the bonnet asks PyTorch's engine for, as far as it is the engine's."""

from __future__ import annotations

import weakref
from typing import Any

from chalkgrad.engine.generator import Generator
from chalkgrad.engine.inside import current_node as _current_autograd_node
from chalkgrad.engine.inside import current_run_number as _current_graph_task_id
from chalkgrad.engine.inside import order_of_nodes as _current_graph_task_execution_order
from chalkgrad.engine.inside import will_run as _will_engine_execute_node
from chalkgrad.engine.modes import is_grad_enabled
from chalkgrad.engine.tensor import Tensor as TensorBase
from chalkgrad.torch._C import _autograd, _functions
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "Generator",
    "TensorBase",
    "_WeakTensorRef",
    "_autograd",
    "_current_autograd_node",
    "_current_graph_task_execution_order",
    "_current_graph_task_id",
    "_functions",
    "_will_engine_execute_node",
    "has_lapack",
    "is_grad_enabled",
]

has_lapack = True


class _WeakTensorRef:
    """Tells whether a tensor is still there, without keeping it."""

    def __init__(self, tensor: Any) -> None:
        self._tensor = weakref.ref(tensor)

    def expired(self) -> bool:
        """True once nobody has the tensor any more."""
        return self._tensor() is None


__getattr__ = _absent("torch._C")
