"""Places for cards that came without any: when they come, and again when the run has told how large they are."""

from __future__ import annotations

from PySide6.QtCore import QObject

from chalkgrad.program.sheet import Sheet
from chalkgrad_app.canvas import arrange, tidying
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.document import Document
from chalkgrad_app.opening import lies_roughly


class Lodging(QObject):
    """Finds places for the cards of one document that have none."""

    def __init__(self, document: Document, canvas: GraphCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._canvas = canvas
        self._guessed: tuple[Sheet, dict[int, arrange.Point]] | None = None
        self._settles: int | None = None  # cards that were placed roughly are laid out once more when the run has ended
        document.finished.connect(self._place_again)

    def place_missing(self) -> None:
        """Places at once, and again when the run has told how large the cards are.

        Many are placed roughly at once, and laid out in the background; so are those that stand in blocks.
        """
        document = self._document
        new = arrange.unplaced(document.sheet)
        self._guessed, self._settles = None, None
        if not new:
            return
        if lies_roughly(document.sheet):
            document.amend(arrange.place_roughly(document.sheet, document.state))
            self.settle_roughly()
            return
        document.amend(arrange.place_missing(document.sheet, document.state))
        if document.is_running:
            self._guessed = document.sheet, arrange.sizes(document.sheet, document.state, new)

    def place_pasted(self) -> None:
        """The same for cards that came of pasted text: a few go where the pointer is, over the canvas.

        Where many come beside others the drawing finds their places.
        """
        sheet = self._document.sheet
        if self._place_at_pointer():
            return
        if lies_roughly(sheet) or sheet.program.blocks or len(arrange.unplaced(sheet)) <= tidying.AT_ONCE:
            self.place_missing()

    def _place_at_pointer(self) -> bool:
        """Places for a few new cards around the pointer; False where that is elsewhere, or these are all cards."""
        document, pointer = self._document, self._canvas.adding.pointer()
        new = arrange.unplaced(document.sheet)
        is_addition = len(new) == 1 or document.board.places
        if pointer is None or not (new and is_addition) or len(new) > tidying.AT_ONCE or document.program.blocks:
            return False
        self._guessed, self._settles = None, None
        at = self._canvas.to_scene(pointer)
        document.amend(arrange.with_places(document.sheet, document.state, new, (at.x(), at.y()), pointed=True))
        return True

    def settle_roughly(self) -> None:
        """Cards that lie roughly are laid out in the background, and again when the run has told how large they are."""
        document = self._document
        self._guessed = None
        self._settles = document.undo_stack.index() if document.is_running else None
        self._canvas.tidying.settle()

    def _place_again(self) -> None:
        """Cards that turned out larger lie elsewhere, unless somebody edited the document meanwhile."""
        document = self._document
        if self._settles == document.undo_stack.index():
            self._canvas.tidying.settle()
        self._settles = None
        if self._guessed is None:
            return
        (sheet, guessed), self._guessed = self._guessed, None
        if sheet is not document.sheet or guessed == arrange.sizes(sheet, document.state, guessed):
            return
        document.amend(arrange.place_again(sheet, document.state, guessed.keys()))
        self._canvas.ensure_visible(guessed)
