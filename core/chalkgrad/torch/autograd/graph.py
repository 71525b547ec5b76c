"""``torch.autograd.graph``."""

from chalkgrad.engine.graph import Node

__all__ = ["Node"]
