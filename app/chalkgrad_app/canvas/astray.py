"""The way back for who has moved the view off everything: a button at the lower edge of the empty canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QPushButton

from chalkgrad_app.i18n import translate
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.later import Later

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

MARGIN = 24
"""From the edge of the canvas, in pixels at 100% text size."""


class Astray(QPushButton):
    """Seen only while everything there is lies out of view; shows all of it."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.setObjectName("canvas.astray")
        self._canvas = canvas
        self._later = Later(self, self._follow)
        for signal in (canvas.viewed, canvas.document.changed):
            signal.connect(self._later.schedule)
        self.clicked.connect(self._show_all)
        canvas.resized.connect(self._on_resized)
        self.hide()
        self.retranslate()

    def retranslate(self) -> None:
        """Set the text in the language in use."""
        self.setText(translate("Astray", "Everything lies elsewhere. Show it (Home)"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language and text size."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        if event.type() in (QEvent.Type.LanguageChange, QEvent.Type.FontChange):
            self._place()
        super().changeEvent(event)

    def _on_resized(self) -> None:
        """Stay at the edge of the canvas."""
        self._place()
        self._later.schedule()

    def _follow(self) -> None:
        everything = self._canvas.picture.bounds()
        is_astray = not everything.isEmpty() and not everything.intersects(self._canvas.scene_rect())
        if is_astray and self.isHidden():
            self._place()
            self.raise_()
        elif not is_astray and self.hasFocus():
            self._canvas.setFocus()
        self.setVisible(is_astray)

    def _place(self) -> None:
        self.adjustSize()
        room = self._canvas.size() - self.size()
        self.move(room.width() // 2, room.height() - scaled(MARGIN))

    def _show_all(self) -> None:
        self._canvas.fit_all(glide=True)
        self._canvas.setFocus()
