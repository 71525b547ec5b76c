"""Hands for the autograd drawing, whose cards have rows and nodes beside them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint
from support.hands import Hands, Host, open_host

from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.autograd_face import AutogradFace


class AutogradHands(Hands):
    """Hands that know where the rows of a card are, and hold on to their window."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.canvas)
        self.host = host

    @property
    def picture(self):
        return self.canvas.picture

    def row(self, name: str, attribute: str) -> QPoint:
        id_ = self.id(name)
        place = self.picture.anatomy(id_).row(0)
        parts = {
            "data": place.value,
            "grad": place.grad,
            "name": self.picture.anatomy(id_).header,
            **dict(place.others),
        }
        box, corner = parts[attribute], self.picture.rect(id_).topLeft()
        return self.at_scene(corner.x() + box.left + box.width * 0.6, corner.y() + box.top + box.height / 2)

    def node(self, name: str) -> int:
        number = self.document.state.names[name].node
        assert number is not None
        return number

    def rows(self, name: str) -> dict[str, str]:
        face = self.picture.face(self.id(name))
        assert isinstance(face, AutogradFace)
        return {attribute.name: attribute.text for attribute in face.attributes[0]}

    def see(self, name: str) -> None:
        """Bring a card into view, large enough for its rows."""
        self.canvas.zoom_100()
        self.canvas.ensure_visible([self.id(name)])

    def place(self, name: str, drawing: str = "autograd"):
        return self.document.board.places.get((drawing, self.id(name)))


def opened(source: str) -> AutogradHands:
    sheet = Sheet(read_source(f"import torch\n{source}"))
    host = open_host(replace(sheet, board=sheet.board.drawn_as("autograd")))
    host.canvas.fit_all()
    host.canvas.zoom_100()
    return AutogradHands(host)
