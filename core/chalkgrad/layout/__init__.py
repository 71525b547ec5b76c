"""Layout: where cards lie and how wires run, worked out from sizes, ports and wires alone."""

from chalkgrad.layout.cards import card_wires
from chalkgrad.layout.free import free_place
from chalkgrad.layout.graph import GRID, Edge, Node, Point
from chalkgrad.layout.routes import Path, curve, routes
from chalkgrad.layout.tidying import tidy

__all__ = ["GRID", "Edge", "Node", "Path", "Point", "card_wires", "curve", "free_place", "routes", "tidy"]
