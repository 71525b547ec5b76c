"""What a statement says where tensors are nodes: the operator's label and a node for each output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chalkgrad_app.picture.anatomy import Anatomy, Box
from chalkgrad_app.picture.card import CardFace, Hue

BAND = 26.0
"""Height of the band with the name of a node."""
NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


class NodeFace(NamedTuple):
    """One node: the tensor's name, its hue and whether gradient will flow to it."""

    name: str
    hue: Hue = Hue.NONE
    requires_grad: bool = False

    @property
    def leaf(self) -> bool:
        """True for a square node."""
        return self.hue in (Hue.LEAF, Hue.LEAF_GRAD)


@dataclass(frozen=True, slots=True)
class DataFace(CardFace):
    """``label`` is the operator, empty for a leaf; ``nodes`` are its outputs, or one that is to come."""

    label: str
    nodes: tuple[NodeFace, ...]


@dataclass(frozen=True, slots=True)
class DataAnatomy(Anatomy):
    """Where the label and the nodes are; a leaf has no label."""

    label: Box = NOWHERE
    nodes: tuple[Box, ...] = ()

    @property
    def body(self) -> Box:
        """The nodes without the label."""
        first, last = self.nodes[0], self.nodes[-1]
        return Box(first.left, first.top, self.width - first.left, last.top + last.height - first.top)

    def band(self, output: int) -> Box:
        """Where the name of an output is written: on its own node."""
        left, top, width, _ = self.nodes[min(output, len(self.nodes) - 1)]
        return Box(left, top, width, BAND)
