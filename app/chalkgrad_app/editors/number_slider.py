"""A slider for a number of the program; what depends on the number is worked out while it is dragged."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSlider, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.editors.scrubbing import Number, Scrub, number_in, rounded, step_of
from chalkgrad_app.naming import changing_value

REACH = 100
"""So many steps lie on either side of the number that the slider began with."""


class NumberSlider(QSlider):
    """A slider with the number of one leaf in its middle: a drag, or keys until the focus goes, are one undo step."""

    settled = Signal()  # the number stays as it is now

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("canvas.popover.slider")
        self.setAccessibleName(self.tr("Value"))
        self.setRange(-REACH, REACH)
        self.setPageStep(10)
        self._document = document
        self._id = 0
        self._scrub: Scrub | None = None
        self._start: Number = 0
        self.valueChanged.connect(self._on_value)
        self.sliderReleased.connect(self.settle)

    @property
    def is_active(self) -> bool:
        """True while it changes the number."""
        return self._scrub is not None

    def show_number(self, id_: int) -> None:
        """Stand in the middle, at the number of leaf ``id_``; hide where it has none, or is gone."""
        leaf = self._document.program.statements.get(id_)
        found = None if leaf is None else number_in(leaf)
        self._id = id_
        self.setVisible(found is not None)
        self._start = found or 0
        self.blockSignals(True)
        self.setValue(0)
        self.blockSignals(False)

    def settle(self) -> None:
        """Keep the number; it is the middle of the slider now."""
        scrub, self._scrub = self._scrub, None
        if scrub is not None:
            scrub.end()
            self.show_number(self._id)
            self.settled.emit()

    def give_up(self) -> None:
        """Put the number back that was there before."""
        scrub, self._scrub = self._scrub, None
        if scrub is not None:
            scrub.cancel()
            self.show_number(self._id)
            self.settled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up."""
        if event.key() == Qt.Key.Key_Escape and self.is_active:
            self.give_up()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What the keys did is done."""
        super().focusOutEvent(event)
        self.settle()

    def _on_value(self, position: int) -> None:
        if self._scrub is None:
            self._scrub = Scrub(self._document, self._id, None, changing_value(self._document.sheet, self._id))
        step = step_of(self._start) if isinstance(self._start, int) else step_of(self._start) / 2
        self._scrub.to(rounded(self._start + position * step, self._start))
