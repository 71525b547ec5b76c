"""The drawings of a program: cards, data and edges, autograd."""

from chalkgrad_app import settings
from chalkgrad_app.picture.drawings.autograd import AutogradDrawing
from chalkgrad_app.picture.drawings.base import Drawing
from chalkgrad_app.picture.drawings.cards import CardDrawing
from chalkgrad_app.picture.drawings.data import DataDrawing

__all__ = ["DRAWINGS", "Drawing", "drawing_of"]

DRAWINGS: dict[str, Drawing] = {drawing.name: drawing for drawing in (CardDrawing(), DataDrawing(), AutogradDrawing())}
"""Each drawing by its name."""
DETAILED = AutogradDrawing(more=True)


def drawing_of(name: str) -> Drawing:
    """The drawing with this name; cards where there is none of that name."""
    if name == DETAILED.name and settings.MORE_ROWS.get():
        return DETAILED
    return DRAWINGS.get(name, DRAWINGS["cards"])
