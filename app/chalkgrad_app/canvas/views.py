"""How each drawing of a document was seen last: who comes back to it finds it so, as long as the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chalkgrad_app.canvas.fitting import View

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class _Kept(NamedTuple):
    """A view, and what was selected then."""

    view: View
    selection: frozenset[int]


class Views:
    """The views of one canvas by drawing. They are no part of the document, and never an undo step."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self._canvas = canvas
        self._kept: dict[str, _Kept] = {}
        self._outside: dict[str, _Kept] = {}

    def keep(self) -> None:
        """Remember how the drawing that was painted last is seen."""
        canvas = self._canvas
        self._kept[canvas.painted.drawing.name] = _Kept(canvas.view(), canvas.document.selection)

    def show(self) -> bool:
        """Show the drawing as it was seen last, anew where nothing would be in view now; False where it never was.

        What was selected meanwhile comes into view.
        """
        canvas = self._canvas
        kept = self._kept.get(canvas.document.drawing)
        if kept is None:
            return False
        if not canvas.show_view(kept.view):
            canvas.fit_beginning()
        if canvas.document.selection != kept.selection:
            canvas.show_selected()
        return True

    def forget(self) -> None:
        """Another document is shown."""
        self._kept, self._outside = {}, {}

    def enter_lecture(self) -> None:
        """A lecture has views of its own, for the last row."""
        self.keep()
        self._kept, self._outside = {}, self._kept

    def leave_lecture(self) -> None:
        """All is seen again as it was before."""
        self._kept = self._outside
