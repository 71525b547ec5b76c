"""What the program printed, line by line of the program."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from chalkgrad_app.document import Document

STATEMENT = Qt.ItemDataRole.UserRole


class OutputPanel(QWidget):
    """The printed texts up to the cursor; clicking one selects the line that printed it."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.output")
        self._document = document
        self._shown: tuple[object, ...] = ()
        self.list = QListWidget(self)
        self.list.setObjectName("output.list")
        self.list.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setWordWrap(True)
        self.list.itemClicked.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        for signal in (document.traced, document.moved, document.changed):
            signal.connect(self.refresh)
        self.retranslate()
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show what was printed up to the cursor."""
        lines = self._document.state.output
        if lines == self._shown:
            return
        self._shown = lines
        self.list.clear()
        for line in lines:
            item = QListWidgetItem(line.text.removesuffix("\n"))
            item.setData(STATEMENT, line.statement)
            self.list.addItem(item)
        self.list.scrollToBottom()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.list.setAccessibleName(self.tr("Output"))

    def text(self) -> str:
        """All that is shown."""
        return "\n".join(self.list.item(row).text() for row in range(self.list.count()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: object) -> None:
        """Copy the chosen texts, all of them when none is chosen."""
        if event.matches(QKeySequence.StandardKey.Copy):  # type: ignore[attr-defined]
            chosen = [item.text() for item in self.list.selectedItems()]
            QGuiApplication.clipboard().setText("\n".join(chosen) or self.text())
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self._document.select([item.data(STATEMENT)])
