"""What the values saved for a backward come to, in bytes: as the program ran, and with another ``retain_graph``."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget

from chalkgrad.session.retained import Keeping
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.object_names import line_text
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.elided_label import ElidedLabel

KIBI = 1024


def size_text(count: int) -> str:
    """A number of bytes, short: ``24 B``, ``1.5 KiB``."""
    return f"{count} B" if count < KIBI else QLocale(language()).formattedDataSize(count, 1)


class MemoryTotals(QWidget):
    """A row for each way of keeping: how much at the cursor, how much at the most, and when that was."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._peak_at = 0
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(scaled(8))
        grid.setVerticalSpacing(scaled(2))
        grid.setColumnStretch(3, 1)
        self._heads = self._label("heading", 0, 1), self._label("heading", 0, 2)
        self.peak = QToolButton(self)
        self.peak.setObjectName("memory.goToPeak")
        self.peak.setProperty("link", True)
        self.peak.setAutoRaise(True)
        self.peak.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.peak.clicked.connect(self._on_peak)
        grid.addWidget(self.peak, 0, 0, Qt.AlignmentFlag.AlignLeft)
        names = ("title", "now", "peak")
        self._cells = {
            keeping: [self._label(f"{name}.{keeping.name}", row, column) for column, name in enumerate(names)]
            for row, keeping in enumerate(Keeping, 1)
        }
        self._note = ElidedLabel(self, lines=2)
        self._note.setObjectName("memory.note")
        grid.addWidget(self._note, len(Keeping) + 1, 0, 1, 4)

    def follow(self) -> None:
        """Show the sums at the cursor."""
        retained, position = self._document.session.trace.retained, self._document.state.position
        for keeping, (_, now, peak) in self._cells.items():
            total = retained.total(position, keeping)
            now.setText(size_text(total.now))
            peak.setText(size_text(total.peak))
            if keeping is Keeping.AS_IT_RAN:
                self._show_peak(total.peak_at)
        uses = retained.storages(position)
        named, nameless = (
            sum(use.nbytes for use in uses if use.holders),
            sum(use.nbytes for use in uses if not use.holders),
        )
        words = self.tr(
            "Tensors with a name: {named}. Kept for a backward alone: {nameless}, which freeing gives back."
        )
        self._note.setText(words.format(named=size_text(named), nameless=size_text(nameless)))

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for head, text in zip(self._heads, (self.tr("now"), self.tr("most")), strict=True):
            head.setText(text)
        titles = (self.tr("as it ran"), "retain_graph=True", "retain_graph=False")
        tips = (
            self.tr("The memory of all values that are saved; what is saved twice counts once"),
            self.tr("Worked out from the trace, had every backward kept its buffers; nothing ran for it"),
            self.tr("Worked out from the trace, had every backward freed its buffers; nothing ran for it"),
        )
        for labels, text, tip in zip(self._cells.values(), titles, tips, strict=True):
            labels[0].setText(text)
            for label in labels:
                label.setToolTip(tip)

    def restyle(self) -> None:
        """Fonts and colours in use."""
        small = ui_font(SMALL * theme.BASE_PIXELS * theme.text_size() / 100)
        for widget in (*self._heads, self.peak, self._note, *(title for title, *_ in self._cells.values())):
            widget.setFont(small)
        for label in (label for _, *labels in self._cells.values() for label in labels):
            label.setFont(code_font(ratio=SMALL))
        for label in (*self._heads, self._note):
            tint(label, "muted")

    def text(self) -> str:
        """The sums as tab-separated text."""
        heads = [self.peak.text(), *(head.text() for head in self._heads)]
        rows = [heads, *([label.text() for label in labels] for labels in self._cells.values())]
        return "\n".join("\t".join(row) for row in rows)

    # ------------------------------------------------------------ inside

    def _label(self, name: str, row: int, column: int) -> QLabel:
        label = QLabel(self)
        label.setObjectName(f"memory.{name}")
        layout = self.layout()
        if isinstance(layout, QGridLayout):
            layout.addWidget(label, row, column, Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft)
        return label

    def _show_peak(self, position: int) -> None:
        self._peak_at = position
        line = self._document.session.trace.line_at(position) if position else None
        self.peak.setVisible(line is not None)
        if line is not None:
            self.peak.setText(self.tr("most: {line}").format(line=line_text(self._document, line)))
        self.peak.setToolTip(self.tr("Look at the moment at which most was kept"))

    @Slot()
    def _on_peak(self) -> None:
        self._document.look_at(self._peak_at)
