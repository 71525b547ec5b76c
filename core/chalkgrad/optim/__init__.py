"""Optimisers."""

from chalkgrad.optim.sgd import SGD, Optimizer

__all__ = ["SGD", "Optimizer"]
