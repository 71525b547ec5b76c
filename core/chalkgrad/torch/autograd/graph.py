"""``torch.autograd.graph``."""

from chalkgrad.engine.edges import GradientEdge, get_gradient_edge, increment_version, register_multi_grad_hook
from chalkgrad.engine.graph import Node
from chalkgrad.engine.mutation import allow_mutation_on_saved_tensors
from chalkgrad.engine.packing import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]

__getattr__ = _absent("torch.autograd.graph")
