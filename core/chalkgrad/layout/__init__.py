"""Layout: where cards lie and how wires run, worked out from sizes, ports and wires alone."""

from chalkgrad.layout.curves import curve
from chalkgrad.layout.free import free_place
from chalkgrad.layout.graph import GRID, Edge, Node, Path, Point
from chalkgrad.layout.groups import tidied
from chalkgrad.layout.rooms import Room
from chalkgrad.layout.routes import Box, Router, Span, routes
from chalkgrad.layout.rows import Brick, in_rows
from chalkgrad.layout.strips import Beside, Strip, in_strips
from chalkgrad.layout.task import Drawing, Group, Task
from chalkgrad.layout.tidying import rough, tidy

__all__ = [
    "GRID",
    "Beside",
    "Box",
    "Brick",
    "Drawing",
    "Edge",
    "Group",
    "Node",
    "Path",
    "Point",
    "Room",
    "Router",
    "Span",
    "Strip",
    "Task",
    "curve",
    "free_place",
    "in_rows",
    "in_strips",
    "rough",
    "routes",
    "tidied",
    "tidy",
]
