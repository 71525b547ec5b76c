"""What a backward tells an observer on its way, and the copies of gradients that others may keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.graph import Node
from chalkgrad.engine.rules import TENSORS

Gradient = Any


def tell_begun(node: Node, joins: bool = False) -> None:
    """Say for which node a backward that is recorded is at work now."""
    if state.observer is not None:
        state.observer.node_began(node, joins)


def tell_met(node: Node, port: int, gradient: Gradient, total: Gradient) -> None:
    """Say that ``gradient`` was added to what had come to ``node`` before."""
    if state.observer is not None:
        state.observer.gradients_met(node, port, copied_for_others(gradient), copied_for_others(total))


def tell_captured(node: Node, port: int, gradient: Gradient) -> None:
    """Say that a gradient goes no further: it was asked for."""
    if state.observer is not None:
        state.observer.captured(node, port, copied_for_others(gradient))


def added(node: Node, one: TensorBase, other: TensorBase) -> TensorBase:
    """What came to ``node`` along two paths, added up and recorded."""
    tell_begun(node, joins=True)
    total: TensorBase = TENSORS.add(one, other)
    return total


def copied_for_others(gradient: Gradient) -> Gradient:
    """A gradient for others to keep."""
    return gradient.copy() if type(gradient) is np.ndarray else gradient
