"""The dialog of "Export picture": what to write, how large, in which colours."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QWidget

from chalkgrad.program.board import DRAWINGS
from chalkgrad.stepwise import Stepwise
from chalkgrad_app import settings
from chalkgrad_app.canvas.draw_as import drawing_name
from chalkgrad_app.document import Document
from chalkgrad_app.export import image
from chalkgrad_app.widgets.spin_room import give_room

FORMATS = (("PNG", ".png"), ("SVG", ".svg"), ("PDF", ".pdf"), ("TikZ", ".tex"))


class ExportDialog(QDialog):
    """Asks for format, extent, theme, scale and background; :meth:`writing` writes accordingly."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setObjectName("exportDialog")
        self.setWindowTitle(self.tr("Export picture"))
        self.format = QComboBox(self)
        self.format.setObjectName("export.format")
        for name, suffix in FORMATS:
            self.format.addItem(name, suffix)
        self.format.currentIndexChanged.connect(self._on_format)
        self.extent = QComboBox(self)
        self.extent.setObjectName("export.extent")
        self.extent.addItem(self.tr("the whole graph"), False)
        self.extent.addItem(self.tr("the selection"), True)
        self.extent.setCurrentIndex(1 if len(document.selected_statements) > 1 else 0)
        self.extent.setEnabled(bool(document.selected_statements))
        self.drawing = QComboBox(self)
        self.drawing.setObjectName("export.drawing")
        for name in DRAWINGS:
            self.drawing.addItem(drawing_name(name), name)
        self.drawing.setCurrentIndex(self.drawing.findData(document.drawing))
        self.theme = QComboBox(self)
        self.theme.setObjectName("export.theme")
        for name, title in self._themes():
            self.theme.addItem(title, name)
        self.theme.setCurrentIndex(self.theme.findData(settings.THEME.get()))
        self.scale = QDoubleSpinBox(self)
        self.scale.setObjectName("export.scale")
        self.scale.setRange(0.5, 8.0)
        self.scale.setSingleStep(0.5)
        self.scale.setValue(2.0)
        self.scale.setSuffix(" ×")
        give_room(self.scale)
        self.transparent = QCheckBox(self.tr("no background"), self)
        self.transparent.setObjectName("export.transparent")
        self._arrange()

    def suffix(self) -> str:
        """The extension of the chosen format."""
        return str(self.format.currentData())

    def suffixes(self) -> tuple[str, ...]:
        """The extension of the chosen format, then those of the others, which may be typed instead."""
        return (self.suffix(), *(suffix for _, suffix in FORMATS if suffix != self.suffix()))

    def name_filter(self) -> str:
        """The chosen format, for the file dialog."""
        return f"{self.format.currentText()} (*{self.suffix()})"

    def suggested_path(self) -> str:
        """A path for the file dialog to begin with."""
        return str(Path(settings.FOLDER.get()) / f"{self._document.name}{self.suffix()}")

    def writing(self, path: Path) -> Callable[[], Stepwise[None]]:
        """What writes the picture as chosen now, in steps, whenever it is called; OSError when that fails."""
        return partial(
            image.exporting_document,
            self._document,
            path,
            state=self._document.state,
            theme=self.theme.currentData(),
            scale=self.scale.value(),
            selection=self._document.selected_statements if self.extent.currentData() else (),
            transparent=self.transparent.isChecked(),
            drawing=self.drawing.currentData(),
        )

    def _arrange(self) -> None:
        buttons = QDialogButtonBox(self)
        buttons.addButton(QDialogButtonBox.StandardButton.Save)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(self.tr("Format"), self.format)
        form.addRow(self.tr("What"), self.extent)
        form.addRow(self.tr("Draw as"), self.drawing)
        form.addRow(self.tr("Theme"), self.theme)
        form.addRow(self.tr("Scale"), self.scale)
        form.addRow("", self.transparent)
        form.addRow(buttons)

    def _themes(self) -> tuple[tuple[str, str], ...]:
        return (
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
            ("blackboard", self.tr("Blackboard")),
            ("contrast", self.tr("High contrast")),
            ("colourblind", self.tr("Colour-blind safe")),
        )

    def _on_format(self) -> None:
        """A scale is for pixels only."""
        self.scale.setEnabled(self.suffix() == ".png")
