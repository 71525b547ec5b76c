"""Which slice of a tensor is shown, written as one indexes it: ``x[0, 2, :, :]`` with a box for each number."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QWidget

from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.spin_room import give_room


class SliceBoxes(QWidget):
    """A box for each dimension before the last two; hidden where there are none."""

    chosen = Signal(tuple)  # the indices

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._boxes: list[QSpinBox] = []
        self._words: list[QLabel] = []
        self._sizes: tuple[int, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(scaled(2))

    def show_slice(self, name: str, sizes: tuple[int, ...], indices: tuple[int, ...]) -> None:
        """Show which slice it is of the tensor of a name, whose dimensions before the last two have these sizes."""
        if sizes != self._sizes:
            self._make(sizes)
        self.setVisible(bool(sizes))
        if self._words:
            self._words[0].setText(f"{name}[")
        for box, at in zip(self._boxes, indices, strict=True):
            with QSignalBlocker(box):
                box.setValue(at)

    def _make(self, sizes: tuple[int, ...]) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._boxes, self._words, self._sizes = [], [], sizes
        for dim, size in enumerate(sizes):
            self._say(", " if dim else "")
            self._boxes.append(self._box(dim, size))
            self._row.addWidget(self._boxes[-1])
        if sizes:
            self._say(", :, :]")
            self._row.addStretch(1)

    def _say(self, words: str) -> None:
        label = QLabel(words, self)
        label.setFont(code_font(ratio=SMALL))
        self._words.append(label)
        self._row.addWidget(label)

    def _box(self, dim: int, size: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setObjectName(f"valueEditor.slice{dim}")
        words = self.tr("Index in dimension {dim}: 0 to {last}").format(dim=dim, last=size - 1)
        box.setAccessibleName(words)
        box.setToolTip(words)
        box.setRange(0, size - 1)
        box.setWrapping(True)
        give_room(box)
        box.valueChanged.connect(self._choose)
        return box

    def _choose(self) -> None:
        self.chosen.emit(tuple(box.value() for box in self._boxes))
