"""Programs as the autograd drawing shows them."""

from __future__ import annotations

from chalkgrad.program.board import Board
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.autograd_face import AutogradFace
from chalkgrad_app.picture.function_face import FunctionFace, function_face
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.picture.picture import Picture

AUTOGRAD = Board(drawing="autograd")
CHAIN = "x = torch.tensor(1.0, requires_grad=True)\n" + "\n".join(
    f"v{number} = {'x' if number == 0 else f'v{number - 1}'} * x" for number in range(40)
)


class Drawn:
    """A program in the autograd drawing, with its session."""

    def __init__(self, source: str, board: Board = AUTOGRAD) -> None:
        self.program = read_source(f"import torch\n{source}")
        self.session = Session(self.program)
        self.session.finish()
        self.board = board
        self.picture = Picture()
        self.look(self.session.trace.state())

    def look(self, state: State) -> None:
        self.picture.update(self.program, self.board, state)

    def id(self, name: str) -> int:
        return next(s.id for s in self.program if name in s.targets)

    def end_of(self, name: str) -> State:
        return self.session.trace.state(self.session.trace.end_of(self.id(name)))

    def face(self, name: str) -> AutogradFace:
        face = self.picture.face(self.id(name))
        assert isinstance(face, AutogradFace)
        return face

    def rows(self, name: str) -> dict[str, str]:
        face = self.face(name)
        at = face.titles.index(name)
        return {attribute.name: attribute.text for attribute in face.attributes[at]}

    def function(self, name: str) -> FunctionFace:
        tensor = self.picture.state.names[name]
        assert tensor.node is not None
        return function_face(self.picture, self.picture.functions.index[NODE, tensor.node])

    def functions(self) -> list[FunctionFace]:
        return [function_face(self.picture, row) for row in range(len(self.picture.functions))]
